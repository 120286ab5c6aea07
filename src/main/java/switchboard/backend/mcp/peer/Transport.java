package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallContext;
import switchboard.call.Json;

/** A transport of JSON-RPC messages to another server. Thread-safe. */
public interface Transport {
    /**
     * The answer to a request.
     *
     * @param status the HTTP status; 200 for other transports
     * @param message the JSON-RPC response, or null if the answer is not one
     * @param session the session id that came with it, or null
     */
    record TransportReply(
            int status,
            @Nullable ObjectNode message,
            @Nullable String session) {
        /** How servers say with status 400 that they don't know a session. */
        private static final Pattern UNKNOWN_SESSION =
                Pattern.compile("\\bsession\\b|not initialized", Pattern.CASE_INSENSITIVE);

        /**
         * The result in the response.
         *
         * @param none makes what to throw if there is neither a result nor an error
         * @throws RpcFailure if the response is an error
         */
        ObjectNode result(Supplier<RuntimeException> none) {
            if (message != null && message.path("result") instanceof ObjectNode result) {
                return result;
            }
            if (message != null && message.path("error").isObject()) {
                throw new RpcFailure(message.path("error"));
            }
            throw none.get();
        }

        /**
         * Whether it says that the server does not know the session. The status is 404, but servers made with older official SDKs
         * answer 400 after a restart, those in Python without JSON.
         */
        boolean forgetsSession() {
            return switch (status) {
                case 404 -> true;
                case 400 ->
                    message == null
                            || UNKNOWN_SESSION
                                    .matcher(message.at("/error/message").asText())
                                    .find();
                default -> false;
            };
        }
    }

    /**
     * A request under way.
     *
     * @param answer fails with {@code ToolException} only
     * @param giveUp cancels waiting; further calls do nothing
     */
    record Sent(Future<TransportReply> answer, Runnable giveUp) {}

    /**
     * A request.
     *
     * @param message with its own id
     * @param headers for transports that have them
     * @param timeout time limit of the answer
     * @param traceparent the W3C trace context, or null
     * @param repeatable whether it may be sent twice
     * @param waits whether its call waits for its client now, as {@link CallContext#waitsForClient} says
     */
    record Outgoing(
            ObjectNode message,
            Map<String, String> headers,
            Duration timeout,
            @Nullable String traceparent,
            boolean repeatable,
            BooleanSupplier waits) {
        /** A request of a call that does not wait for its client. */
        Outgoing(
                ObjectNode message,
                Map<String, String> headers,
                Duration timeout,
                @Nullable String traceparent,
                boolean repeatable) {
            this(message, headers, timeout, traceparent, repeatable, () -> false);
        }

        /** Whether it is made for a caller, whom the server may ask something meanwhile. */
        boolean ofCaller() {
            return switch (message.path("method").asText()) {
                case "tools/call", "prompts/get", "resources/read", "completion/complete" -> true;
                default -> false;
            };
        }
    }

    /** Sends a request. {@code related} receives messages that belong to it before its answer. */
    Sent send(Outgoing request, Consumer<ObjectNode> related);

    /** Sends a request that belongs to no call, such as one that stays open. It takes no place of callers' requests. */
    default Sent stand(Outgoing request, Consumer<ObjectNode> related) {
        return send(request, related);
    }

    /** Tells the server that the request {@code id} is cancelled. */
    default void cancel(long id, Map<String, String> headers) {
        ObjectNode cancelled = Json.object().put("jsonrpc", "2.0").put("method", "notifications/cancelled");
        cancelled.putObject("params").put("requestId", id);
        post(cancelled, headers);
    }

    /** Sends a notification or a response; fails with {@code ToolException} only. */
    Future<Void> post(ObjectNode message, Map<String, String> headers);

    /**
     * Listens to messages that belong to no request, as long as possible.
     *
     * @param headers for transports that have them
     * @param unrelated receives the messages
     * @param opened called once messages can come
     * @return completes at the end; {@link Sent#giveUp} ends it
     */
    Sent listen(Map<String, String> headers, Consumer<ObjectNode> unrelated, Runnable opened);

    /** An id that no other request on this transport has. */
    long nextId();

    /** Whether the other side notices a cancelled request without a message. */
    boolean givingUpShows();

    /** Completes when nothing can be sent any more, and a new transport is needed. */
    Future<Void> broken();

    /**
     * Completes when a request was cancelled and the server's later messages for it can't be distinguished from those
     * for other requests. No other caller may use this transport then.
     */
    Future<Void> doubtful();

    /** Closes it. */
    Future<Void> close();
}
