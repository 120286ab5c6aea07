package switchboard.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Waits until the other nodes have read a notice, so that the client's next request finds what the last one changed, wherever it arrives. Only
 * for a moment: a node that does not answer finds out by polling. Thread-safe.
 */
final class Acknowledgements {
    private static final long LONGEST_MS = 250;

    private final Vertx vertx;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<String, Waiting> open = new ConcurrentHashMap<>();

    /** The nodes that have not answered yet. */
    private record Waiting(Set<String> nodes, Promise<Void> over) {}

    /** A notice that is waited for. */
    record Expected(String number, Future<Void> over) {}

    Acknowledgements(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Expects an answer of each of {@code nodes}. */
    Expected of(Set<String> nodes) {
        String number = Long.toString(numbers.incrementAndGet());
        if (nodes.isEmpty()) {
            return new Expected(number, Future.succeededFuture());
        }
        Waiting waiting = new Waiting(ConcurrentHashMap.newKeySet(), Promise.promise());
        waiting.nodes().addAll(nodes);
        open.put(number, waiting);
        long timer = vertx.setTimer(LONGEST_MS, _ -> waiting.over().tryComplete());
        return new Expected(number, waiting.over().future().andThen(_ -> {
            open.remove(number);
            vertx.cancelTimer(timer);
        }));
    }

    /** The node {@code node} has read the notice {@code number}. */
    void arrived(String number, String node) {
        Waiting waiting = open.get(number);
        if (waiting != null && waiting.nodes().remove(node) && waiting.nodes().isEmpty()) {
            waiting.over().tryComplete();
        }
    }
}
