package switchboard.protocol;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import switchboard.auth.PrincipalId;

/** The protocol up to 2025-11-25, as the endpoint sees it: whatever is not a request of the modern era goes here. */
public interface LegacyHandler {
    /** The revision that was agreed on in the session of the message, if it has one. */
    Optional<ProtocolVersion> agreed(InboundMessage inboundMessage);

    /** The same for the session {@code id} of the HTTP+SSE transport. */
    Optional<ProtocolVersion> agreed(InboundMessage inboundMessage, String id);

    /** Answers a message, or a batch. */
    void post(InboundMessage inboundMessage, IncomingMessages incoming, ReplySink sink);

    /** The standing stream of a session. */
    void get(InboundMessage inboundMessage, ReplySink sink);

    /** The end of a session. */
    void delete(InboundMessage inboundMessage, ReplySink sink);

    /** Opens the stream of the HTTP+SSE transport; {@code announce} receives the session's id. */
    void openPair(InboundMessage inboundMessage, Consumer<String> announce, ReplySink sink);

    /** Hands a message to the stream of the session {@code id}; {@code sink} gets the answer whether it was taken. */
    void postPair(InboundMessage inboundMessage, String id, IncomingMessages incoming, ReplySink sink);

    /** Begins a conversation on {@code stream}; nothing when no more are possible now. */
    Optional<StreamConversation> converse(InboundMessage opening, ReplySink stream);

    /** Ends the sessions of matching owners. */
    void endSessions(Predicate<PrincipalId> whose);

    /** The sessions that a restarted process can go on with, as lines of JSON; nothing if there are none. */
    default byte[] saveSessions() {
        return new byte[0];
    }

    /** Goes on with sessions that another process has saved, as far as they can be read. */
    default void restoreSessions(byte[] saved) {}

    /** How many sessions are alive. */
    int sessions();

    /** How many sessions were replaced by newer ones so far. */
    default long evictedSessions() {
        return 0;
    }
}
