package switchboard.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;

/**
 * The tasks of a gateway. What is begun and what has ended is on the disk before anybody is told; what happens in between is in
 * memory. Details of ended tasks are only in their files. Thread-safe; blocks where that is said.
 */
public final class TaskStore {
    private static final String STOPPED = "The gateway was stopped while this ran, so the call was not finished."
            + " Call the tool again: what it has stored already is kept and is not embedded twice.";
    private static final int ID_BYTES = 20;
    private static final int TICKS_BETWEEN_SWEEPS = 30;

    private final @Nullable TaskFiles files;
    private final TaskLimits limits;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Entry> entries = new HashMap<>();
    private final List<Runnable> tickers = new CopyOnWriteArrayList<>();
    private boolean open;
    private boolean stopped;
    private int ticks;

    /** A task and what is known of it in this process only. */
    private static final class Entry {
        private Task task;
        private @Nullable TaskControl control;
        private ObjectNode answers = Json.object();
        private final List<Consumer<Task>> listeners = new CopyOnWriteArrayList<>();

        Entry(Task task) {
            this.task = task;
        }

        void tell(Task now) {
            listeners.forEach(listener -> listener.accept(now));
        }
    }

    /**
     * The tasks in {@code folder}; there are none before {@link #open}.
     *
     * @param executor reads and writes files; its work must be done in the order in which it is given
     */
    public TaskStore(TaskFolder folder, TaskLimits limits, BlockingExecutor executor, Clock clock) {
        this(new TaskFiles(folder, executor, clock), limits, clock);
    }

    private TaskStore(@Nullable TaskFiles files, TaskLimits limits, Clock clock) {
        this.files = files;
        this.limits = limits;
        this.clock = clock;
    }

    /** No tasks. */
    public static TaskStore none() {
        return new TaskStore(null, TaskLimits.NONE, Clock.systemUTC());
    }

    private TaskFiles files() {
        return Objects.requireNonNull(files, "there are no tasks");
    }

    /** The limits. */
    public TaskLimits limits() {
        return limits;
    }

    /** Whether there are tasks: this process has the folder. */
    public synchronized boolean offered() {
        return open;
    }

    /** How many tasks of the gateway's own are under way. */
    public synchronized int running() {
        return count(entry -> !entry.task.over() && !entry.task.work().relayed());
    }

    /**
     * Takes over what an earlier process has left: what was under way then has failed. Blocks. If another process uses the
     * folder, or it can't be read, {@link #tick} tries again.
     */
    public void open() {
        if (limits.most() > 0) {
            files().takeOver().ifPresent(known -> {
                synchronized (this) {
                    known.forEach(task -> entries.put(task.id(), new Entry(task)));
                    open = !stopped;
                }
            });
        }
    }

    /** Whether {@code owner} may have one more task. */
    public synchronized boolean hasRoom(PrincipalId owner) {
        Instant now = clock.instant();
        Predicate<Entry> kept = entry -> !entry.task.expired(now);
        return open
                && count(kept) < limits.most()
                && count(kept.and(entry -> team(entry).equals(owner.team())))
                        < limits.share().of(limits.most())
                && count(kept.and(entry -> entry.task.work().owner().equals(owner))) < limits.mostPerCaller();
    }

    private boolean mayRun(String team) {
        Predicate<Entry> running =
                entry -> !entry.task.over() && !entry.task.work().relayed();
        return count(running) < limits.running()
                && count(running.and(entry -> team(entry).equals(team)))
                        < limits.share().of(limits.running());
    }

    private int count(Predicate<Entry> which) {
        return (int) entries.values().stream().filter(which).count();
    }

    private static String team(Entry entry) {
        return entry.task.work().owner().team();
    }

    /**
     * Begins a task. It is on the disk when the future completes.
     *
     * @param ttl how long it is kept, from its beginning
     * @return empty if there is no room for it, or it can't be written
     */
    public Future<Optional<Task>> begin(TaskWork work, Duration ttl) {
        Task task;
        synchronized (this) {
            if (!hasRoom(work.owner())
                    || (!work.relayed() && !mayRun(work.owner().team()))) {
                return Future.succeededFuture(Optional.empty());
            }
            byte[] id = new byte[ID_BYTES];
            random.nextBytes(id);
            Instant now = clock.instant();
            task = new Task(HexFormat.of().formatHex(id), work, now, now, ttl, TaskState.WORKING);
            entries.put(task.id(), new Entry(task));
        }
        return files().write(task).map(written -> {
            if (!written) {
                forget(task.id());
            }
            return written ? Optional.of(task) : Optional.empty();
        });
    }

    /** The work of the task {@code id} is under way. One that has been ended meanwhile is cancelled. */
    public void runs(String id, TaskControl control) {
        if (!controlled(id, control)) {
            control.cancel();
        }
    }

    private synchronized boolean controlled(String id, TaskControl control) {
        Entry entry = entries.get(id);
        if (entry == null || entry.task.over()) {
            return false;
        }
        entry.control = control;
        return true;
    }

    /** The task {@code id} of {@code owner}; empty if there is none, whoever else has one. The detail may be missing. */
    public synchronized Optional<Task> find(PrincipalId owner, String id) {
        return Optional.ofNullable(entries.get(id))
                .map(entry -> entry.task)
                .filter(task -> task.work().owner().equals(owner) && !task.expired(clock.instant()));
    }

    /** {@code task} with the detail of its state. Fails if it can't be read. */
    public Future<Task> detailed(Task task) {
        if (!task.over()
                || task.state().detail() != null
                || task.state().status().detail().isEmpty()) {
            return Future.succeededFuture(task);
        }
        return files().detailed(task);
    }

