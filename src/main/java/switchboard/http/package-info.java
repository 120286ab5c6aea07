/** MCP over HTTP: the server, who and what it lets in, answers as JSON or as a stream of events; the management port. */
@NullMarked
package switchboard.http;

import org.jspecify.annotations.NullMarked;
