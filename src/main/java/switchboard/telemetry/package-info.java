/** What operators see: metric names and registry, durations of MCP operations, the request log. */
@NullMarked
package switchboard.telemetry;

import org.jspecify.annotations.NullMarked;
