/**
 * MCP over HTTP: the server, checks of requests and credentials, answers as JSON or event stream, and the management
 * port.
 */
@NullMarked
package switchboard.http;

import org.jspecify.annotations.NullMarked;
