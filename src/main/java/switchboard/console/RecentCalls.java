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
    private final KeptCall[] ring = new KeptCall[KEPT];
    private final Map<String, Long> ofTeams = new HashMap<>();
    private final List<Runnable> atEnd = new ArrayList<>();
    private long total;
    private boolean over;

    /** A call with its place among all calls, and among those of its team. Its JSON is made once, for all readers. */
    private static final class KeptCall {
        private final FinishedCall call;
        private final long place;
        private final long placeOfTeam;
        private volatile byte @Nullable [] json;

        private KeptCall(FinishedCall call, long place, long placeOfTeam) {
            this.call = call;
            this.place = place;
            this.placeOfTeam = placeOfTeam;
        }

        private long place(CallAudience audience) {
            return audience instanceof CallAudience.OfTeam ? placeOfTeam : place;
        }

        private byte[] json() {
            byte[] made = json;
            if (made == null) {
                made = call.json();
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
    public synchronized void add(FinishedCall call) {
        total++;
        long ofTeam = ofTeams.merge(call.caller().team(), 1L, Long::sum);
        ring[(int) (total % KEPT)] = new KeptCall(call, total, ofTeam);
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
        long missed = audience instanceof CallAudience.OfBackends
                ? taken.gap() ? NewCalls.SOME : 0
                : taken.last() - place - count;
        return shown(audience, taken, missed);
    }

    private static NewCalls shown(CallAudience audience, Taken taken, long missed) {
        List<ShownCall> calls = taken.calls().stream()
                .map(kept -> new ShownCall(kept.place(audience), kept.json()))
                .toList();
        return new NewCalls(calls, missed, taken.last());
    }

    /**
     * Calls from the ring, the oldest one first.
     *
     * @param last the place of the last call that there is for the audience
     * @param gap whether there were others before them that are not among them
     */
    private record Taken(List<KeptCall> calls, long last, boolean gap) {}

    /** The place of the last call that there is for {@code audience}. */
    public synchronized long last(CallAudience audience) {
        return audience instanceof CallAudience.OfTeam(String team) ? ofTeams.getOrDefault(team, 0L) : total;
    }

    private synchronized Taken take(CallAudience audience, long place, int most) {
        long last = last(audience);
        Deque<KeptCall> found = new ArrayDeque<>();
        long oldest = Math.max(1, total - KEPT + 1);
        if (last == place) {
            return new Taken(List.of(), last, false);
        }
        for (long at = total; at >= oldest; at--) {
            KeptCall kept = ring[(int) (at % KEPT)];
            if (audience.sees(kept.call)) {
                if (kept.place(audience) <= place) {
                    return new Taken(List.copyOf(found), last, false);
                }
                if (found.size() == most) {
                    return new Taken(List.copyOf(found), last, true);
                }
                found.addFirst(kept);
            }
        }
        return new Taken(List.copyOf(found), last, oldest > place + 1);
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
