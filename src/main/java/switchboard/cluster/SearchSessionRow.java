package switchboard.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * A search session.
 *
 * @param times its times, by the database's clock
 * @param context the values that it keeps; empty for none
 * @param queries its searches; empty for none
 * @param seen the results that it has seen; empty for none
 */
public record SearchSessionRow(UUID id, Duration ttl, Times times, byte[] context, byte[] queries, byte[] seen) {
    /**
     * When a session was begun and used.
     *
     * @param now when the row was read
     */
    public record Times(Instant created, Instant used, Instant now) {}

    /** Whether it was not used for its time to live. */
    public boolean expired() {
        return !times.now().isBefore(times.used().plus(ttl));
    }

    /** The same, used now. */
    public SearchSessionRow usedNow() {
        return new SearchSessionRow(
                id, ttl, new Times(times.created(), times.now(), times.now()), context, queries, seen);
    }

    /** The same with other values. */
    public SearchSessionRow withContext(byte[] other) {
        return new SearchSessionRow(id, ttl, times, other, queries, seen);
    }

    /** The same after another search. */
    public SearchSessionRow searched(byte[] otherQueries, byte[] otherSeen) {
        return new SearchSessionRow(id, ttl, times, context, otherQueries, otherSeen);
    }
}
