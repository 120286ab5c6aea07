package switchboard.task;

import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;
import switchboard.concurrent.BlockingExecutor;

/**
 * The tasks of a gateway. What is begun and what has ended is on the disk before anybody is told; what happens in between is in
 * memory. Details of ended tasks are only in their files. Thread-safe; blocks where that is said.
 */
public final class TaskStore {
    private static final String STOPPED = "The gateway was stopped while this ran, so the call was not finished."
            + " Call the tool again: what it has stored already is kept and is not embedded twice.";
    private static final String WAITED = "The call was not made: it has waited for its turn as long as a task may take."
            + " Call the tool again later.";
    private static final TaskState WAITING =
            TaskState.working("It waits for its turn: as many tasks of its backend run as may run at the same time.");
    private static final TaskState UNWRITTEN =
            TaskState.working("It has ended, but that can't be written to the disk yet. It is tried again.");
    private static final int ID_BYTES = 20;
    private static final int TICKS_BETWEEN_SWEEPS = 30;

    private final TaskFiles files;
    private final TaskLimits limits;
    private final Clock clock;
    private final TaskTurns turns;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, TaskEntry> entries = new HashMap<>();
    private final Set<Runnable> tickers = ConcurrentHashMap.newKeySet();
    private boolean opened;
    private boolean stopped;
    private int ticks;

    /**
     * The tasks in {@code folder}; there are none before {@link #open}.
     *
     * @param executor reads and writes files; its work must be done in the order in which it is given
     */
    public TaskStore(TaskFolder folder, TaskLimits limits, BlockingExecutor executor, Clock clock) {
        this.files = new TaskFiles(folder, executor, clock);
        this.limits = limits;
        this.clock = clock;
        this.turns = new TaskTurns(limits.running(), limits.share());
    }

    /** The limits. */
    public TaskLimits limits() {
        return limits;
    }

    /** Whether calls can become tasks: this process has the folder. */
    public synchronized boolean offered() {
        return opened && !stopped;
    }

    /** Whether tasks can be asked for: this process has the folder, also while it stops. */
    public synchronized boolean readable() {
        return opened;
    }

    /** How many tasks of the gateway's own are under way; those that wait for their turn are not. */
    public synchronized int running() {
        return (int) entries.values().stream()
                .filter(entry -> entry.active() && entry.turn != null && turns.begun(entry.turn))
                .count();
    }

    /**
     * Takes over what an earlier process has left: what was under way then has failed. Blocks. If another process uses the
     * folder, or it can't be read, {@link #tick} tries again.
     */
    public void open() {
        if (limits.most() > 0 && !readable()) {
            files.takeOver().ifPresent(this::opened);
        }
    }

    private synchronized void opened(List<TaskFiles.Known> known) {
        known.forEach(one -> entries.put(one.task().id(), new TaskEntry(one.task(), one.unwritten())));
        opened = true;
    }

    /** Whether {@code owner} may have one more task. */
    public synchronized boolean hasRoom(PrincipalId owner) {
        if (!offered()) {
            return false;
        }
        Instant now = clock.instant();
        int kept = 0;
        int ofTeam = 0;
        int ofOwner = 0;
        for (TaskEntry entry : entries.values()) {
            if (!entry.task.expired(now)) {
                PrincipalId other = entry.task.call().owner();
                kept++;
                ofTeam += other.team().equals(owner.team()) ? 1 : 0;
                ofOwner += other.equals(owner) ? 1 : 0;
            }
        }
        return kept < limits.most() && ofTeam < limits.share().of(limits.most()) && ofOwner < limits.mostPerCaller();
    }

