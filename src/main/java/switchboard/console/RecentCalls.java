package switchboard.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The last calls, for those who watch them. Readers take them from here at their own pace, so that a slow one holds no
 * memory: it misses calls, and learns how many. Thread-safe; adding a call is cheap, and does not wait for readers.
 */
public final class RecentCalls {
    /** How many calls are kept. */
    public static final int KEPT = 1000;

    /** How many of them somebody sees who begins to watch. */
    public static final int AT_FIRST = 500;

    private static final int RUN_CHARS = 8;

    private final String run = UUID.randomUUID().toString().substring(0, RUN_CHARS);
    private final String gateway;
    private final KeptCall[] ring = new KeptCall[KEPT];
    private final Map<String, Long> ofTeams = new HashMap<>();
    private final List<Runnable> atEnd = new ArrayList<>();
    private final Map<String, Long> lostAt = new HashMap<>();
    private long added;
    private long total;
    /** The place of the last call that was not kept, or is not any more. */
    private long gone;
    /** How often calls were lost of which nobody knows the teams; each counts as one of every team. */
    private long losses;

    private boolean over;

    /** No calls yet, of a gateway by itself. */
    public RecentCalls() {
        this("");
    }

    /**
     * No calls yet.
     *
     * @param gateway the name of the gateway, which its own calls have; {@code ""} for none
     */
    RecentCalls(String gateway) {
        this.gateway = gateway;
    }

    /** A call with its place among all calls, and among those of its team. Its JSON is made once, for all readers. */
    private static final class KeptCall {
        private final WatchedCall call;
        private final long place;
        private final long placeOfTeam;
        private volatile byte @Nullable [] json;

        private KeptCall(WatchedCall call, long place, long placeOfTeam) {
            this.call = call;
            this.place = place;
            this.placeOfTeam = placeOfTeam;
        }

        private long place(CallAudience audience) {
            return audience instanceof CallAudience.OfTeam ? placeOfTeam : place;
        }

        private byte[] json(String gateway) {
            byte[] made = json;
            if (made == null) {
                made = call.json(gateway);
                json = made;
            }
            return made;
        }
    }

    /**
     * A call as it is sent.
     *
     * @param place its place for this audience, from which one goes on after it
     * @param json what is shown of it
     */
    public record ShownCall(long place, byte[] json) {}

    /**
     * Calls that an audience has not seen yet.
     *
     * @param calls the oldest one first
     * @param missed how many it will not see any more, before these; {@link #SOME} if nobody knows how many
     * @param place where to go on
     */
    public record NewCalls(List<ShownCall> calls, long missed, long place) {
        /** There were calls that are not kept any more; perhaps some that this audience would have seen. */
        public static final long SOME = -1;

        public NewCalls {
            calls = List.copyOf(calls);
        }
    }

    /** Tells places of this process from those of another one. */
    public String run() {
        return run;
    }

    /** Adds a call. */
    public synchronized void add(WatchedCall call) {
        total++;
        added++;
        long ofTeam = ofTeams.merge(call.team(), 1L, Long::sum);
        int slot = (int) (added % KEPT);
        KeptCall before = ring[slot];
        if (before != null) {
            gone = Math.max(gone, before.place);
        }
        ring[slot] = new KeptCall(call, total, ofTeam + losses);
    }

    /** Notes that there were calls of {@code teams} which are not kept. */
    synchronized void skip(Map<String, Long> teams) {
        teams.forEach((team, calls) -> {
            ofTeams.merge(team, calls, Long::sum);
            total += calls;
            gone = total;
        });
    }

    /** Notes that there were {@code calls} which are not kept, and of which nobody knows the teams. */
    synchronized void lose(long calls) {
        losses++;
        total += calls;
        gone = total;
        ofTeams.forEach((team, count) -> lostAt.put(team, count + losses));
    }

    /** Where it is now. */
    synchronized CallPosition position() {
        return new CallPosition(total, ofTeams);
    }

