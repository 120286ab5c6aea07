package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.Optional;
import switchboard.protocol.Conversation;
import switchboard.protocol.Inbound;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ReplySink;
import switchboard.protocol.Turn;
import switchboard.session.Session;

/**
 * A session that is a connection: the HTTP+SSE transport of 2024-11-05, or standard input and output. Nobody else could
 * read its answers, so requests under way end with it.
 */
final class Duplex implements Conversation {
    private final LegacyEndpoint endpoint;
    private final Session<LegacySession> session;
    private final ReplySink stream;
    private volatile boolean over;

    Duplex(LegacyEndpoint endpoint, Session<LegacySession> session, ReplySink stream) {
        this.endpoint = endpoint;
        this.session = session;
        this.stream = stream;
    }

    /** The session's id. */
    String id() {
        return session.id();
    }

    /** Takes a message that came in elsewhere. */
    void post(Inbound inbound, JsonNode body) {
        stream.execute(() -> take(inbound, body));
    }

    /** The stream of changes is over, and with it the session; what is under way is still answered. */
    void leave() {
        over = true;
        endpoint.end(session);
    }

    @Override
    public Future<Void> take(Inbound inbound, JsonNode body) {
        Turn turn = new Turn(stream);
        endpoint.exchange(inbound.withoutHeaders(), body, turn, Channel.of(session));
        return turn.over();
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
    public Optional<Conversation> renew(Inbound opening) {
        return endpoint.converse(opening, stream, session.state());
    }

    @Override
    public void end() {
        session.state().cancelAll();
        leave();
    }
}
