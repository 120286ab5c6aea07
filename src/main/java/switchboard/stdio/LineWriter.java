package switchboard.stdio;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.ReplySink.Urgency;

/**
 * Writes lines on its own thread, because writing blocks while the reader takes nothing. The queue is bounded: a
 * reader that is too slow is cut off. Thread-safe.
 */
final class LineWriter {
    private final OutputStream out;
    private final long maxPending;
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final Promise<Void> over = Promise.promise();
    private long pending;
    private byte @Nullable [] latest;
    private boolean finishing;
    private boolean closed;

    /** Writes to {@code out}. At most {@code maxPending} bytes of lines may wait, unless it is a single line. */
    LineWriter(OutputStream out, long maxPending) {
        this.out = out;
        this.maxPending = maxPending;
        Thread.ofPlatform().name("stdout").daemon().start(this::run);
    }

    /**
     * Completes when everything is written after {@link #finish}. Fails if the reader has disconnected or was cut off.
     */
    Future<Void> over() {
        return over.future();
    }

    /** Whether writing has ended. */
    synchronized boolean closed() {
        return finishing || closed;
    }

    /** Queues a line. */
    synchronized void write(byte[] line, Urgency urgency) {
        if (closed()) {
            return;
        }
        switch (urgency) {
            case LATEST -> latest = line;
            case KEEP -> {
                keepLatest(); // keeps the order of what was written before
                if (pending > 0 && pending + line.length > maxPending) {
                    fail(new IOException("the reader of standard output does not read"));
                    return;
                }
                enqueue(line);
            }
        }
        notifyAll();
    }

    /** Writes what is queued and accepts no more. */
    synchronized void finish() {
        finishing = true;
        keepLatest();
        notifyAll();
    }

    private void keepLatest() {
        if (latest != null) {
            enqueue(latest);
            latest = null;
        }
    }

    private void enqueue(byte[] line) {
        waiting.add(line);
        pending += line.length;
    }

    private synchronized void fail(IOException failure) {
        closed = true;
        waiting.clear();
        latest = null;
        notifyAll();
        over.tryFail(failure);
    }

    private void run() {
        try {
            for (byte[] line = next(); line != null; line = next()) {
                out.write(line);
                out.write('\n');
                out.flush();
                written(line);
            }
            over.tryComplete();
        } catch (IOException e) {
            fail(e);
        } catch (InterruptedException e) {
            fail(new IOException("interrupted", e));
        }
    }

    private synchronized byte @Nullable [] next() throws InterruptedException {
        while (waiting.isEmpty() && latest == null && !finishing && !closed) {
            wait();
        }
        if (closed) {
            return null;
        }
        keepLatest();
        return waiting.poll();
    }

    private synchronized void written(byte[] line) {
        pending -= line.length;
    }
}
