package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A way for JSON-RPC messages to another server. Thread-safe. */
public interface Link {
    /**
     * What came back for a request.
     *
     * @param status the HTTP status; 200 where there is none
     * @param message the JSON-RPC response, or null when what came is none
     * @param session the session id that came with it, or null
     */
    record LinkReply(
            int status,
            @Nullable ObjectNode message,
            @Nullable String session) {}

    /**
     * A request on its way.
     *
     * @param answer fails with {@code ToolException} only
     * @param giveUp ends the waiting; further calls do nothing
     */
    record Sent(Future<LinkReply> answer, Runnable giveUp) {}

    /**
     * One request.
     *
     * @param message with an id of its own
     * @param headers for transports that have them
     * @param timeout until the answer
     * @param traceparent the W3C trace context, or null
     * @param repeatable whether sending it twice does no harm
     */
    record Outgoing(
            ObjectNode message,
            Map<String, String> headers,
            Duration timeout,
            @Nullable String traceparent,
            boolean repeatable) {}

    /** Sends a request; {@code related} gets what comes for it before its answer. */
    Sent send(Outgoing request, Consumer<ObjectNode> related);

    /** Sends a request that stays open for long without being anybody's call. */
    default Sent stand(Outgoing request, Consumer<ObjectNode> related) {
        return send(request, related);
    }

    /** Sends a notification or a response; fails with {@code ToolException} only. */
    Future<Void> post(ObjectNode message, Map<String, String> headers);

    /**
     * Listens to what belongs to no request, for as long as that is possible.
     *
     * @param headers for transports that have them
     * @param unrelated gets the messages
     * @return completes when it is over; what to call to end it is {@link Sent#giveUp}
     */
    Sent listen(Map<String, String> headers, Consumer<ObjectNode> unrelated);

    /** An id that no other request on this link has, whoever makes it. */
    long nextId();

    /** Whether the other side notices by itself that a request was given up. */
    boolean givingUpShows();

    /** Completes when nothing can be sent any more, and a new link is needed. */
    Future<Void> broken();

    /**
     * Completes when a caller's request was given up whose server may still say something for it that can't be told from
     * what it says for another: nobody else should be served on this link.
     */
    Future<Void> doubtful();

    /** Ends it. */
    Future<Void> close();
}
