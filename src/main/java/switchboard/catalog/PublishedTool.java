package switchboard.catalog;

/**
 * A tool as one view shows it.
 *
 * @param name the name in this view
 * @param backend the id of the backend that answers it
 * @param descriptor what it is; {@link ToolDescriptor#name()} is the name that the backend knows
 * @param json the tool's entry in {@code tools/list}, encoded once; must not be changed
 * @param validator checks arguments against {@link ToolDescriptor#inputSchema()}
 */
public record PublishedTool(
        String name, String backend, ToolDescriptor descriptor, byte[] json, ArgumentValidator validator) {}
