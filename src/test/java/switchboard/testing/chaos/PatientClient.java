package switchboard.testing.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.ToolResult;

/**
 * A client that does what the protocol says about a server that stops and comes back: it connects again where nobody
 * listens, waits where it is told to, opens a new session where the old one is unknown, and repeats an idempotent call
 * whose connection ended without an answer. Everything else is a failure.
 */
final class PatientClient implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Set<String> PASSING = Set.of("UNAVAILABLE", "OVERLOADED");

    private final URI url;
    private final boolean sessions;
    private final Patience patience;
    private @Nullable McpTestClient client;

    /** How often patience was needed, by why; calls without an answer by what became of their connection. */
    record Patience(
            LongAdder answered,
            LongAdder refused,
            Map<String, LongAdder> unanswered,
            LongAdder toldToWait,
            LongAdder newSessions) {
        Patience() {
            this(new LongAdder(), new LongAdder(), new ConcurrentHashMap<>(), new LongAdder(), new LongAdder());
        }

        void lost(IOException why) {
            if (why instanceof ConnectException) {
                refused.increment();
            } else {
                unanswered.computeIfAbsent(why.toString(), _ -> new LongAdder()).increment();
            }
        }
    }

    /** A client of {@code url}, of a version with {@code sessions} or of the one without. */
    PatientClient(URI url, boolean sessions, Patience patience) {
        this.url = url;
        this.sessions = sessions;
        this.patience = patience;
    }

    /** The answer to an idempotent call, however long that takes; a failure that is not a passing one fails the test. */
    ToolResult call(String tool, ObjectNode arguments) {
        ObjectNode params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        while (true) {
            try {
                ToolResult result = attempt(params);
                if (result != null) {
                    patience.answered.increment();
                    return result;
                }
            } catch (AssertionError noAnswer) {
                if (!(noAnswer.getCause() instanceof IOException why)) {
                    throw noAnswer;
                }
                patience.lost(why);
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    /** The answer, or null when it says to try again. */
    private @Nullable ToolResult attempt(ObjectNode params) {
        HttpReply reply = client().request("tools/call", params);
        if (reply.status() == 404 && sessions) {
            patience.newSessions.increment();
            close();
            return null;
        }
        if (reply.status() == 503 && !reply.header("Retry-After").isEmpty()) {
            patience.toldToWait.increment();
            LockSupport.parkNanos(PAUSE.toNanos());
            return null;
        }
        JsonNode message = reply.json();
        if (!message.has("result")) {
            throw new AssertionError(reply.status() + " " + message);
        }
        ToolResult result = new ToolResult(message.path("result"));
        if (PASSING.contains(result.errorKind()) && result.error().has("retryAfterMs")) {
            patience.toldToWait.increment();
            LockSupport.parkNanos(
                    Duration.ofMillis(result.error().path("retryAfterMs").asLong())
                            .toNanos());
            return null;
        }
        if (result.isError()) {
            throw new AssertionError(params + " answered " + result);
        }
        return result;
    }

    private McpTestClient client() {
        McpTestClient current = client;
        if (current == null) {
            current = sessions ? McpTestClient.legacy(url) : McpTestClient.modern(url);
            client = current;
        }
        return current;
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
            client = null;
        }
    }
}
