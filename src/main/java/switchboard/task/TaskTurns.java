package switchboard.task;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.concurrent.FairQueue;
import switchboard.concurrent.TeamShare;

/**
 * Has the tasks of each backend wait until few enough of them run, because each of them takes a place of an ordinary call for
 * long. Teams take turns. Thread-safe.
 */
final class TaskTurns {
    /** How many tasks may wait for each one that may run; their arguments are in memory. */
    private static final int WAITING_FOR_EACH = 8;

    private final int running;
    private final TeamShare share;
    private final Map<String, FairQueue<Turn>> queues = new HashMap<>();

    /** Turns for {@code running} tasks of each backend at the same time. */
    TaskTurns(int running, TeamShare share) {
        this.running = running;
        this.share = share;
    }

    /** The turn of one task; its fields are guarded by the turns. */
    static final class Turn {
        private final FairQueue<Turn> queue;
        private final String team;
        private boolean come;
        private boolean begun;
        private boolean over;
        private @Nullable Consumer<Runnable> work;

        private Turn(FairQueue<Turn> queue, String team) {
            this.queue = queue;
            this.team = team;
        }
    }

    /** A turn, now or later; empty if too many wait. */
    synchronized Optional<Turn> place(String backend, String team) {
        FairQueue<Turn> queue =
                queues.computeIfAbsent(backend, _ -> new FairQueue<>(() -> running, running * WAITING_FOR_EACH, share));
        Turn turn = new Turn(queue, team);
        turn.come = queue.enter(team);
        return turn.come || queue.queue(team, turn) ? Optional.of(turn) : Optional.empty();
    }

    /** Whether the turn has not come yet. */
    synchronized boolean waits(Turn turn) {
        return !turn.come && !turn.over;
    }

    /** Whether the work has begun. */
    synchronized boolean begun(Turn turn) {
        return turn.begun;
    }

    /** Begins {@code work} when its turn has come, unless it was given up before. It is given what ends the turn. */
    void ready(Turn turn, Consumer<Runnable> work) {
        synchronized (this) {
            turn.work = work;
        }
        begin(turn);
    }

    private void begin(Turn turn) {
        Consumer<Runnable> work;
        synchronized (this) {
            if (!turn.come || turn.begun || turn.over || turn.work == null) {
                return;
            }
            turn.begun = true;
            work = turn.work;
            turn.work = null;
        }
        work.accept(() -> end(turn, false));
    }

    /** Ends the turn of work that has not begun; work that has ends it itself. */
    void giveUp(Turn turn) {
        end(turn, true);
    }

    private void end(Turn turn, boolean unlessBegun) {
        List<Turn> next;
        synchronized (this) {
            if (turn.over || (unlessBegun && turn.begun)) {
                return;
            }
            turn.over = true;
            turn.work = null;
            if (turn.come) {
                turn.queue.leave(turn.team);
            } else {
                turn.queue.leaveQueue(turn.team, turn);
            }
            next = turn.queue.grant();
            next.forEach(granted -> granted.come = true);
        }
        next.forEach(this::begin);
    }
}
