package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SegmentThreadsTest {
    private final AtomicInteger reads = new AtomicInteger(1);
    private final SegmentThreads threads = new SegmentThreads("segments", 2, reads::get);

    @AfterEach
    void close() {
        threads.close();
    }

    private Thread runs() throws Exception {
        FutureTask<Thread> task = new FutureTask<>(Thread::currentThread);
        threads.execute(task);
        return task.get(60, TimeUnit.SECONDS);
    }

    @Test
    void oneReadAloneIsHelped() throws Exception {
        Thread other = runs();
        assertNotSame(Thread.currentThread(), other);
        assertTrue(other.getName().startsWith("segments-"), other.getName());
        assertTrue(other.isDaemon());
    }

    @Test
    void whereOtherReadsNeedTheCoresEachDoesItsOwnWork() throws Exception {
        reads.set(2);
        assertSame(Thread.currentThread(), runs());
        reads.set(1);
        assertNotSame(Thread.currentThread(), runs());
    }

    @Test
    void oneOfOneThreadIsNeverHelped() {
        SegmentThreads none = new SegmentThreads("segments", 1, reads::get);
        List<Thread> by = new ArrayList<>();
        none.execute(() -> by.add(Thread.currentThread()));
        assertEquals(List.of(Thread.currentThread()), by);
        none.close();
    }

    /** Of eight threads four may help, while at most four reads are under way. */
    @Test
    void neverMoreThreadsReadThanReadsMayHave() throws Exception {
        SegmentThreads eight = new SegmentThreads("segments", 8, reads::get);
        Semaphore held = new Semaphore(0);
        AtomicInteger begun = new AtomicInteger();
        reads.set(4);
        for (int i = 0; i < 20; i++) {
            eight.execute(() -> {
                begun.incrementAndGet();
                held.acquireUninterruptibly();
            });
        }
        for (long end = System.nanoTime() + 60_000_000_000L; begun.get() < 4 && System.nanoTime() < end; ) {
            Thread.onSpinWait();
        }
        assertEquals(4, begun.get());
        reads.set(5);
        List<Thread> by = new ArrayList<>();
        eight.execute(() -> by.add(Thread.currentThread()));
        assertEquals(List.of(Thread.currentThread()), by);
        held.release(20);
        eight.close();
    }

    @Test
    void aFullQueueAndAClosedStoreLeaveTheWorkToTheCaller() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        List<Thread> by = Collections.synchronizedList(new ArrayList<>());
        threads.execute(() -> {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        for (int i = 0; i < SegmentThreads.WAITING; i++) {
            threads.execute(() -> by.add(Thread.currentThread()));
        }
        assertEquals(List.of(), by);
        threads.execute(() -> by.add(Thread.currentThread()));
        assertEquals(List.of(Thread.currentThread()), by);
        held.countDown();
        threads.close();
        assertSame(Thread.currentThread(), runs());
    }
}
