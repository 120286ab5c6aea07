/** The methods that both eras of MCP have: tools, resources, prompts, completion. */
@NullMarked
package switchboard.protocol.method;

import org.jspecify.annotations.NullMarked;
