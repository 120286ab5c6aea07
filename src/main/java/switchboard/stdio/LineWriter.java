package switchboard.stdio;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.protocol.ReplySink.Urgency;

/**
 * Writes lines on its own thread, because writing blocks while the reader takes nothing. Answers wait for a slow reader,
 * who is given no more of them meanwhile (see {@link #room}). What it did not ask for is bounded: a reader for whom too
 * much of it waits is cut off. Thread-safe.
 */
final class LineWriter {
    private static final Logger LOG = LoggerFactory.getLogger(LineWriter.class);

    private final OutputStream out;
    private final long maxPending;
    private final Deque<Line> waiting = new ArrayDeque<>();
    private final Promise<Void> over = Promise.promise();
    private long pending;
    private long unasked;
    private @Nullable Promise<Void> room;
    private byte @Nullable [] latest;
    private boolean finishing;
    private boolean closed;

    private record Line(byte[] bytes, boolean asked) {}

    /**
     * Writes to {@code out}. At most {@code maxPending} bytes of lines that answer nothing may wait, unless it is a single
     * line.
     */
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

    /** Completes when answers to further messages may be queued; at once if not too much waits, or nobody reads. */
    synchronized Future<Void> room() {
        if (room == null && pending > maxPending && !closed) {
            room = Promise.promise();
        }
        return room == null ? Future.succeededFuture() : room.future();
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
                if (unasked > 0 && unasked + line.length > maxPending) {
                    LOG.warn("the client does not read its notifications, so its connection ends");
                    fail(new IOException("the reader of standard output does not read"));
                    return;
                }
                enqueue(new Line(line, false));
            }
            case ANSWER -> {
                keepLatest();
                enqueue(new Line(line, true));
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
            enqueue(new Line(latest, false));
            latest = null;
        }
    }

    private void enqueue(Line line) {
        waiting.add(line);
        account(line, 1);
    }

    private void account(Line line, int sign) {
        long bytes = (long) sign * line.bytes().length;
        pending += bytes;
        unasked += line.asked() ? 0 : bytes;
    }

    private synchronized void fail(IOException failure) {
        closed = true;
        waiting.clear();
        latest = null;
        notifyAll();
        makeRoom();
        over.tryFail(failure);
    }

    private void run() {
        try {
            for (Line line = next(); line != null; line = next()) {
                out.write(line.bytes());
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

    private synchronized @Nullable Line next() throws InterruptedException {
        while (waiting.isEmpty() && latest == null && !finishing && !closed) {
            wait();
        }
        if (closed) {
            return null;
        }
        keepLatest();
        return waiting.poll();
    }

    private synchronized void written(Line line) {
        account(line, -1);
        if (pending <= maxPending / 2) {
            makeRoom();
        }
    }

    private void makeRoom() {
        if (room != null) {
            room.tryComplete();
            room = null;
        }
    }
}
