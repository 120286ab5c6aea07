package switchboard.catalog;

/** The two tools of views for clients that can't take many: one finds tools, the other calls them. */
public final class ToolSearch {
    /** Whose tools they are. */
    public static final String BACKEND = "switchboard";

    /** Names the tools for a task. */
    public static final String FIND = "find_tools";

    /** Calls a tool by its name. */
    public static final String CALL = "call_tool";

    private ToolSearch() {}

    /** Whether {@code descriptor} of {@code backend} is one of the two. */
    public static boolean has(String backend, ToolDescriptor descriptor) {
        return backend.equals(BACKEND)
                && (descriptor.name().equals(FIND) || descriptor.name().equals(CALL));
    }

    /** Whether {@code tool} calls others. */
    public static boolean calls(PublishedTool tool) {
        return calls(tool.backend(), tool.descriptor());
    }

    static boolean calls(String backend, ToolDescriptor descriptor) {
        return backend.equals(BACKEND) && descriptor.name().equals(CALL);
    }
}
