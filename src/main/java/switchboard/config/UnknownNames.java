package switchboard.config;

import java.util.Collection;
import switchboard.text.ClosestName;

/** Makes the end of messages about unknown names. */
final class UnknownNames {
    private UnknownNames() {}

    /** {@code "; did you mean x?"} if a similar name exists, otherwise the list of known names. */
    static String suggestion(String wrong, Collection<String> known) {
        return ClosestName.of(wrong, known)
                .map(name -> "; did you mean " + name + "?")
                .orElseGet(() -> "; known are "
                        + String.join(", ", known.stream().sorted().toList()));
    }
}
