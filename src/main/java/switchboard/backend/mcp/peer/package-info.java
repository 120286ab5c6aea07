/** The client side of MCP in both eras: transports, sessions, and what a server may say while it answers. */
@NullMarked
package switchboard.backend.mcp.peer;

import org.jspecify.annotations.NullMarked;
