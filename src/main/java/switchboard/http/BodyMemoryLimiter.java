package switchboard.http;

import java.util.HashMap;
import java.util.Map;

/**
 * The request bodies that are in memory now, whose bytes are bounded: in all, and for each team to half of that, so that
 * one team leaves room for the others. Thread-safe; never waits.
 */
public final class BodyMemoryLimiter {
    private final long most;
    private final Map<String, Long> byTeam = new HashMap<>();
    private long held;

    /** Nothing held, and at most {@code most} bytes. */
    public BodyMemoryLimiter(long most) {
        this.most = most;
    }

    /** How many bytes are held. */
    public synchronized long held() {
        return held;
    }

    /** A body of a member of {@code team}, of which nothing has come yet. */
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

    /** One body. Used on one event loop only; must be closed once nobody needs its bytes. */
    final class Reservation implements AutoCloseable {
        private final String team;
        private long bytes;

        private Reservation(String team) {
            this.team = team;
        }

        /** Whether there is room for {@code more} bytes of it; if so they are counted. */
        boolean grow(int more) {
            if (!take(team, more)) {
                return false;
            }
            bytes += more;
            return true;
        }

        /** Its bytes are no longer needed; further calls do nothing. */
        @Override
        public void close() {
            giveBack(team, bytes);
            bytes = 0;
        }
    }
}
