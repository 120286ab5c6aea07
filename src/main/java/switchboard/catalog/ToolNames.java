package switchboard.catalog;

import java.util.regex.Pattern;

/** Rules for names of tools. */
public final class ToolNames {
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private ToolNames() {}

    /** Whether all model APIs accept that name. */
    public static boolean usable(String name) {
        return USABLE.matcher(name).matches();
    }
}
