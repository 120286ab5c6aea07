package switchboard.protocol.legacy;

import io.vertx.core.Future;
import java.util.Optional;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.IncomingMessages;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ReplySink;
import switchboard.protocol.StreamConversation;
import switchboard.protocol.StreamedReply;
import switchboard.session.NewSession;
import switchboard.session.Session;

/**
 * A session that is a connection: the HTTP+SSE transport of 2024-11-05, or standard input and output. Its answers
 * can't be delivered elsewhere, so requests under way end with it.
 */
final class StreamSession implements StreamConversation {
    private final LegacyEndpoint endpoint;
    private final String id;
    private final Session<LegacySession> session;
    private final InboundMessage opening;
    private final ReplySink stream;
    private volatile boolean over;

    StreamSession(
            LegacyEndpoint endpoint, NewSession<LegacySession> created, InboundMessage opening, ReplySink stream) {
        this.endpoint = endpoint;
        this.id = created.id();
        this.session = created.session();
        this.opening = opening.withoutHeaders();
        this.stream = stream;
    }

    /** The session's id. */
    String id() {
        return id;
    }

    /** Takes a message that came in elsewhere. */
    void post(InboundMessage inboundMessage, IncomingMessages incoming) {
        stream.execute(() -> take(inboundMessage, incoming));
    }

    /** Takes a message that came in on another node, from a caller with the rights of the one who opened the connection. */
    void postElsewhere(byte[] body, IncomingMessages incoming) {
        post(
                new InboundMessage(
                        opening.view(),
                        opening.transport(),
                        opening.principal(),
                        opening.address(),
                        opening.headers(),
                        body),
                incoming);
    }

    /** The stream of changes has ended, and the session with it. Requests under way are still answered. */
    void leave() {
        over = true;
        endpoint.end(session);
    }

    @Override
    public Future<Void> take(InboundMessage inboundMessage, IncomingMessages incoming) {
        StreamedReply streamedReply = new StreamedReply(stream);
        endpoint.exchange(inboundMessage.withoutHeaders(), incoming, streamedReply, SessionBinding.of(session));
        return streamedReply.over();
    }

    @Override
    public ProtocolVersion version() {
        return session.state().version();
    }

    @Override
    public boolean over() {
        return over;
    }

    @Override
    public Optional<StreamConversation> renew(InboundMessage opening) {
        return endpoint.converse(opening, stream, session.state());
    }

    @Override
    public void end() {
        session.state().cancelAll();
        leave();
    }
}
