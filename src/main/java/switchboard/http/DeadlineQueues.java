package switchboard.http;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The deadline queues of one event loop, by length. There are few lengths, because they come from the settings. Used
 * on that event loop only.
 */
final class DeadlineQueues {
    private final Vertx vertx;
    private final Map<Duration, DeadlineQueue> byLength = new HashMap<>();

    DeadlineQueues(Vertx vertx) {
        this.vertx = vertx;
    }

    /** The queue for deadlines of {@code length}. */
    DeadlineQueue of(Duration length) {
        return byLength.computeIfAbsent(length, _ -> new DeadlineQueue(vertx, length));
    }
}
