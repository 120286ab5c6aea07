package switchboard.telemetry;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Json;

/**
 * Writes one JSON line for each MCP request to the logger {@value #LOGGER}: caller, subject, duration, outcome; never
 * arguments or results. Lines gather for 10 ms, and a log message contains one or several lines, because a write for
 * each costs more than the line. {@code conf/logback.xml} decides where they go. Lines are dropped while that is too
 * slow. Thread-safe; only {@link #close} waits.
 */
public final class RequestLog implements AutoCloseable {
    /** The logger's name. */
    public static final String LOGGER = "switchboard.requests";

    private static final Logger LINES = LoggerFactory.getLogger(LOGGER);
    private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);
    private static final double NANOS_PER_MS = 1e6;
    private static final int LINE_BYTES = 512;
    private static final int MAX_WAITING_BYTES = 8192 * LINE_BYTES;

    private final Clock clock;
    private final LineQueue queue = new LineQueue("request-log", MAX_WAITING_BYTES, new Messages());

    /** A log with times of {@code clock}. */
    public RequestLog(Clock clock) {
        this.clock = clock;
    }

    /** Writes the line of a request. {@code requestId} is the same as in the audit log. */
    public void record(RequestRecord requestRecord, String requestId) {
        if (LINES.isInfoEnabled()) {
            Instant now = clock.instant();
            queue.offer(LINE_BYTES, () -> line(now, requestRecord, requestId));
        }
    }

    /** Writes the queued lines, for a few seconds at most, and ends. */
    @Override
    public void close() {
        queue.close();
    }

    private static byte[] line(Instant time, RequestRecord requestRecord, String requestId) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(LINE_BYTES);
        try (JsonGenerator line = Json.mapper().getFactory().createGenerator(bytes)) {
            RequestRecord.RequestOrigin origin = requestRecord.origin();
            line.writeStartObject();
            line.writeStringField(LogLine.TS, LogLine.time(time));
            line.writeStringField(LogLine.LEVEL, "INFO");
            line.writeStringField(LogLine.LOGGER, LOGGER);
            line.writeStringField(LogLine.MESSAGE, "request");
            line.writeStringField("requestId", requestId);
            line.writeStringField("method", requestRecord.method());
            if (requestRecord.tool() != null) {
                line.writeStringField("tool", requestRecord.tool());
            }
            line.writeStringField(
                    "outcome",
                    requestRecord.error() == null ? "ok" : requestRecord.error().toLowerCase(Locale.ROOT));
            if (requestRecord.code() != null) {
                line.writeNumberField("code", requestRecord.code());
            }
            line.writeNumberField("ms", requestRecord.duration().toNanos() / NANOS_PER_MS);
            line.writeStringField("team", origin.team());
            line.writeStringField("principal", origin.principal());
            line.writeStringField("view", origin.view());
            line.writeStringField("transport", origin.transport());
            line.writeStringField("version", origin.version());
            if (origin.traceId() != null) {
                line.writeStringField("traceId", origin.traceId());
            }
            line.writeEndObject();
            line.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes to the logger, which ends a message with a line feed itself. */
    private static final class Messages implements LineQueue.Sink {
        @Override
        public boolean write(List<byte[]> lines) {
            ByteArrayOutputStream message = new ByteArrayOutputStream(lines.size() * LINE_BYTES);
            lines.forEach(message::writeBytes);
            LINES.info(new String(message.toByteArray(), 0, message.size() - 1, StandardCharsets.UTF_8));
            return true;
        }

        @Override
        public void unmade(RuntimeException why) {
            LOG.error("a line of the request log could not be made", why);
        }
    }
}