    /** The work of the task {@code id} reports what it does. */
    public synchronized void progress(String id, String message) {
        Entry entry = entries.get(id);
        if (entry != null && entry.task.state().status() == TaskStatus.WORKING) {
            entry.task = entry.task.in(TaskState.working(message), clock.instant());
        }
    }

    /** The work of the task {@code id} asks its client {@code requests}, by key. */
    public void ask(String id, ObjectNode requests) {
        move(id, entry -> entry.task.state().status() == TaskStatus.WORKING, entry -> {
            entry.answers = Json.object();
            return TaskState.asking(requests);
        });
    }

    /** The client answers what the task {@code id} asks; other keys are ignored. */
    public void answer(String id, ObjectNode responses) {
        ObjectNode[] complete = new ObjectNode[1];
        Optional<Entry> moved = move(id, entry -> entry.task.state().status() == TaskStatus.INPUT_REQUIRED, entry -> {
            ObjectNode left = entry.task.state().detail() == null
                    ? Json.object()
                    : entry.task.state().detail().deepCopy();
            responses.properties().forEach(answer -> {
                if (left.remove(answer.getKey()) != null) {
                    entry.answers.set(answer.getKey(), answer.getValue());
                }
            });
            if (!left.isEmpty()) {
                return TaskState.asking(left);
            }
            complete[0] = entry.answers;
            return TaskState.WORKING;
        });
        moved.map(entry -> entry.control).ifPresent(control -> {
            if (complete[0] != null) {
                control.answered(complete[0]);
            }
        });
    }

    private Optional<Entry> move(String id, Predicate<Entry> from, Function<Entry, TaskState> next) {
        Entry entry;
        Task now;
        synchronized (this) {
            entry = entries.get(id);
            if (entry == null || !from.test(entry)) {
                return Optional.empty();
            }
            entry.task = entry.task.in(next.apply(entry), clock.instant());
            now = entry.task;
        }
        entry.tell(now);
        return Optional.of(entry);
    }

    /** The task {@code id} has ended with {@code last}, unless it has ended before. Completes when that is on the disk. */
    public Future<Void> end(String id, TaskState last) {
        Entry entry;
        Task ended;
        synchronized (this) {
            entry = entries.get(id);
            if (entry == null || entry.task.over()) {
                return Future.succeededFuture();
            }
            ended = entry.task.in(last, clock.instant());
            entry.task = ended;
            entry.control = null;
        }
        return files().write(ended).map(written -> {
            if (written) {
                lighten(entry, ended);
            }
            entry.tell(ended);
            return null;
        });
    }

    private synchronized void lighten(Entry entry, Task written) {
        if (entry.task.equals(written)) {
            entry.task = written.brief();
        }
    }

    /** Cancels the task {@code id}, if its work is under way. Completes when that is on the disk. */
    public Future<Void> cancel(String id) {
        TaskControl control = control(id);
        Future<Void> ended = end(id, TaskState.CANCELLED);
        if (control != null) {
            control.cancel();
        }
        return ended;
    }

    private synchronized @Nullable TaskControl control(String id) {
        Entry entry = entries.get(id);
        return entry == null ? null : entry.control;
    }

    /** Deletes the task {@code id}. */
    public void forget(String id) {
        Entry entry;
        synchronized (this) {
            entry = entries.remove(id);
        }
        if (entry != null) {
            files().delete(entry.task);
        }
    }

    /** Tells {@code listener} each new state of the task {@code id}, with its detail, on any thread; returns what ends that. */
    public synchronized Runnable listen(String id, Consumer<Task> listener) {
        Entry entry = entries.get(id);
        if (entry == null) {
            return () -> {};
        }
        entry.listeners.add(listener);
        return () -> entry.listeners.remove(listener);
    }

    /** Has {@code action} run with each {@link #tick}; returns what ends that. */
    public Runnable eachTick(Runnable action) {
        tickers.add(action);
        return () -> tickers.remove(action);
    }

    /** To be called every second: deletes what has expired, or opens the folder if it could not be opened before. */
    public void tick() {
        tickers.forEach(Runnable::run);
        boolean sweep;
        synchronized (this) {
            ticks++;
            sweep = !stopped && ticks % TICKS_BETWEEN_SWEEPS == 0;
        }
        if (!sweep) {
            return;
        }
        if (offered()) {
            expired().forEach(task -> forget(task.id()));
        } else {
            files().later(this::open);
        }
    }

    private synchronized List<Task> expired() {
        Instant now = clock.instant();
        return entries.values().stream()
                .map(entry -> entry.task)
                .filter(task -> task.expired(now))
                .toList();
    }

    /** Begins nothing more. What is under way is cancelled and has failed; completes when that is on the disk. */
    public Future<Void> stop() {
        List<Task> running;
        synchronized (this) {
            stopped = true;
            open = false;
            running = entries.values().stream()
                    .map(entry -> entry.task)
                    .filter(task -> !task.over() && !task.work().relayed())
                    .toList();
        }
        List<Future<Void>> ends = new ArrayList<>();
        for (Task task : running) {
            TaskControl control = control(task.id());
            ends.add(end(task.id(), TaskState.lost(STOPPED)));
            if (control != null) {
                control.cancel();
            }
        }
        return Future.join(ends).mapEmpty();
    }

    /** Lets another process use the folder, after {@link #stop} and the end of the executor. Blocks. */
    public void close() {
        files().release();
    }
}
