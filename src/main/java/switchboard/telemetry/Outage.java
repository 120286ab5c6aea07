package switchboard.telemetry;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Tells the log when something goes down and when it is back, with how long that took: once each. Thread-safe. */
public final class Outage {
    private final Logger log;
    private final String what;
    private final Clock clock;
    private @Nullable Instant since;

    /** Of {@code what}, as lines name it; it is taken for well. */
    public Outage(Logger log, String what, Clock clock) {
        this.log = log;
        this.what = what;
        this.clock = clock;
    }

    /** Whether it is down. */
    public synchronized boolean lasts() {
        return since != null;
    }

    /** It can't be used for {@code reason}, which must be safe to show. */
    public synchronized void begins(String reason) {
        if (since == null) {
            since = clock.instant();
            log.warn("{} is down: {}", what, reason);
        }
    }

    /** It is well. */
    public synchronized void ends() {
        Instant began = since;
        if (began != null) {
            since = null;
            Duration down = Duration.between(began, clock.instant());
            log.info("{} is back after {} s", what, Math.max(0, down.toSeconds()));
        }
    }
}
