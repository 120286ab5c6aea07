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
    private final LineQueue<byte[]> queue = new LineQueue<>("request-log", MAX_WAITING_BYTES, new Messages());

    /** A log with times of {@code clock}. */
    public RequestLog(Clock clock) {
        this.clock = clock;
    }

    /** Writes the line of a request. */
    public void record(FinishedRequest request) {
        if (LINES.isInfoEnabled()) {
            Instant now = clock.instant();
            queue.offer(LINE_BYTES, () -> line(now, request));
        }
    }

    /** Writes the queued lines, for a few seconds at most, and ends. */
    @Override
    public void close() {
        queue.close();
    }

    private static byte[] line(Instant time, FinishedRequest request) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(LINE_BYTES);
        try (JsonGenerator line = Json.mapper().getFactory().createGenerator(bytes)) {
            FinishedRequest.Subject subject = request.subject();
            FinishedRequest.Outcome outcome = request.outcome();
            line.writeStartObject();
            line.writeStringField(LogLine.TS, LogLine.time(time));
            line.writeStringField(LogLine.LEVEL, "INFO");
            line.writeStringField(LogLine.LOGGER, LOGGER);
            line.writeStringField(LogLine.MESSAGE, "request");
            line.writeStringField("requestId", request.source().requestId());
            line.writeStringField("method", subject.method());
            if (subject.tool() != null) {
                line.writeStringField("tool", subject.tool());
            }
            line.writeStringField(
                    "outcome", outcome.error() == null ? "ok" : outcome.error().toLowerCase(Locale.ROOT));
            if (outcome.code() != null) {
                line.writeNumberField("code", outcome.code());
            }
            line.writeNumberField("ms", request.duration().toNanos() / NANOS_PER_MS);
            line.writeStringField("team", request.caller().team());
            line.writeStringField("principal", request.caller().key());
            line.writeStringField("view", request.source().view());
            line.writeStringField("transport", request.channel().transport());
            line.writeStringField("version", request.channel().version());
            String traceId = request.source().traceId();
            if (traceId != null) {
                line.writeStringField("traceId", traceId);
            }
            line.writeEndObject();
            line.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes to the logger, which ends a message with a line feed itself. */
    private static final class Messages implements LineQueue.Sink<byte[]> {
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
