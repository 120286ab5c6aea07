package switchboard.protocol;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The answer to one message on a connection that carries many: its part of the connection's stream. Status and headers
 * have no place there. Used on the stream's event loop.
 */
public final class StreamedReply implements ReplySink {
    private final ReplySink stream;
    private final Promise<Void> over = Promise.promise();
    private final List<Runnable> onGone = new ArrayList<>(1);

    /** A reply whose messages go to {@code stream}. */
    public StreamedReply(ReplySink stream) {
        this.stream = stream;
    }

    /** Completes when it was answered, cancelled or given up. */
    public Future<Void> over() {
        return over.future();
    }

    /** The client takes the message back, or is gone: there will be no answer. */
    public void takeBack() {
        if (over.tryComplete()) {
            onGone.forEach(Runnable::run);
            onGone.clear();
        }
    }

    @Override
    public void end(int status, Map<String, String> headers, EncodedJson json) {
        if (!closed() && json.length() > 0) {
            stream.event(json.bytes(), Urgency.ANSWER);
        }
        over.tryComplete();
    }

    @Override
    public void open(Map<String, String> headers) {
        // The stream is open.
    }

    @Override
    public void event(byte[] json, Urgency urgency) {
        if (!closed()) {
            stream.event(json, urgency);
        }
    }

    @Override
    public void close() {
        over.tryComplete();
    }

    @Override
    public boolean closed() {
        return over.future().isComplete() || stream.closed();
    }

    @Override
    public void onGone(Runnable action) {
        if (!over.future().isComplete()) {
            onGone.add(action);
        }
    }

    @Override
    public void execute(Runnable action) {
        stream.execute(action);
    }

    @Override
    public Runnable after(Duration delay, Runnable action) {
        return stream.after(delay, action);
    }
}
