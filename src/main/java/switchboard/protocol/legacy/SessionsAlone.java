package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.RpcMessage;
import switchboard.session.NewSession;
import switchboard.session.SavedSession;
import switchboard.session.Session;
import switchboard.session.SessionOwner;
import switchboard.session.SessionStore;

/** Sessions of a gateway by itself: all of them are here. */
record SessionsAlone(SessionStore<LegacySession> sessions) implements SessionSharing {
    @Override
    public boolean here(String id) {
        return true;
    }

    @Override
    public Future<Void> fetch(String id, SessionOwner owner) {
        return Future.succeededFuture();
    }

    @Override
    public Future<Optional<NewSession<LegacySession>>> create(
            SessionOwner owner, LegacySession state, @Nullable String rights) {
        return Future.succeededFuture(sessions.create(owner, state));
    }

    @Override
    public Future<Boolean> end(Session<LegacySession> session) {
        return Future.succeededFuture(sessions.end(session));
    }

    @Override
    public Future<Void> save(Session<LegacySession> session) {
        return Future.succeededFuture();
    }

    @Override
    public List<SavedSession<LegacySession>> saved() {
        return sessions.save();
    }

    @Override
    public void restore(List<SavedSession<LegacySession>> saved) {
        sessions.restore(saved);
    }

    @Override
    public Future<Void> answered(Session<LegacySession> session, RpcMessage.Response response) {
        session.state().questions().answered(response);
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> cancel(Session<LegacySession> session, JsonNode requestId) {
        var _ = session.state().cancel(requestId);
        return Future.succeededFuture();
    }

    @Override
    public void deliver(Session<LegacySession> session, byte[] json) {}

    @Override
    public void streamOpened(Session<LegacySession> session) {}

    @Override
    public void streamClosed(Session<LegacySession> session) {}

    @Override
    public Future<Boolean> post(InboundMessage inboundMessage, String id) {
        return Future.succeededFuture(false);
    }

    @Override
    public EventIds eventIds(Session<LegacySession> session) {
        return EventIds.ALONE;
    }

    @Override
    public void resume(Session<LegacySession> session, EventIds.EventPlace position, Resumption resumption) {
        resumption.refuse().accept(LegacyHttpException.nothingFollows());
    }
}