    /** What came after {@code from}, the newest {@code most} of it. */
    synchronized NextCalls next(CallPosition from, int most) {
        if (total == from.place()) {
            return new NextCalls(List.of(), Map.of(), from);
        }
        List<WatchedCall> calls = newest(total, (int) Math.min(most, total - from.place()));
        Map<String, Long> leftOut = new HashMap<>(ofTeams);
        from.teams().forEach((team, before) -> leftOut.merge(team, -before, Long::sum));
        calls.forEach(call -> leftOut.merge(call.team(), -1L, Long::sum));
        leftOut.values().removeIf(count -> count <= 0);
        return new NextCalls(calls, leftOut, position());
    }

    /** The newest {@code most} calls that are kept of those up to the place {@code last}, the oldest one first. */
    synchronized List<WatchedCall> newest(long last, int most) {
        Deque<WatchedCall> found = new ArrayDeque<>();
        for (long at = added; at >= oldest() && found.size() < most; at--) {
            KeptCall kept = ring[(int) (at % KEPT)];
            if (kept.place <= last) {
                found.addFirst(kept.call);
            }
        }
        return List.copyOf(found);
    }

    private long oldest() {
        return Math.max(1, added - KEPT + 1);
    }

    /** What {@code audience} sees first. */
    public NewCalls first(CallAudience audience) {
        return shown(audience, take(audience, 0, AT_FIRST), 0);
    }

    /**
     * What {@code audience} sees after {@code place}, the newest {@code most} of it.
     *
     * @param place the last place that it has seen
     */
    public NewCalls after(CallAudience audience, long place, int most) {
        Taken taken = take(audience, place, most);
        int count = taken.calls().size();
        long missed = taken.gap() ? NewCalls.SOME : taken.last() - place - count;
        return shown(audience, taken, audience instanceof CallAudience.OfBackends && !taken.gap() ? 0 : missed);
    }

    private NewCalls shown(CallAudience audience, Taken taken, long missed) {
        List<ShownCall> calls = taken.calls().stream()
                .map(kept -> new ShownCall(kept.place(audience), kept.json(gateway)))
                .toList();
        return new NewCalls(calls, missed, taken.last());
    }

    /**
     * Calls from the ring, the oldest one first.
     *
     * @param last the place of the last call that there is for the audience
     * @param gap whether there were others that are not among them, and nobody knows how many
     */
    private record Taken(List<KeptCall> calls, long last, boolean gap) {}

    /** The place of the last call that there is for {@code audience}. */
    public synchronized long last(CallAudience audience) {
        return audience instanceof CallAudience.OfTeam(String team) ? ofTeams.getOrDefault(team, 0L) + losses : total;
    }

    private synchronized Taken take(CallAudience audience, long place, int most) {
        long last = last(audience);
        Deque<KeptCall> found = new ArrayDeque<>();
        if (last == place) {
            return new Taken(List.of(), last, false);
        }
        boolean full = false;
        boolean reached = false;
        for (long at = added; at >= oldest() && !full && !reached; at--) {
            KeptCall kept = ring[(int) (at % KEPT)];
            if (audience.sees(kept.call)) {
                reached = kept.place(audience) <= place;
                full = !reached && found.size() == most;
                if (!reached && !full) {
                    found.addFirst(kept);
                }
            }
        }
        return new Taken(List.copyOf(found), last, uncounted(audience, place, full));
    }

    /** Whether nobody can say how many calls {@code audience} has not got after {@code place}. */
    private boolean uncounted(CallAudience audience, long place, boolean more) {
        return switch (audience) {
            case CallAudience.Everybody _ -> false;
            case CallAudience.OfTeam(String team) -> losses > 0 && lostAt.getOrDefault(team, losses) > place;
            case CallAudience.OfBackends _ -> more || gone > place;
        };
    }

    /** Calls {@code ended} when nobody watches any more; at once if that is so already. */
    public void atEnd(Runnable ended) {
        synchronized (this) {
            if (!over) {
                atEnd.add(ended);
                return;
            }
        }
        ended.run();
    }

    /** Nobody watches any more. */
    public void close() {
        List<Runnable> all;
        synchronized (this) {
            over = true;
            all = List.copyOf(atEnd);
            atEnd.clear();
        }
        all.forEach(Runnable::run);
    }
}
