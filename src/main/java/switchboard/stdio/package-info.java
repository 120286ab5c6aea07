/** MCP over standard input and output: one JSON text on each line. */
@NullMarked
package switchboard.stdio;

import org.jspecify.annotations.NullMarked;
