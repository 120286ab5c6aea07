package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import switchboard.async.Futures;

/**
 * Receives the answer to one inbound message. Undecided at first; becomes either a single JSON answer or an event
 * stream that ends with one. All methods except {@link #execute} are called on the exchange's event loop.
 */
public interface ReplySink {
    /**
     * Ends the exchange with a JSON document, or with nothing if {@code json} is empty. On an open stream the document
     * is the last event, and status and headers are ignored.
     */
    void end(int status, Map<String, String> headers, EncodedJson json);

    /** Ends the exchange with an error, with the status that it has in the modern protocol. */
    default void refuse(JsonNode id, RpcError error, String message) {
        end(error.status(), Map.of(), RpcCodec.error(id, error.code(), message, null));
    }

    /** Opens the stream, unless it is open; sends {@code headers} with it. Heartbeats are the sink's business. */
    void open(Map<String, String> headers);

    /**
     * Sends a message on the stream, which is opened if necessary.
     *
     * @param urgency what may happen if the reader is slow
     */
    void event(byte[] json, Urgency urgency);

    /** Ends an open stream without a last message. */
    void close();

    /** Ends an open stream, because another reader goes on where this one is. */
    default void replaced() {
        close();
    }

    /**
     * Tells the reader of the open stream that it can resume after {@code id}, and after what time. Does nothing on a
     * stream that is the connection itself.
     */
    default void resumable(String id, Duration retry) {}

    /** Sends one message as {@link #event(byte[], Urgency)} does, with an id that a reader may come back with. */
    default void event(String id, byte[] json, Urgency urgency) {
        event(json, urgency);
    }

    /** Ends an open stream with a last message that has such an id. */
    default void end(String id, byte[] json) {
        end(200, Map.of(), EncodedJson.of(json));
    }

    /** Whether the reader of the open stream has taken what was sent. */
    default boolean caughtUp() {
        return true;
    }

    /** Whether the other side is gone or the exchange has ended. */
    boolean closed();

    /** Runs {@code action} once when the other side goes away before the exchange has ended; at once if it is gone. */
    void onGone(Runnable action);

    /** Runs {@code action} on the exchange's own event loop, soon; may be called on any thread. */
    void execute(Runnable action);

    /** Runs {@code then} with the outcome of {@code future}: at once if it is known already, otherwise on the exchange's own event loop. */
    default <T> void when(Future<T> future, Consumer<AsyncResult<T>> then) {
        if (future.isComplete()) {
            then.accept(future);
        } else {
            Futures.settle(future, outcome -> execute(() -> then.accept(outcome)), _ -> {});
        }
    }

    /**
     * Runs {@code action} on the exchange's own event loop after {@code delay}; returns an action that cancels it. Delays should be
     * few and the same for many exchanges.
     */
    Runnable after(Duration delay, Runnable action);

    /** Whether a message may be dropped while the reader is slow. */
    enum Urgency {
        /** Must arrive; the stream is cut if too many are waiting. */
        KEEP,
        /** Answers a message of the reader, and must arrive. A stream that bounds the messages under way lets it wait. */
        ANSWER,
        /** Only the latest matters. */
        LATEST
    }
}
