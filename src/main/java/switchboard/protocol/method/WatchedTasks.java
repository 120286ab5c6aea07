package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;
import switchboard.call.BackendReply;
import switchboard.dispatch.PendingCall;
import switchboard.task.Task;

/**
 * The tasks of other servers that streams listen to. However many streams there are, the server is asked for each task once at
 * a time, as often as it wants to be asked, and less often while it fails. Thread-safe.
 */
final class WatchedTasks {
    private static final int MOST_PER_CALLER = 20;
    private static final long SHORTEST_NANOS =
            Duration.ofMillis(Task.POLL_INTERVAL_MS).toNanos();
    private static final long LONGEST_NANOS = Duration.ofMinutes(1).toNanos();

    /** A clock tick that comes a little early still counts. */
    private static final long EARLY_NANOS = Duration.ofMillis(100).toNanos();

    private static final int MOST_DOUBLINGS = 6;

    private final LongSupplier nanos;
    private final Map<String, Watched> watched = new HashMap<>();

    /** No tasks yet; {@code nanos} is a steady clock in nanoseconds. */
    WatchedTasks(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A task that somebody listens to. */
    private static final class Watched {
        private final PrincipalId owner;
        private int listeners;
        private Future<ObjectNode> last = Future.failedFuture("nobody has asked yet");
        private @Nullable PendingCall asking;
        private boolean asked;
        private long next;
        private int failures;

        Watched(PrincipalId owner) {
            this.owner = owner;
        }
    }

    private long of(PrincipalId owner) {
        return watched.values().stream().filter(one -> one.owner.equals(owner)).count();
    }

    /** Begins to listen to the task {@code id} of {@code owner}; false if it listens to too many. */
    synchronized boolean join(PrincipalId owner, String id) {
        if (!watched.containsKey(id) && of(owner) >= MOST_PER_CALLER) {
            return false;
        }
        watched.computeIfAbsent(id, _ -> new Watched(owner)).listeners++;
        return true;
    }

    /** Ends what {@link #join} has begun. After the last listener nobody waits for an answer. */
    void leave(String id) {
        PendingCall asking = null;
        synchronized (this) {
            Watched one = watched.get(id);
            if (one != null && --one.listeners == 0) {
                watched.remove(id);
                asking = one.asking;
            }
        }
        if (asking != null) {
            asking.cancel();
        }
    }

    /**
     * The last answer of the task's server, or the next one if it is time to ask.
     *
     * @param send asks it
     * @param read reads the reply; throws if it is a failure
     */
    Future<ObjectNode> answer(String id, Supplier<PendingCall> send, Function<BackendReply, ObjectNode> read) {
        Watched one;
        Promise<ObjectNode> answer = Promise.promise();
        synchronized (this) {
            one = watched.get(id);
            if (one == null) {
                return Future.failedFuture("nobody listens any more");
            }
            if (one.asked && (one.asking != null || nanos.getAsLong() - one.next < 0)) {
                return one.last;
            }
            one.asked = true;
            one.last = answer.future();
            one.next = nanos.getAsLong() + LONGEST_NANOS;
        }
        PendingCall sent = send.get();
        synchronized (this) {
            one.asking = sent;
        }
        sent.reply().map(read).onComplete(done -> {
            answered(one, done.succeeded() ? done.result() : null);
            answer.handle(done);
        });
        return answer.future();
    }

    private synchronized void answered(Watched one, @Nullable ObjectNode answer) {
        one.asking = null;
        one.failures = answer == null ? Math.min(one.failures + 1, MOST_DOUBLINGS) : 0;
        one.next = nanos.getAsLong() + (answer == null ? SHORTEST_NANOS << one.failures : pause(answer)) - EARLY_NANOS;
    }

    private static long pause(JsonNode answer) {
        long wanted = Duration.ofMillis(
                        Math.max(0, answer.path("pollIntervalMs").asInt()))
                .toNanos();
        return Math.clamp(wanted, SHORTEST_NANOS, LONGEST_NANOS);
    }
}
