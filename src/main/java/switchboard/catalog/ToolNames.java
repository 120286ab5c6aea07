package switchboard.catalog;

import java.util.regex.Pattern;

/** The names of tools. */
public final class ToolNames {
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private ToolNames() {}

    /** Whether every model API takes a tool of that name. */
    public static boolean usable(String name) {
        return USABLE.matcher(name).matches();
    }
}
