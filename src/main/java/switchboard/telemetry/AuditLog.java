package switchboard.telemetry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.call.Redaction;
import switchboard.text.SurrogatePairs;

/**
 * Writes one JSON line for every request of an authenticated caller, every change of keys in the console and every failed
 * authentication: caller, origin, subject, resources, decision, outcome. It never contains credentials or results. Thread-safe; does not wait.
 */
public final class AuditLog implements AutoCloseable {
    private static final String LOGGER = "switchboard.audit";

    /** Maximum number of resources of a call that are written. */
    private static final int MAX_RESOURCES = 32;

    private static final int MAX_RESOURCE_CHARS = 200;
    private static final int MAX_NAMES = 1_000;
    private static final int LINE_BYTES = 1024;
    private static final Pattern VIEW = Pattern.compile("[a-z0-9_-]{0,31}");
    private static final double NANOS_PER_MS = 1e6;

    /** How a tool's arguments are written. */
    public enum ArgumentDetail {
        /** Arguments are not recorded. */
        NONE,
        /** The SHA-256 of their JSON with sorted keys, so that equal arguments can be recognized. */
        HASH,
        /** With secrets and e-mail addresses replaced. */
        REDACTED,
        /** The arguments as they are. */
        FULL
    }

    /** Where the lines are written. */
    public enum Position {
        /** To a destination of their own. */
        OWN,
        /** Together with the lines of the log, in the same format. */
        LOG
    }

    private final AuditWriter writer;
    private final Position position;
    private final ArgumentDetail arguments;
    private final Clock clock;

    /**
     * Names as they are written, by the names that callers gave: shortened and redacted. Cached, because looking for
     * secrets in a name is the most expensive part of a line.
     */
    private final LoadingCache<String, String> names =
            Caffeine.newBuilder().maximumSize(MAX_NAMES).executor(Runnable::run).build(Redaction.SECRETS::text);

    /** A log with times of {@code clock}. */
    public AuditLog(AuditWriter writer, Position position, ArgumentDetail arguments, Clock clock) {
        this.writer = writer;
        this.position = position;
        this.arguments = arguments;
        this.clock = clock;
    }

    /** Writes the line of {@code event}. */
    public void record(AuditEvent event) {
        Instant now = clock.instant();
        switch (event) {
            case AuditEvent.Call call -> {
                FinishedRequest request = call.request();
                ObjectNode all = arguments == ArgumentDetail.NONE
                        ? null
                        : request.subject().arguments();
                byte[] given = all == null ? null : Json.sortedBytes(all);
                writer.write(LINE_BYTES + (given == null ? 0 : given.length), () -> line(now, request, given));
            }
            case AuditEvent.Limited limited -> writer.write(LINE_BYTES, () -> line(now, limited));
            case AuditEvent.ConsoleChange change -> writer.write(LINE_BYTES, () -> line(now, change));
            case AuditEvent.AuthenticationFailed refused -> writer.write(LINE_BYTES, () -> line(now, refused));
        }
    }

    /** Whether lines of requests that begin now will be kept. */
    public boolean keepsUp() {
        return writer.keepsUp();
    }

    /** Why lines can't be written at the moment; empty if they can. */
    public Optional<String> problem() {
        return writer.problem();
    }

    @Override
    public void close() {
        writer.close();
    }

    private byte[] line(Instant time, FinishedRequest request, byte @Nullable [] given) {
        ObjectNode line = head(time, "call", request.source());
        FinishedRequest.Subject subject = request.subject();
        put(line, request.caller()).put("method", subject.method());
        String tool = subject.tool() == null ? subject.unknownTool() : subject.tool();
        if (tool != null) {
            line.put("tool", names.get(shortened(tool)));
        }
        if (!request.caller().claims().isEmpty()) {
            request.caller().claims().forEach(line.putArray("claims")::add);
        }
        if (!subject.resources().isEmpty()) {
            subject.resources().stream()
                    .limit(MAX_RESOURCES)
                    .map(AuditLog::shortened)
                    .map(names::get)
                    .forEach(line.putArray("resources")::add);
        }
        if (given != null) {
            put(line, given);
        }
        FinishedRequest.Outcome outcome = request.outcome();
        line.put("decision", outcome.decision().name().toLowerCase(Locale.ROOT));
        line.put("outcome", outcome.error() == null ? "ok" : outcome.error().toLowerCase(Locale.ROOT));
        if (outcome.code() != null) {
            line.put("code", outcome.code());
        }
        line.put("ms", request.duration().toNanos() / NANOS_PER_MS).put("bytes", request.resultBytes());
        return bytes(line);
    }

    private byte[] line(Instant time, AuditEvent.Limited limited) {
        return bytes(put(head(time, "call", limited.source()), limited.caller())
                .put("decision", "limited")
                .put("outcome", limited.limit())
                .put("calls", limited.calls()));
    }

    private byte[] line(Instant time, AuditEvent.ConsoleChange change) {
        String event = change.method().substring(0, change.method().indexOf('/'));
        ObjectNode line =
                put(head(time, event, change.source()), change.caller()).put("method", change.method());
        if (!change.subject().isEmpty()) {
            line.putArray("resources").add(names.get(shortened(change.subject())));
        }
        return bytes(
                line.put("decision", change.allowed() ? "allowed" : "denied").put("outcome", change.outcome()));
    }

    private byte[] line(Instant time, AuditEvent.AuthenticationFailed refused) {
        return bytes(head(time, "authentication", refused.source())
                .put("decision", "refused")
                .put("outcome", refused.reason()));
    }

    private ObjectNode head(Instant time, String event, RequestSource source) {
        ObjectNode line =
                switch (position) {
                    case OWN -> Json.object().put("time", time.toString());
                    case LOG -> LogLine.of(time, "INFO", LOGGER, "audit");
                };
        line.put("event", event).put("requestId", source.requestId());
        if (source.traceId() != null) {
            line.put("traceId", source.traceId());
        }
        return line.put("address", source.address()).put("view", view(source.view()));
    }

    private static ObjectNode put(ObjectNode line, RequestCaller caller) {
        return line.put("team", caller.team()).put("key", caller.key());
    }

    private void put(ObjectNode line, byte[] given) {
        switch (arguments) {
            case NONE -> {}
            case HASH -> line.put("argumentsSha256", DigestUtils.sha256Hex(given));
            case REDACTED -> line.set("arguments", Redaction.STANDARD.tree(parsed(given)));
            case FULL -> line.set("arguments", parsed(given));
        }
    }

    private static ObjectNode parsed(byte[] json) {
        try {
            return (ObjectNode) Json.parse(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what was written can be read", e);
        }
    }

    /**
     * The view to write. A caller that is not authenticated may have sent anything, even a key, so a text that is not
     * a valid view name is not written.
     */
    private static String view(String asked) {
        return VIEW.matcher(asked).matches() ? asked : "other";
    }

    private static String shortened(String name) {
        return name.length() <= MAX_RESOURCE_CHARS ? name : SurrogatePairs.start(name, MAX_RESOURCE_CHARS) + "...";
    }

    private static byte[] bytes(ObjectNode line) {
        byte[] json = Json.bytes(line);
        byte[] whole = Arrays.copyOf(json, json.length + 1);
        whole[json.length] = '\n';
        return whole;
    }
}
