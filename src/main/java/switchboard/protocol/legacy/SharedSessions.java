package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.cluster.Cluster;
import switchboard.cluster.NodeMessage;
import switchboard.cluster.SessionRow;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.RpcMessage;
import switchboard.session.NewSession;
import switchboard.session.SavedSession;
import switchboard.session.Session;
import switchboard.session.SessionOwner;
import switchboard.session.SessionStore;

/**
 * Sessions that several nodes share. The table is the truth; each node keeps copies of the sessions that were used on it, so a request of a known
 * session asks nobody. Whoever changes or ends one waits for a moment until the others know, so that the client's next request finds it
 * so on any node.
 */
final class SharedSessions implements SessionSharing {
    private static final Logger LOG = LoggerFactory.getLogger(SharedSessions.class);
    private static final int LONGEST_REQUEST_ID = 1024;

    private final Cluster cluster;
    private final SessionStore<LegacySession> sessions;
    private final SessionCopies copies;
    private final SharedAnswers answers;
    private final Map<Sought, Future<Void>> fetching = new ConcurrentHashMap<>();

    /** A session that a caller names. */
    private record Sought(String key, SessionOwner owner) {}

    SharedSessions(Cluster cluster, SessionStore<LegacySession> sessions, SessionCopies copies, SharedAnswers answers) {
        this.cluster = cluster;
        this.sessions = sessions;
        this.copies = copies;
        this.answers = answers;
    }

    @Override
    public boolean here(String id) {
        return !SessionStore.possible(id) || sessions.kept(SessionStore.key(id)).isPresent();
    }

    @Override
    public Future<Void> fetch(String id, SessionOwner owner) {
        Sought sought = new Sought(SessionStore.key(id), owner);
        Promise<Void> own = Promise.promise();
        Future<Void> running = fetching.putIfAbsent(sought, own.future());
        if (running != null) {
            return running;
        }
        Future<Void> found = cluster.sessions().find(sought.key()).map(row -> {
            row.filter(one -> one.connection() == null && one.owner().equals(owner))
                    .ifPresent(copies::adopt);
            return null;
        });
        Futures.settle(
                found,
                done -> {
                    fetching.remove(sought);
                    own.handle(done);
                },
                own::tryFail);
        return own.future();
    }

    @Override
    public Future<Optional<NewSession<LegacySession>>> create(
            SessionOwner owner, LegacySession state, @Nullable String rights) {
        NewSession<LegacySession> made = sessions.prepare(owner, state);
        SessionRow row = new SessionRow(
                made.session().key(),
                owner,
                Json.text(SessionStateJson.write(state, Json.object())),
                1,
                new SessionRow.Times(0, 0),
                null,
                rights == null ? null : new SessionRow.OpenConnection(cluster.node(), true, rights));
        return cluster.sessions()
                .create(row, _ -> false)
                .compose(creation -> creation.made()
                        ? Future.succeededFuture(creation)
                        : copies.touch().compose(_ -> cluster.sessions().create(row, sessions::giveUp)))
                .compose(creation -> {
                    if (creation.made()) {
                        state.share(cluster.node(), row.revision());
                        sessions.admit(made);
                    }
                    return tellReplaced(creation.replaced())
                            .map(creation.made() ? Optional.of(made) : Optional.empty());
                });
    }

    /** Ends sessions here and tells the other nodes, which know of it before the new session's client has its answer. */
    private Future<Void> tellReplaced(List<String> keys) {
        return Future.join(keys.stream()
                        .map(key -> {
                            copies.ended(key);
                            return cluster.tellEnded(key);
                        })
                        .toList())
                .mapEmpty();
    }

