package switchboard.config;

import java.util.Map;

/**
 * Values from the command line that replace those of the file.
 *
 * @param values by the path of the key ({@code server.port}): the option and its text
 */
public record Overrides(Map<String, Flag> values) {
    /** No options. */
    public static final Overrides NONE = new Overrides(Map.of());

    public Overrides {
        values = Map.copyOf(values);
    }

    /**
     * A command-line option.
     *
     * @param name with dashes, for messages
     * @param text its value, parsed like a value in the file
     */
    public record Flag(String name, String text) {}
}
