/** The backend type {@code mcp}: another MCP server, old or new, over Streamable HTTP or standard input and output. */
@NullMarked
package switchboard.backend.mcp;

import org.jspecify.annotations.NullMarked;
