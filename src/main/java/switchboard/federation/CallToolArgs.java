package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The arguments of {@code call_tool}. The protocol itself calls the named tool, so all checks of a call apply.
 *
 * @param name the tool, as {@code find_tools} names it
 * @param arguments its arguments
 */
public record CallToolArgs(String name, ObjectNode arguments) {}
