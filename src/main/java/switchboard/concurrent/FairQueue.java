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
 * A bounded number of permits with a bounded queue. A team holds no more of either than its share. Waiting teams get
 * permits in turn; within a team it is first come, first served. Not thread-safe: the owner synchronizes.
 *
 * @param <W> the type of a waiter
 */
public final class FairQueue<W> {
    private final IntSupplier bound;
    private final int mostWaiting;
    private final TeamShare share;
    private final Map<String, Integer> held = new HashMap<>();

    /** The waiters by team, the team whose turn it is first. Contains no empty queues. */
    private final Map<String, Deque<W>> queues = new LinkedHashMap<>();

    private int taken;
    private int waiting;

    /**
     * A queue whose permits are all free.
     *
     * @param bound number of permits; may change
     * @param mostWaiting how many may wait
     */
    public FairQueue(IntSupplier bound, int mostWaiting, TeamShare share) {
        this.bound = bound;
        this.mostWaiting = mostWaiting;
        this.share = share;
    }

    /** The number of permits in use. */
    public int taken() {
        return taken;
    }

    /** The number of permits that {@code team} uses. */
    public int taken(String team) {
        return held.getOrDefault(team, 0);
    }

    /** The number of waiters. */
    public int waiting() {
        return waiting;
    }

    /** The number of waiters of {@code team}. */
    public int waiting(String team) {
        Deque<W> queue = queues.get(team);
        return queue == null ? 0 : queue.size();
    }

    /** Takes a permit, unless none is free for the team or others wait for it. */
    public boolean enter(String team) {
        if (!room(team) || anyWaiterHasRoom()) {
            return false;
        }
        take(team);
        return true;
    }

    /** Queues {@code waiter}, unless too many wait. */
    public boolean queue(String team, W waiter) {
        if (waiting >= mostWaiting || waiting(team) >= share.of(mostWaiting)) {
            return false;
        }
        queues.computeIfAbsent(team, _ -> new ArrayDeque<>()).add(waiter);
        waiting++;
        return true;
    }

    /** Removes {@code waiter} from the queue; false if it has got a permit already, or never waited. */
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

    /** Removes all waiters. */
    public List<W> clearQueue() {
        List<W> all = new ArrayList<>();
        queues.values().forEach(all::addAll);
        queues.clear();
        waiting = 0;
        return all;
    }

    /** Releases a permit of the team. */
    public void leave(String team) {
        taken--;
        held.computeIfPresent(team, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Gives the free permits to waiters; returns those that got one. */
    public List<W> grant() {
        List<W> granted = new ArrayList<>(1);
        for (Optional<W> one = next(); one.isPresent(); one = next()) {
            granted.add(one.get());
        }
        return granted;
    }

    /** Gives a free permit to the next waiter, if there are both. */
    Optional<W> next() {
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

    private boolean anyWaiterHasRoom() {
        return waiting > 0 && queues.keySet().stream().anyMatch(this::room);
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
