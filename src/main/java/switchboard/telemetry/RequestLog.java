package switchboard.telemetry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One JSON line for each MCP request, to the logger {@value #LOGGER}: who, what, how long, how it ended; never what was
 * asked or answered. The line is the whole message; {@code conf/logback.xml} says where it goes. Thread-safe.
 */
public final class RequestLog {
    /** The logger's name. */
    public static final String LOGGER = "switchboard.requests";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final double NANOS_PER_MS = 1e6;

    private final Clock clock;

    /** A log with times of {@code clock}. */
    public RequestLog(Clock clock) {
        this.clock = clock;
    }

    /** Writes the line of {@code operation}, which the gateway calls {@code requestId}; the audit log does, too. */
    public void record(Operation operation, String requestId) {
        if (LOG.isInfoEnabled()) {
            LOG.info(line(operation, requestId));
        }
    }

    private String line(Operation operation, String requestId) {
        Operation.Origin origin = operation.origin();
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.put("time", clock.instant().toString()).put("requestId", requestId).put("method", operation.method());
        if (operation.tool() != null) {
            line.put("tool", operation.tool());
        }
        line.put("outcome", operation.error() == null ? "ok" : operation.error().toLowerCase(Locale.ROOT));
        line.put("ms", operation.duration().toNanos() / NANOS_PER_MS);
        line.put("team", origin.team()).put("principal", origin.principal());
        line.put("view", origin.view()).put("transport", origin.transport());
        line.put("version", origin.version());
        if (origin.traceId() != null) {
            line.put("traceId", origin.traceId());
        }
        return line.toString();
    }
}