    /**
     * Begins a task. It is on the disk when the future completes. Work of the gateway's own may have to wait for its turn.
     *
     * @param ttl how long it is kept, from its beginning
     * @return empty if there is no room for it, or it can't be written
     */
    public Future<Optional<Task>> begin(TaskCall call, Duration ttl) {
        return entry(call, ttl)
                .map(entry -> written(entry.task))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<Optional<Task>> written(Task task) {
        return files.write(task).map(written -> {
            if (!written) {
                forget(task.id());
            }
            return written ? Optional.of(task) : Optional.empty();
        });
    }

    private synchronized Optional<TaskEntry> entry(TaskCall call, Duration ttl) {
        if (!hasRoom(call.owner())) {
            return Optional.empty();
        }
        TaskTurns.Turn turn = call.relayed()
                ? null
                : turns.place(call.backend(), call.owner().team()).orElse(null);
        if (turn == null && !call.relayed()) {
            return Optional.empty();
        }
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        Instant now = clock.instant();
        TaskState state = turn != null && turns.waits(turn) ? WAITING : TaskState.WORKING;
        TaskEntry entry = new TaskEntry(new Task(HexFormat.of().formatHex(id), call, now, now, ttl, state), null);
        entry.turn = turn;
        entries.put(entry.task.id(), entry);
        return Optional.of(entry);
    }

    /** Has {@code work} done as the work of the task {@code id} when its turn comes; it is cancelled if the task has ended. */
    public void runs(String id, TaskWork work) {
        TaskTurns.Turn turn = given(id, work);
        if (turn == null) {
            work.cancel();
        } else {
            turns.ready(turn, over -> {
                set(id, TaskState.WORKING);
                work.begin(over);
            });
        }
    }

    private synchronized TaskTurns.@Nullable Turn given(String id, TaskWork work) {
        TaskEntry entry = entries.get(id);
        if (entry == null || !entry.active()) {
            return null;
        }
        entry.work = work;
        return entry.turn;
    }

    /**
     * The task {@code id} of {@code owner}; empty if there is none, whoever else has one. Without the detail of its state; see
     * {@link #detailed}.
     */
    public synchronized Optional<Task> find(PrincipalId owner, String id) {
        return Optional.ofNullable(entries.get(id))
                .map(entry -> entry.task)
                .filter(task -> task.call().owner().equals(owner) && !task.expired(clock.instant()));
    }

    /** {@code task} with the detail of its state. Fails if it can't be read. */
    public Future<Task> detailed(Task task) {
        return task.state().status().detail().isEmpty() ? Future.succeededFuture(task) : files.detailed(task);
    }

    /** The work of the task {@code id} reports what it does. */
    public void progress(String id, String message) {
        set(id, TaskState.working(message));
    }

    private synchronized void set(String id, TaskState working) {
        TaskEntry entry = entries.get(id);
        if (entry != null && entry.active() && !entry.task.state().equals(working)) {
            entry.task = entry.task.in(working, clock.instant());
        }
    }

    /**
     * The task {@code id} has ended with {@code last}, unless it has ended before. Completes when that is on the disk, which is
     * tried until it succeeds; nobody is told before.
     */
    public Future<Void> end(String id, TaskState last) {
        return ending(id, last)
                .map(entry -> {
                    write(entry);
                    return entry.ended.future();
                })
                .orElseGet(Future::succeededFuture);
    }

    private Optional<TaskEntry> ending(String id, TaskState last) {
        TaskEntry entry;
        TaskTurns.Turn turn;
        synchronized (this) {
            entry = entries.get(id);
            if (entry == null || !entry.active()) {
                return Optional.empty();
            }
            entry.unwritten = entry.task.in(last, clock.instant());
            entry.work = null;
            turn = entry.turn;
        }
        if (turn != null) {
            turns.giveUp(turn);
        }
        return Optional.of(entry);
    }

    /** Writes how a task has ended; completes when that was tried. */
    private Future<Void> write(TaskEntry entry) {
        Task ended;
        synchronized (this) {
            ended = entry.unwritten;
            if (ended == null || entry.writing) {
                return Future.succeededFuture();
            }
            entry.writing = true;
        }
        return files.write(ended).map(written -> {
            written(entry, ended, written);
            if (written) {
                entry.tell();
                entry.ended.tryComplete();
            }
            return null;
        });
    }

    private synchronized void written(TaskEntry entry, Task ended, boolean written) {
        entry.writing = false;
        entry.unwritten = written ? null : ended;
        entry.task = written ? ended.brief() : entry.task.in(UNWRITTEN, ended.updated());
    }

    /** Cancels the task {@code id}, if its work is under way. Completes when it was tried to have that on the disk. */
    public Future<Void> cancel(String id) {
        return stop(id, TaskState.CANCELLED);
    }

    private Future<Void> stop(String id, TaskState last) {
        TaskWork work = work(id);
        Future<Void> ended = ending(id, last).map(this::write).orElseGet(Future::succeededFuture);
        if (work != null) {
            work.cancel();
        }
        return ended;
    }

    /** Cancels what is under way for owners that {@code gone} matches. */
    public void cancelAll(Predicate<PrincipalId> gone) {
        ids(entry -> entry.active() && gone.test(entry.task.call().owner())).forEach(this::cancel);
    }

    private synchronized List<String> ids(Predicate<TaskEntry> which) {
        return entries.values().stream()
                .filter(which)
                .map(entry -> entry.task.id())
                .toList();
    }

    private synchronized @Nullable TaskWork work(String id) {
        TaskEntry entry = entries.get(id);
        return entry == null ? null : entry.work;
    }

    /** Deletes the task {@code id}, and cancels its work. */
    public void forget(String id) {
        TaskEntry entry;
        synchronized (this) {
            entry = entries.remove(id);
        }
        if (entry == null) {
            return;
        }
        if (entry.work != null) {
            entry.work.cancel();
        }
        if (entry.turn != null) {
            turns.giveUp(entry.turn);
        }
        entry.ended.tryComplete();
        files.delete(entry.task);
    }

    /** Notes that the result was told; true for the first time in this process. */
    public synchronized boolean markTold(String id) {
        TaskEntry entry = entries.get(id);
        if (entry == null || entry.told) {
            return false;
        }
        entry.told = true;
        return true;
    }

    /**
     * Runs {@code ended}, on any thread, when the end of the task {@code id} is on the disk; not for progress. Returns what ends
     * that.
     */
    public synchronized Runnable listen(String id, Runnable ended) {
        List<Runnable> all = entries.containsKey(id) ? entries.get(id).listeners : new ArrayList<>();
        all.add(ended);
        return () -> all.remove(ended);
    }

    /** Has {@code action} run with each {@link #tick}; returns what ends that. */
    public Runnable eachTick(Runnable action) {
        tickers.add(action);
        return () -> tickers.remove(action);
    }

    /**
     * To be called every second: writes what could not be written, ends what waits too long, deletes what has expired, or opens
     * the folder if it could not be opened before.
     */
    public void tick() {
        tickers.forEach(Runnable::run);
        boolean sweep = sweeps();
        Instant now = clock.instant();
        unwritten().forEach(this::write);
        ids(entry -> waitsSince(entry, now.minus(limits.timeout()))).forEach(id -> stop(id, TaskState.lost(WAITED)));
        if (sweep && readable()) {
            ids(entry -> entry.task.expired(now)).forEach(this::forget);
        } else if (sweep) {
            files.openLater(this::open);
        }
    }

    private synchronized boolean sweeps() {
        return ++ticks % TICKS_BETWEEN_SWEEPS == 0 && !stopped;
    }

    private boolean waitsSince(TaskEntry entry, Instant then) {
        return entry.active()
                && entry.turn != null
                && turns.waits(entry.turn)
                && !entry.task.created().isAfter(then);
    }

    private synchronized List<TaskEntry> unwritten() {
        return entries.values().stream()
                .filter(entry -> entry.unwritten != null)
                .toList();
    }

    /** Begins nothing more. What is under way is cancelled and has failed; completes when it was tried to have that on the disk. */
    public Future<Void> stop() {
        synchronized (this) {
            stopped = true;
        }
        List<Future<Void>> ends = new ArrayList<>();
        unwritten().forEach(entry -> ends.add(write(entry)));
        ids(TaskEntry::active).forEach(id -> ends.add(stop(id, TaskState.lost(STOPPED))));
        return Future.join(ends).mapEmpty();
    }

    /** Lets another process use the folder, after {@link #stop} and the end of the executor. Blocks. */
    public void close() {
        files.release();
    }
}
