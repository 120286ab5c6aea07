package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The arguments of {@code call_tool}. The tool is called by the protocol itself, so that nothing that a call goes through
 * is left out.
 *
 * @param name the tool, as {@code find_tools} names it
 * @param arguments its arguments
 */
public record CallToolArgs(String name, ObjectNode arguments) {}
