package switchboard.catalog;

/**
 * A tool in a view.
 *
 * @param name its name in this view
 * @param backend the id of its backend
 * @param descriptor its description; {@link ToolDescriptor#name()} is its name at the backend
 * @param json its entry in {@code tools/list}, encoded once; must not be changed
 * @param validator validates arguments with {@link ToolDescriptor#inputSchema()}
 */
public record PublishedTool(
        String name, String backend, ToolDescriptor descriptor, byte[] json, ArgumentValidator validator) {}
