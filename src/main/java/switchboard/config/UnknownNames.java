package switchboard.config;

import java.util.Collection;
import switchboard.text.Nearest;

/** How a message about an unknown name ends. */
final class UnknownNames {
    private UnknownNames() {}

    /** {@code "; did you mean x?"} if a known name is near, otherwise the list of the known names. */
    static String suggestion(String wrong, Collection<String> known) {
        return Nearest.of(wrong, known)
                .map(name -> "; did you mean " + name + "?")
                .orElseGet(() -> "; known are "
                        + String.join(", ", known.stream().sorted().toList()));
    }
}
