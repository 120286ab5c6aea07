package switchboard.catalog;

/** The two tools of views for clients that can't handle many: one finds tools, the other calls them. */
public final class ToolSearch {
    /** The id of their backend. */
    public static final String BACKEND = "switchboard";

    /** Finds tools for a task. */
    public static final String FIND = "find_tools";

    /** Calls a tool by name. */
    public static final String CALL = "call_tool";

    private ToolSearch() {}

    /** Whether {@code descriptor} of {@code backend} is one of the two. */
    public static boolean has(String backend, ToolDescriptor descriptor) {
        return backend.equals(BACKEND)
                && (descriptor.name().equals(FIND) || descriptor.name().equals(CALL));
    }

    /** Whether {@code tool} is {@link #CALL}. */
    public static boolean calls(PublishedTool tool) {
        return calls(tool.backend(), tool.descriptor());
    }

    static boolean calls(String backend, ToolDescriptor descriptor) {
        return backend.equals(BACKEND) && descriptor.name().equals(CALL);
    }
}
