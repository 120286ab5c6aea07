package switchboard.http;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the bytes of request bodies in memory: in total, and for each team to half of the total, so that one team
 * leaves room for others. Thread-safe; never waits.
 */
public final class BodyMemoryLimiter {
    private final long most;
    private final Map<String, Long> byTeam = new HashMap<>();
    private long held;

    /** A limiter for at most {@code most} bytes. */
    public BodyMemoryLimiter(long most) {
        this.most = most;
    }

    /** The number of bytes in memory. */
    public synchronized long held() {
        return held;
    }

    /** Starts a body of the team {@code team}, with no bytes yet. */
    Reservation body(String team) {
        return new Reservation(team);
    }

    private synchronized boolean take(String team, int bytes) {
        long ofTeam = byTeam.getOrDefault(team, 0L) + bytes;
        if (held + bytes > most || ofTeam > most / 2) {
            return false;
        }
        held += bytes;
        byTeam.put(team, ofTeam);
        return true;
    }

    private synchronized void giveBack(String team, long bytes) {
        held -= bytes;
        byTeam.computeIfPresent(team, (_, ofTeam) -> ofTeam == bytes ? null : ofTeam - bytes);
    }

    /** The bytes of one body. Used on one event loop only. Must be closed when the body is no longer needed. */
    final class Reservation implements AutoCloseable {
        private final String team;
        private long bytes;

        private Reservation(String team) {
            this.team = team;
        }

        /** Reserves {@code more} bytes; returns whether there was room. */
        boolean grow(int more) {
            if (!take(team, more)) {
                return false;
            }
            bytes += more;
            return true;
        }

        /** Releases the bytes. Further calls do nothing. */
        @Override
        public void close() {
            giveBack(team, bytes);
            bytes = 0;
        }
    }
}
