package switchboard.replica;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import switchboard.store.Namespace;

/** Since when the files of libraries lack changes. Thread-safe. */
final class Lateness {
    private final Clock clock;
    private final Map<Namespace, Instant> since = new ConcurrentHashMap<>();

    Lateness(Clock clock) {
        this.clock = clock;
    }

    /** The files lack something, at least a change of {@code changed}. */
    void noticed(Namespace namespace, Instant changed) {
        since.putIfAbsent(namespace, changed);
    }

    /** The files lack everything, as was noticed; what is known already stays. */
    void noticedAll(Namespace namespace) {
        since.putIfAbsent(namespace, clock.instant());
    }

    /** The oldest change that the files lack is of {@code changed}. */
    void lacks(Namespace namespace, Instant changed) {
        since.put(namespace, changed);
    }

    /** The files lack everything. */
    void lacksAll(Namespace namespace) {
        since.put(namespace, clock.instant());
    }

    /** The files lack nothing that is known. */
    void none(Namespace namespace) {
        since.remove(namespace);
    }

    /** For how long; zero if nothing is lacking. */
    Duration of(Namespace namespace) {
        Instant begin = since.get(namespace);
        return begin == null ? Duration.ZERO : until(begin);
    }

    /** How long ago something was; the clock of the database may be ahead. */
    Duration until(Instant begin) {
        Duration past = Duration.between(begin, clock.instant());
        return past.isNegative() ? Duration.ZERO : past;
    }
}
