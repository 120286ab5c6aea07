package switchboard.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lines on their way from many threads to a place that may be slow: they gather for a moment, and one thread makes them and
 * hands them on, many at a time. Bounded by bytes. Thread-safe; only {@link #close} waits.
 */
final class LineQueue implements AutoCloseable {
    private static final int BATCH = 256;
    private static final long RETRY_MS = 1_000;
    /** How long lines gather before they are written together: waking a thread for each costs more than the line. */
    private static final long GATHER_MS = 10;

    private static final long CLOSE_SECONDS = 5;

    /** Where the lines go; used on the queue's thread only. */
    interface Sink {
        /** Writes {@code lines}, each ending in a line feed, or returns false: then the same lines come again later. */
        boolean write(List<byte[]> lines);

        /** A line is missing, because making it failed. */
        void unmade(RuntimeException why);
    }

    private final Sink sink;
    private final Semaphore room;
    private final Queue<QueuedLine> queue = new ConcurrentLinkedQueue<>();
    private final List<QueuedLine> batch = new ArrayList<>(BATCH);
    private final List<byte[]> lines = new ArrayList<>(BATCH);
    private final AtomicBoolean awake = new AtomicBoolean();
    private final ScheduledExecutorService thread;

    private record QueuedLine(int bytes, Supplier<byte[]> line) {}

    /**
     * An empty queue.
     *
     * @param name the thread's
     * @param capacity how many bytes may wait
     */
    LineQueue(String name, int capacity, Sink sink) {
        this.sink = sink;
        this.room = new Semaphore(capacity);
        this.thread = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name(name).daemon().factory());
    }

    /**
     * Writes a line soon; false if there is no room for it.
     *
     * @param bytes about how long it is
     * @param line makes it, on the queue's thread
     */
    boolean offer(int bytes, Supplier<byte[]> line) {
        if (!room.tryAcquire(bytes)) {
            return false;
        }
        queue.add(new QueuedLine(bytes, line));
        if (awake.compareAndSet(false, true)) {
            run(GATHER_MS);
        }
        return true;
    }

    /** For how many more bytes there is room. */
    int room() {
        return room.availablePermits();
    }

    /** How many lines were not written; to be asked after {@link #close}. */
    int left() {
        return queue.size() + batch.size();
    }

    /** Writes what waits, for as long as a few seconds, and ends. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(long delayMs) {
        try {
            thread.schedule(this::drain, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException _) {
            // Closed: what waits is left over.
        }
    }

    /** Runs on the queue's thread only. */
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
            batch.forEach(written -> room.release(written.bytes()));
            batch.clear();
            lines.clear();
        }
        return true;
    }

    /** Fills the batch; it may hold what could not be written before. */
    private boolean collect() {
        for (QueuedLine next = poll(); next != null; next = poll()) {
            try {
                byte[] line = next.line().get();
                batch.add(next);
                lines.add(line);
            } catch (RuntimeException e) {
                room.release(next.bytes());
                sink.unmade(e);
            }
        }
        return !batch.isEmpty();
    }

    private @Nullable QueuedLine poll() {
        return batch.size() < BATCH ? queue.poll() : null;
    }
}
