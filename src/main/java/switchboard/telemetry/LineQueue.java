package switchboard.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Queues lines of many threads for a destination that may be slow. Lines gather for a moment; then one thread makes
 * and writes them in batches. Bounded in bytes. Thread-safe; only {@link #close} waits.
 *
 * @param <L> a line, with what its destination has to know
 */
public final class LineQueue<L> implements AutoCloseable {
    private static final int BATCH = 256;
    private static final long RETRY_MS = 1_000;
    /**
     * How long lines gather before they are written, in milliseconds. Waking a thread for each line costs more than
     * the line itself.
     */
    private static final long GATHER_MS = 10;

    private static final long CLOSE_SECONDS = 5;

    /** The destination of lines. Used on the queue's thread only. */
    public interface Sink<L> {
        /**
         * Writes {@code lines}, each with a line feed at its end. If it returns false, the same lines come again
         * later.
         */
        boolean write(List<L> lines);

        /** Called if making a line failed, so that it is missing. */
        void unmade(RuntimeException why);
    }

    private final Sink<L> sink;
    private final Semaphore room;
    private final Queue<QueuedLine<L>> queue = new ConcurrentLinkedQueue<>();
    private final List<QueuedLine<L>> batch = new ArrayList<>(BATCH);
    private final List<L> lines = new ArrayList<>(BATCH);
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor thread;

    /** The lines of {@link #offerLater} whose time has not come. */
    private final Map<QueuedLine<L>, Future<?>> later = new ConcurrentHashMap<>();

    private volatile boolean ending;

    /** A line; two are never the same, however alike they are. */
    private static final class QueuedLine<L> {
        private final int bytes;
        private final Supplier<L> line;

        QueuedLine(int bytes, Supplier<L> line) {
            this.bytes = bytes;
            this.line = line;
        }
    }

    /**
     * An empty queue.
     *
     * @param name name of its thread
     * @param capacity maximum size in bytes
     */
    public LineQueue(String name, int capacity, Sink<L> sink) {
        this.sink = sink;
        this.room = new Semaphore(capacity);
        this.thread = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name(name).daemon().factory());
        thread.setRemoveOnCancelPolicy(true);
    }

    /**
     * Queues a line; false if there is no room for it.
     *
     * @param bytes its approximate length
     * @param line makes the line, on the queue's thread
     */
    public boolean offer(int bytes, Supplier<L> line) {
        if (!room.tryAcquire(bytes)) {
            return false;
        }
        queue.add(new QueuedLine<>(bytes, line));
        if (awake.compareAndSet(false, true)) {
            run(GATHER_MS);
        }
        return true;
    }

    /**
     * Queues a line after {@code delayMs} milliseconds; false if there is no room for it. If the queue ends before that, its time is
     * then; a line for which the end has begun already is left out. Called on the queue's thread only.
     */
    public boolean offerLater(int bytes, long delayMs, Supplier<L> line) {
        if (ending) {
            return true;
        }
        if (!room.tryAcquire(bytes)) {
            return false;
        }
        QueuedLine<L> own = new QueuedLine<>(bytes, line);
        try {
            later.put(own, thread.schedule(() -> due(own), delayMs, TimeUnit.MILLISECONDS));
        } catch (RejectedExecutionException _) { // closed a moment ago: the last lines go now
            later.put(own, CompletableFuture.completedFuture(null));
        }
        return true;
    }

    private void due(QueuedLine<L> line) {
        if (later.remove(line) != null) {
            queue.add(line);
        }
        wake();
    }

    private void wake() {
        if (awake.compareAndSet(false, true)) {
            drain();
        }
    }

    /** The free room in bytes. */
    int room() {
        return room.availablePermits();
    }

    /** How many lines were not written; call it after {@link #close}. */
    public int left() {
        return queue.size() + batch.size() + later.size();
    }

    /** Writes the queued lines, for a few seconds at most, and ends. */
    @Override
    public void close() {
        try {
            thread.execute(this::end);
        } catch (RejectedExecutionException _) {
            // Closed already.
        }
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What waits for its time is due now, so that the end need not wait for it. Runs on the queue's thread only. */
    private void end() {
        ending = true;
        later.values().forEach(timer -> timer.cancel(false));
        queue.addAll(later.keySet());
        later.clear();
        wake();
    }

    private void run(long delayMs) {
        try {
            thread.schedule(this::drain, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException _) {
            // Closed: what waits is not written.
        }
    }

    /** Writes all queued lines; runs on the queue's thread only. */
    private void drain() {
        do {
            if (!writeAll()) {
                run(RETRY_MS);
                return;
            }
            awake.set(false);
        } while (!queue.isEmpty() && awake.compareAndSet(false, true));
    }

    private boolean writeAll() {
        while (collect()) {
            if (!sink.write(lines)) {
                return false;
            }
            batch.forEach(written -> room.release(written.bytes));
            batch.clear();
            lines.clear();
        }
        return true;
    }

    /** Adds queued lines to the batch, which may still contain lines of a failed write. */
    private boolean collect() {
        for (QueuedLine<L> next = poll(); next != null; next = poll()) {
            try {
                L line = next.line.get();
                batch.add(next);
                lines.add(line);
            } catch (RuntimeException e) {
                room.release(next.bytes);
                sink.unmade(e);
            }
        }
        return !batch.isEmpty();
    }

    private @Nullable QueuedLine<L> poll() {
        return batch.size() < BATCH ? queue.poll() : null;
    }
}
