package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.auth.PrincipalId;
import switchboard.cluster.Cluster;
import switchboard.protocol.AcceptedTypes;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.IncomingMessages;
import switchboard.protocol.LegacyHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RequestRunner;
import switchboard.protocol.StreamConversation;
import switchboard.protocol.StreamedReply;
import switchboard.protocol.UnknownRequestId;
import switchboard.protocol.method.SharedMethods;
import switchboard.session.NewSession;
import switchboard.session.Session;
import switchboard.session.SessionLimits;
import switchboard.session.SessionStore;

/** The protocol up to 2025-11-25. Thread-safe. */
public final class LegacyEndpoint implements LegacyHandler {
    private final ProtocolServices services;
    private final SessionStore<LegacySession> sessions;
    private final SessionResolver sessionResolver;
    private final LegacyRequestHandler legacyRequestHandler;
    private final ResumeLimits resume;
    private final SavedSessions savedSessions;
    private final SessionSharing sharing;

    /**
     * An endpoint without sessions.
     *
     * @param clock the wall clock, for sessions that are saved
     * @param ticker measures idle time
     * @param cluster the nodes that it shares its sessions with, or null for none
     */
    public LegacyEndpoint(
            ProtocolServices services,
            SessionLimits limits,
            ResumeLimits resume,
            Clock clock,
            Ticker ticker,
            @Nullable Cluster cluster) {
        this.services = services;
        this.resume = resume;
        this.sessions = new SessionStore<>(limits, ticker, (session, age) -> {
            session.state().end();
            services.changes().watching().forget(session.state());
            services.observer().sessionEnded(age);
        });
        this.savedSessions = new SavedSessions(clock, limits.idleTtl(), resume);
        this.sessionResolver = new SessionResolver(sessions);
        if (cluster == null) {
            this.sharing = new SessionsAlone(sessions);
        } else {
            SessionCopies copies =
                    new SessionCopies(cluster, sessions, services.changes().watching(), resume, limits.idleTtl());
            SharedAnswers answers = new SharedAnswers(cluster, sessions, services.changes(), resume.retry());
            this.sharing = new SharedSessions(cluster, sessions, copies, answers);
            cluster.listen(new OtherNodes(sessions, copies, answers));
        }
        this.legacyRequestHandler = new LegacyRequestHandler(new LegacyRequests.Services(
                services, SharedMethods.over(services), new RequestRunner(services), sessions, sharing, resume));
    }

    @Override
    public Optional<ProtocolVersion> agreed(InboundMessage inboundMessage) {
        return sessionResolver.agreed(inboundMessage);
    }

    @Override
    public Optional<ProtocolVersion> agreed(InboundMessage inboundMessage, String id) {
        return sessionResolver.agreed(inboundMessage, id);
    }

    /** Runs {@code use} when the session that is named is known here, if there is one. */
    private void whenKnown(
            InboundMessage inboundMessage, @Nullable String id, ReplySink sink, JsonNode unknownId, Runnable use) {
        Future<Void> known = id == null || sharing.here(id)
                ? Future.succeededFuture()
                : sharing.fetch(id, SessionResolver.owner(inboundMessage));
        sink.when(known, fetched -> {
            if (fetched.succeeded()) {
                use.run();
            } else {
                LegacyHttpException.unreachable().send(sink, unknownId);
            }
        });
    }

    private static @Nullable String session(InboundMessage inboundMessage) {
        return inboundMessage.header(SessionResolver.SESSION_HEADER);
    }

    @Override
    public void post(InboundMessage inboundMessage, IncomingMessages incoming, ReplySink sink) {
        JsonNode id = UnknownRequestId.answering(incoming, UnknownRequestId.in(ProtocolVersion.ASSUMED));
        whenKnown(inboundMessage, session(inboundMessage), sink, id, () -> postHere(inboundMessage, incoming, sink));
    }

    private void postHere(InboundMessage inboundMessage, IncomingMessages incoming, ReplySink sink) {
        try {
            legacyRequestHandler.answer(
                    inboundMessage, incoming, sink, channel(inboundMessage, BatchRules.opens(incoming.first())));
        } catch (LegacyHttpException refusal) {
            refusal.send(sink, UnknownRequestId.answering(incoming, unknownId(inboundMessage)));
        }
    }

