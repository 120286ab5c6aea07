package switchboard.text;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Finds YAML that is nested so deeply that what builds values of it would need more stack than a thread has. */
public final class YamlNesting {
    /** Maximum number of lists and mappings in each other. */
    public static final int MOST = 100;

    private YamlNesting() {}

    /** Whether {@code yaml} has more than {@value #MOST} lists or mappings in each other, before the first error in it. */
    public static boolean tooDeep(String yaml) {
        int depth = 0;
        try {
            for (Event event : new Parse(LoadSettings.builder().build()).parseString(yaml)) {
                if (event instanceof CollectionStartEvent && ++depth > MOST) {
                    return true;
                }
                if (event instanceof CollectionEndEvent) {
                    depth--;
                }
            }
        } catch (YamlEngineException | IndexOutOfBoundsException _) {
            return false; // who builds the values meets the same error
        }
        return false;
    }
}
