package switchboard.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * A bounded number of places and a bounded queue before them. A team holds no more of either than its share; teams that
 * wait get places in turn, each first come, first served. Not thread-safe: its owner guards it.
 *
 * @param <W> what waits
 */
public final class FairQueue<W> {
    private final IntSupplier bound;
    private final int mostWaiting;
    private final TeamShare share;
    private final Map<String, Integer> held = new HashMap<>();

    /** Those that wait by team, the team whose turn it is first; no team without any. */
    private final Map<String, Deque<W>> queues = new LinkedHashMap<>();

    private int taken;
    private int waiting;

    /**
     * Places, all free.
     *
     * @param bound how many there are; may change
     * @param mostWaiting how many may wait
     */
    public FairQueue(IntSupplier bound, int mostWaiting, TeamShare share) {
        this.bound = bound;
        this.mostWaiting = mostWaiting;
        this.share = share;
    }

    /** How many places are taken. */
    public int taken() {
        return taken;
    }

    /** How many the team {@code team} holds. */
    public int taken(String team) {
        return held.getOrDefault(team, 0);
    }

    /** How many wait. */
    public int waiting() {
        return waiting;
    }

    /** How many of the team {@code team} wait. */
    public int waiting(String team) {
        Deque<W> queue = queues.get(team);
        return queue == null ? 0 : queue.size();
    }

    /** Takes a place, unless there is none for the team, or somebody has waited for it before. */
    public boolean enter(String team) {
        if (!room(team) || queues.keySet().stream().anyMatch(this::room)) {
            return false;
        }
        take(team);
        return true;
    }

    /** Has {@code waiter} wait, unless too many do. */
    public boolean queue(String team, W waiter) {
        if (waiting >= mostWaiting || waiting(team) >= share.of(mostWaiting)) {
            return false;
        }
        queues.computeIfAbsent(team, _ -> new ArrayDeque<>()).add(waiter);
        waiting++;
        return true;
    }

    /** Takes {@code waiter} back; false when it has got a place already, or never waited. */
    public boolean leaveQueue(String team, W waiter) {
        Deque<W> queue = queues.get(team);
        if (queue == null || !queue.remove(waiter)) {
            return false;
        }
        waiting--;
        if (queue.isEmpty()) {
            queues.remove(team);
        }
        return true;
    }

    /** Takes all back that wait. */
    public List<W> clearQueue() {
        List<W> all = new ArrayList<>();
        queues.values().forEach(all::addAll);
        queues.clear();
        waiting = 0;
        return all;
    }

    /** Gives a place of the team back. */
    public void leave(String team) {
        taken--;
        held.computeIfPresent(team, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Gives a free place to the next that waits, if there are both. */
    public Optional<W> next() {
        for (Iterator<Map.Entry<String, Deque<W>>> turns = queues.entrySet().iterator(); turns.hasNext(); ) {
            Map.Entry<String, Deque<W>> turn = turns.next();
            String team = turn.getKey();
            Deque<W> queue = turn.getValue();
            if (room(team)) {
                W next = queue.remove();
                waiting--;
                turns.remove();
                if (!queue.isEmpty()) {
                    queues.put(team, queue);
                }
                take(team);
                return Optional.of(next);
            }
        }
        return Optional.empty();
    }

    private boolean room(String team) {
        int all = bound.getAsInt();
        return taken < all && taken(team) < share.of(all);
    }

    private void take(String team) {
        taken++;
        held.merge(team, 1, Integer::sum);
    }
}
