package switchboard.store;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Threads that read some of the segments of a search, while its own thread reads the others: a search of many libraries then uses
 * cores that have nothing to do. There are half as many as threads for reads, and they help only while at least as many of those are idle.
 * So, but for a moment when another read begins, no more threads read at once than reads may have. Otherwise a search's own thread does
 * it all. Thread-safe.
 */
final class SegmentThreads implements Executor {
    /**
     * How many tasks may wait. A search's own thread takes each part that no other thread has begun; a task that comes too late finds
     * no part left, and ends.
     */
    static final int WAITING = 10_000;

    /** Reads are helped while no more than so many are under way. */
    private final int mostHelped;

    private final IntSupplier reads;
    private final ThreadPoolExecutor threads;

    /**
     * Threads for one store.
     *
     * @param name names the threads
     * @param most how many threads may read at once; if that is 1, no read is helped
     * @param reads how many reads are under way
     */
    SegmentThreads(String name, int most, IntSupplier reads) {
        int helping = Math.max(1, most / 2);
        this.mostHelped = most - helping;
        this.reads = reads;
        this.threads = new ThreadPoolExecutor(
                helping,
                helping,
                1,
                TimeUnit.MINUTES,
                new LinkedBlockingQueue<>(WAITING),
                Thread.ofPlatform().daemon().name(name + "-", 0).factory(),
                (task, _) -> task.run());
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        if (reads.getAsInt() <= mostHelped) {
            threads.execute(task);
        } else {
            task.run();
        }
    }

    /** Ends the threads; there are no reads any more. */
    void close() {
        threads.shutdown();
    }
}
