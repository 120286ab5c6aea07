/** MCP, independent of the transport: decoding, era detection, methods; {@link switchboard.protocol.ReplySink} is the port that transports implement. */
@NullMarked
package switchboard.protocol;

import org.jspecify.annotations.NullMarked;
