package switchboard.protocol;

import io.vertx.core.Future;
import java.util.Optional;

/**
 * A legacy client on a two-way connection, where the session is the connection: its messages come in one by one, and
 * everything for it is sent on one stream. Used on the stream's event loop.
 */
public interface StreamConversation {
    /** Takes one message or batch; completes when all of its answers are sent. Never fails. */
    Future<Void> take(InboundMessage inboundMessage, IncomingMessages incoming);

    /** The protocol version, as far as it is negotiated. */
    ProtocolVersion version();

    /** Whether the gateway has ended the session, so that the client gets no more notifications. */
    boolean over();

    /**
     * The same conversation in a new session with the same negotiated version; empty if no session is available now.
     */
    Optional<StreamConversation> renew(InboundMessage opening);

    /** Ends the session and its requests under way, because the connection is closed. */
    void end();
}
