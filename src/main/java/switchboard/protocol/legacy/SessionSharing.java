package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcMessage;
import switchboard.session.NewSession;
import switchboard.session.SavedSession;
import switchboard.session.Session;
import switchboard.session.SessionOwner;

/** What sessions have to do with other nodes. Futures complete on any thread. Thread-safe. */
interface SessionSharing {
    /** Whether the session of that id is known on this node, or can't be known anywhere else. */
    boolean here(String id);

    /** Looks for the session of that id on other nodes; if it is one of {@code owner}, it is known here then. */
    Future<Void> fetch(String id, SessionOwner owner);

    /**
     * Creates a session. Empty if the limit is reached and none can be replaced.
     *
     * @param rights if the session is a connection of this node, what its caller's token allows, as a digest; otherwise null
     */
    Future<Optional<NewSession<LegacySession>>> create(
            SessionOwner owner, LegacySession state, @Nullable String rights);

    /** Ends a session everywhere; returns whether it was open. */
    Future<Boolean> end(Session<LegacySession> session);

    /** Makes the changes of a session's state known. Never fails: they are tried again later. */
    Future<Void> save(Session<LegacySession> session);

    /** The sessions that this gateway keeps in a file of its own, for its next start; none if they are in a table. */
    List<SavedSession<LegacySession>> saved();

    /** Goes on with sessions of {@link #saved}. */
    void restore(List<SavedSession<LegacySession>> saved);

    /** The client answered a request of this node or of another one. */
    Future<Void> answered(Session<LegacySession> session, RpcMessage.Response response);

    /** The client takes a request back, which may run on another node. Never fails. */
    Future<Void> cancel(Session<LegacySession> session, JsonNode requestId);

    /** Sends a message on the stream that another node has. */
    void deliver(Session<LegacySession> session, byte[] json);

    /** The session's stream is open on this node now. */
    void streamOpened(Session<LegacySession> session);

    /** The session's stream on this node is over. */
    void streamClosed(Session<LegacySession> session);

    /** Hands a message to the connection of the session {@code id} on another node; returns whether there is one. */
    Future<Boolean> post(InboundMessage inboundMessage, String id);

    /** The ids of the session's events. */
    EventIds eventIds(Session<LegacySession> session);

    /** Resumes a stream of the session that another node has. */
    void resume(Session<LegacySession> session, EventIds.EventPlace position, Resumption resumption);

    /**
     * A client that comes back.
     *
     * @param sink gets the rest of the stream
     * @param refuse answers with an error instead
     */
    record Resumption(InboundMessage inboundMessage, ReplySink sink, Consumer<LegacyHttpException> refuse) {}
}
