package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import switchboard.auth.Identity;

/** The protocol up to 2025-11-25, as the endpoint sees it: whatever is not a request of the modern era goes here. */
public interface LegacyEra {
    /** The revision that was agreed on in the session of the message, if it has one. */
    Optional<ProtocolVersion> agreed(Inbound inbound);

    /** The same for the session {@code id} of the HTTP+SSE transport. */
    Optional<ProtocolVersion> agreed(Inbound inbound, String id);

    /** One message by itself. */
    void single(Inbound inbound, RpcMessage message, ReplySink sink);

    /** The elements of a batch; at least one. */
    void batch(Inbound inbound, List<RpcMessage> elements, ReplySink sink);

    /** The standing stream of a session. */
    void get(Inbound inbound, ReplySink sink);

    /** The end of a session. */
    void delete(Inbound inbound, ReplySink sink);

    /** Opens the stream of the HTTP+SSE transport, and tells {@code announce} the session's id on it. */
    void openPair(Inbound inbound, Consumer<String> announce, ReplySink sink);

    /** Hands a message to the stream of the session {@code id}; {@code sink} hears whether it was taken. */
    void postPair(Inbound inbound, String id, JsonNode body, ReplySink sink);

    /** Begins a conversation on {@code stream}; nothing when no more are possible now. */
    Optional<Conversation> converse(Inbound opening, ReplySink stream);

    /** Ends the sessions of those that {@code whose} names. */
    void endSessions(Predicate<Identity> whose);

    /** How many sessions are alive. */
    int sessions();

    /** How many sessions had to give way to others so far. */
    default long evictedSessions() {
        return 0;
    }
}
