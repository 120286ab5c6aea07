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
 * Writes lines on a thread of its own, because a reader that takes nothing blocks the writer. What waits is bounded: a
 * reader further behind than that is cut off. Thread-safe.
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

    /** Writes to {@code out}; lines of {@code maxPending} bytes together may wait, a single one may be longer. */
    LineWriter(OutputStream out, long maxPending) {
        this.out = out;
        this.maxPending = maxPending;
        Thread.ofPlatform().name("stdout").daemon().start(this::run);
    }

    /** Done when everything is written after {@link #finish}; failed when the reader is gone or cut off. */
    Future<Void> over() {
        return over.future();
    }

    /** Whether nothing more is written. */
    synchronized boolean closed() {
        return finishing || closed;
    }

    /** Writes a line, soon. */
    synchronized void write(byte[] line, Urgency urgency) {
        if (closed()) {
            return;
        }
        switch (urgency) {
            case LATEST -> latest = line;
            case KEEP -> {
                keepLatest(); // nothing overtakes what was said before it
                if (pending > 0 && pending + line.length > maxPending) {
                    fail(new IOException("the reader of standard output takes nothing"));
                    return;
                }
                enqueue(line);
            }
        }
        notifyAll();
    }

    /** Writes what is waiting and nothing else. */
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
