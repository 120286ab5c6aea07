package switchboard.http;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The deadlines of one event loop by their length; there are as few lengths as settings. Used on that loop only. */
final class Timeouts {
    private final Vertx vertx;
    private final Map<Duration, Deadlines> byLength = new HashMap<>();

    Timeouts(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Those that are {@code length} away when they begin. */
    Deadlines of(Duration length) {
        return byLength.computeIfAbsent(length, _ -> new Deadlines(vertx, length));
    }
}
