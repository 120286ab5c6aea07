package switchboard.http;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The deadlines of one event loop by their length; there are as few lengths as settings. Used on that loop only. */
final class DeadlineQueues {
    private final Vertx vertx;
    private final Map<Duration, DeadlineQueue> byLength = new HashMap<>();

    DeadlineQueues(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Those that are {@code length} away when they begin. */
    DeadlineQueue of(Duration length) {
        return byLength.computeIfAbsent(length, _ -> new DeadlineQueue(vertx, length));
    }
}
