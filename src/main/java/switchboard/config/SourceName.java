package switchboard.config;

import java.util.Optional;
import java.util.regex.Pattern;

/** The names of sources that the configuration declares. They are parts of addresses and of grants, in which * means any. */
public final class SourceName {
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]{1,100}");

    private SourceName() {}

    /** What is wrong with {@code name}, for the operator; empty if nothing is. */
    public static Optional<String> problem(String name) {
        return NAME.matcher(name).matches()
                ? Optional.empty()
                : Optional.of("the source name \"" + name + "\" must be 1 to 100 letters, digits, dots, _ or -");
    }
}
