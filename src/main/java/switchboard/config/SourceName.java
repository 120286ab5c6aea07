package switchboard.config;

import java.util.regex.Pattern;

/** The names of sources that the configuration declares. They are parts of addresses and of grants, in which * means any. */
public final class SourceName {
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]{1,100}");

    private SourceName() {}

    /**
     * Checks {@code name}.
     *
     * @throws IllegalArgumentException with a message for the operator
     */
    public static void check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the source name \"" + name + "\" must be 1 to 100 letters, digits, dots, _ or -");
        }
    }
}
