/** Metrics, tracing, the request log and the audit log. */
@NullMarked
package switchboard.telemetry;

import org.jspecify.annotations.NullMarked;
