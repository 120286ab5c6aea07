package switchboard.config;

import java.util.Map;

/**
 * Values from the command line that replace those of the file.
 *
 * @param values by the path of the key ({@code server.port}): the flag they came from and their text
 */
public record Overrides(Map<String, Flag> values) {
    /** No flags. */
    public static final Overrides NONE = new Overrides(Map.of());

    public Overrides {
        values = Map.copyOf(values);
    }

    /**
     * One flag.
     *
     * @param name with dashes, for messages
     * @param text its value, read as a value in the file would be
     */
    public record Flag(String name, String text) {}
}