    @Override
    public Future<Boolean> end(Session<LegacySession> session) {
        if (session.state().streamSession() != null) {
            // Its connection is over, whatever becomes of the row.
            boolean open = sessions.end(session);
            Futures.finish(cluster.sessions().end(session.key()), _ -> {}, kept -> LOG.debug("swept later", kept));
            return Future.succeededFuture(open);
        }
        return cluster.sessions().end(session.key()).compose(ended -> {
            boolean open = sessions.kept(session.key()).isPresent();
            copies.ended(session.key());
            return cluster.tellEnded(session.key()).map(open || ended);
        });
    }

    @Override
    public Future<Void> save(Session<LegacySession> session) {
        return cluster.reachable() ? copies.write(session) : Future.succeededFuture();
    }

    @Override
    public List<SavedSession<LegacySession>> saved() {
        return List.of();
    }

    @Override
    public void restore(List<SavedSession<LegacySession>> saved) {}

    @Override
    public Future<Void> answered(Session<LegacySession> session, RpcMessage.Response response) {
        Optional<String> node = session.state().questions().elsewhere(response.id());
        if (node.isEmpty()) {
            session.state().questions().answered(response);
            return Future.succeededFuture();
        }
        return cluster.toNode(message(NodeMessage.Kind.RESPONSE, session, Json.text(response.body())), node.get())
                .mapEmpty();
    }

    @Override
    public Future<Void> cancel(Session<LegacySession> session, JsonNode requestId) {
        if (session.state().cancel(requestId)
                || !requestId.isValueNode()
                || requestId.asText().length() > LONGEST_REQUEST_ID) {
            return Future.succeededFuture();
        }
        return cluster.toOthers(message(NodeMessage.Kind.CANCEL, session, Json.text(requestId)))
                .recover(lost -> {
                    LOG.debug("a cancellation reaches no other node", lost);
                    return Future.succeededFuture();
                });
    }

    @Override
    public void deliver(Session<LegacySession> session, byte[] json) {
        forget(cluster.toStream(message(NodeMessage.Kind.DELIVER, session, new String(json, StandardCharsets.UTF_8))));
    }

    @Override
    public void streamOpened(Session<LegacySession> session) {
        if (session.state().streamSession() == null) {
            forget(copies.streamOpened(session));
        }
    }

    @Override
    public void streamClosed(Session<LegacySession> session) {
        if (session.state().streamSession() == null) {
            forget(copies.streamClosed(session));
        }
    }

    private static NodeMessage message(NodeMessage.Kind kind, Session<LegacySession> session, String body) {
        return new NodeMessage(kind, session.key(), body);
    }

    private static void forget(Future<?> attempt) {
        Futures.finish(attempt, _ -> {}, failure -> LOG.debug("another node was not told", failure));
    }

    @Override
    public Future<Boolean> post(InboundMessage inboundMessage, String id) {
        if (!SessionStore.possible(id)) {
            return Future.succeededFuture(false);
        }
        String key = SessionStore.key(id);
        SessionOwner owner = SessionResolver.owner(inboundMessage);
        String rights = TokenRights.digest(inboundMessage.principal());
        String body = new String(inboundMessage.body(), StandardCharsets.UTF_8);
        return cluster.sessions().find(key).compose(row -> {
            // The other node uses the rights of the token that opened the connection: this one must have the same.
            Optional<String> node = row.filter(one -> one.owner().equals(owner))
                    .flatMap(one -> Optional.ofNullable(one.connection()))
                    .filter(connection ->
                            connection.alive() && connection.rights().equals(rights))
                    .map(SessionRow.OpenConnection::node)
                    .filter(other -> !other.equals(cluster.node()));
            return node.isPresent()
                    ? cluster.toNode(new NodeMessage(NodeMessage.Kind.POST, key, body), node.get())
                    : Future.succeededFuture(false);
        });
    }

    @Override
    public EventIds eventIds(Session<LegacySession> session) {
        return new EventIds(session.key(), cluster.node());
    }

    @Override
    public void resume(Session<LegacySession> session, EventIds.EventPlace position, Resumption resumption) {
        answers.resume(session.key(), position, resumption);
    }
}
