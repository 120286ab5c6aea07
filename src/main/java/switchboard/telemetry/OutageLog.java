package switchboard.telemetry;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Logs once when a component goes down, and once when it is back, with the length of the outage. Thread-safe. */
public final class OutageLog {
    private final Logger log;
    private final String what;
    private final Clock clock;
    private @Nullable Instant since;

    /** For the component {@code what}, which is up at first. */
    public OutageLog(Logger log, String what, Clock clock) {
        this.log = log;
        this.what = what;
        this.clock = clock;
    }

    /** Reports that it is down. {@code reason} must be safe to show. */
    public synchronized void begins(String reason) {
        if (since == null) {
            since = clock.instant();
            log.warn("{} is down: {}", what, reason);
        }
    }

    /** Reports that it is up. */
    public synchronized void ends() {
        Instant began = since;
        if (began != null) {
            since = null;
            Duration down = Duration.between(began, clock.instant());
            log.info("{} is back after {} s", what, Math.max(0, down.toSeconds()));
        }
    }
}