    @Override
    public void openPair(InboundMessage inboundMessage, Consumer<String> announce, ReplySink sink) {
        LegacySession state = LegacySession.beforeHandshake(resume);
        String rights = TokenRights.digest(inboundMessage.principal());
        sink.when(
                sharing.create(SessionResolver.owner(inboundMessage), state, rights),
                made -> openPair(inboundMessage, made, announce, sink));
    }

    private void openPair(
            InboundMessage inboundMessage,
            AsyncResult<Optional<NewSession<LegacySession>>> made,
            Consumer<String> announce,
            ReplySink sink) {
        try {
            if (made.failed()) {
                throw LegacyHttpException.unreachable();
            }
            NewSession<LegacySession> created = made.result().orElseThrow(LegacyHttpException::noPair);
            StreamSession streamSession = begin(inboundMessage, sink, sink, created);
            sink.onGone(streamSession::end);
            announce.accept(streamSession.id());
        } catch (LegacyHttpException refusal) {
            refusal.send(sink, unknownId(inboundMessage));
        }
    }

    @Override
    public void postPair(InboundMessage inboundMessage, String id, IncomingMessages incoming, ReplySink sink) {
        Optional<StreamSession> streamSession = sessions.find(id, SessionResolver.owner(inboundMessage))
                .flatMap(session -> Optional.ofNullable(session.state().streamSession()));
        if (streamSession.isPresent()) {
            sink.end(202, Map.of(), EncodedJson.NOTHING);
            streamSession.get().post(inboundMessage, incoming);
            return;
        }
        JsonNode unknown = UnknownRequestId.answering(incoming, unknownId(inboundMessage));
        sink.when(sharing.post(inboundMessage, id), taken -> {
            if (taken.failed()) {
                LegacyHttpException.unreachable().send(sink, unknown);
            } else if (taken.result()) {
                sink.end(202, Map.of(), EncodedJson.NOTHING);
            } else {
                LegacyHttpException.unknownPair().send(sink, unknown);
            }
        });
    }

    @Override
    public Optional<StreamConversation> converse(InboundMessage opening, ReplySink stream) {
        return converse(opening, stream, LegacySession.beforeHandshake(resume));
    }

    /** Begins a conversation, or continues one, in a new session with the state {@code state}. */
    Optional<StreamConversation> converse(InboundMessage opening, ReplySink stream, LegacySession state) {
        try {
            // The end of the session is not the end of the connection: answers still go out.
            NewSession<LegacySession> created =
                    sessions.create(SessionResolver.owner(opening), state).orElseThrow(LegacyHttpException::noPair);
            return Optional.of(begin(opening, stream, new StreamedReply(stream), created));
        } catch (LegacyHttpException refusal) {
            return Optional.empty();
        }
    }

    /** Answers what came in on the connection of a session. */
    void exchange(
            InboundMessage inboundMessage, IncomingMessages incoming, ReplySink sink, SessionBinding sessionBinding) {
        try {
            legacyRequestHandler.answer(inboundMessage, incoming, sink, sessionBinding);
        } catch (LegacyHttpException refusal) {
            refusal.send(sink, UnknownRequestId.answering(incoming, sessionBinding.unknownId()));
        }
    }

    void end(Session<LegacySession> session) {
        var _ = sharing.end(session);
    }

    @Override
    public void get(InboundMessage inboundMessage, ReplySink sink) {
        JsonNode unknown = UnknownRequestId.in(ProtocolVersion.ASSUMED);
        whenKnown(inboundMessage, session(inboundMessage), sink, unknown, () -> getHere(inboundMessage, sink));
    }

    private void getHere(InboundMessage inboundMessage, ReplySink sink) {
        try {
            Session<LegacySession> session = sessionResolver.requiredSession(inboundMessage);
            SessionResolver.named(inboundMessage);
            String last = inboundMessage.header("Last-Event-ID");
            Optional<ReplayBuffer> replayBuffer = session.state().replayBuffer();
            if (last != null && !last.isEmpty() && replayBuffer.isPresent()) {
                resume(inboundMessage, session, replayBuffer.get(), last, sink);
                return;
            }
            new GetStream(services, sessions, sharing, inboundMessage, session, sink, () -> {}).open();
        } catch (LegacyHttpException refusal) {
            refusal.send(sink, unknownId(inboundMessage));
        }
    }

    /** Resumes the stream of one request after the event {@code last}. */
    private void resume(
            InboundMessage inboundMessage,
            Session<LegacySession> session,
            ReplayBuffer replayBuffer,
            String last,
            ReplySink sink)
            throws LegacyHttpException {
        if (!AcceptedTypes.of(inboundMessage.header("Accept")).stream()) {
            throw new LegacyHttpException(406, "Accept must allow text/event-stream.");
        }
        EventIds.EventPlace position =
                sharing.eventIds(session).read(last).orElseThrow(LegacyHttpException::nothingFollows);
        if (position.elsewhere() == null) {
            replayBuffer.stream(position.event().stream())
                    .orElseThrow(LegacyHttpException::nothingFollows)
                    .resume(position.event(), sink);
            return;
        }
        sharing.resume(
                session,
                position,
                new SessionSharing.Resumption(
                        inboundMessage, sink, refusal -> refusal.send(sink, unknownId(inboundMessage))));
    }

    @Override
    public void delete(InboundMessage inboundMessage, ReplySink sink) {
        JsonNode unknown = UnknownRequestId.in(ProtocolVersion.ASSUMED);
        whenKnown(inboundMessage, session(inboundMessage), sink, unknown, () -> deleteHere(inboundMessage, sink));
    }

    private void deleteHere(InboundMessage inboundMessage, ReplySink sink) {
        try {
            sink.when(
                    sharing.end(sessionResolver.requiredSession(inboundMessage)),
                    ended -> deleted(inboundMessage, ended, sink));
        } catch (LegacyHttpException refusal) {
            refusal.send(sink, unknownId(inboundMessage));
        }
    }

    private void deleted(InboundMessage inboundMessage, AsyncResult<Boolean> ended, ReplySink sink) {
        if (ended.failed()) {
            LegacyHttpException.unreachable().send(sink, unknownId(inboundMessage));
        } else if (ended.result()) {
            sink.end(204, Map.of(), EncodedJson.NOTHING);
        } else {
            LegacyHttpException.unknownSession().send(sink, unknownId(inboundMessage));
        }
    }

    @Override
    public void endSessions(Predicate<PrincipalId> whose) {
        sessions.endAll(owner -> whose.test(owner.identity()));
    }

    @Override
    public long evictedSessions() {
        return sessions.evicted();
    }

    @Override
    public byte[] saveSessions() {
        return savedSessions.write(sharing.saved());
    }

    @Override
    public void restoreSessions(byte[] saved) {
        sharing.restore(savedSessions.read(saved));
    }

    @Override
    public int sessions() {
        return sessions.live();
    }

    private JsonNode unknownId(InboundMessage inboundMessage) {
        return UnknownRequestId.of(inboundMessage, agreed(inboundMessage));
    }

    /**
     * The session binding for a message. A handshake has no version to check yet, but a session id sent with it must
     * be valid.
     */
    private SessionBinding channel(InboundMessage inboundMessage, boolean opens) throws LegacyHttpException {
        if (!opens) {
            return sessionResolver.find(inboundMessage);
        }
        Session<LegacySession> session = sessionResolver.session(inboundMessage);
        return session == null ? new SessionBinding(ProtocolVersion.ASSUMED, null) : SessionBinding.of(session);
    }

    /**
     * A new session whose answers go to {@code stream}, with notifications of changes on {@code changes}; it ends with
     * them.
     */
    private StreamSession begin(
            InboundMessage opening, ReplySink stream, ReplySink changes, NewSession<LegacySession> created)
            throws LegacyHttpException {
        Session<LegacySession> session = created.session();
        StreamSession streamSession = new StreamSession(this, created, opening, stream);
        session.state().streamSession(streamSession);
        try {
            new GetStream(services, sessions, sharing, opening, session, changes, streamSession::leave).open();
        } catch (LegacyHttpException refusal) {
            end(session);
            throw refusal;
        }
        return streamSession;
    }
}
