package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import switchboard.auth.PrincipalId;
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

    /**
     * An endpoint without sessions.
     *
     * @param clock the wall clock, for sessions that are saved
     * @param ticker measures idle time
     */
    public LegacyEndpoint(
            ProtocolServices services, SessionLimits limits, ResumeLimits resume, Clock clock, Ticker ticker) {
        this.services = services;
        this.resume = resume;
        this.sessions = new SessionStore<>(limits, ticker, (session, age) -> {
            session.state().end();
            services.changes().watching().forget(session.state());
            services.observer().sessionEnded(age);
        });
        this.savedSessions = new SavedSessions(clock, limits.idleTtl(), resume);
        this.sessionResolver = new SessionResolver(sessions);
        this.legacyRequestHandler = new LegacyRequestHandler(new LegacyRequests.Services(
                services, SharedMethods.over(services), new RequestRunner(services), sessions, resume));
    }

    @Override
    public Optional<ProtocolVersion> agreed(InboundMessage inboundMessage) {
        return sessionResolver.agreed(inboundMessage);
    }

    @Override
    public Optional<ProtocolVersion> agreed(InboundMessage inboundMessage, String id) {
        return sessionResolver.agreed(inboundMessage, id);
    }

    @Override
    public void post(InboundMessage inboundMessage, IncomingMessages incoming, ReplySink sink) {
        try {
            legacyRequestHandler.answer(
                    inboundMessage, incoming, sink, channel(inboundMessage, BatchRules.opens(incoming.first())));
        } catch (LegacyHttpException refusal) {
            refusal.send(sink, UnknownRequestId.answering(incoming, unknownId(inboundMessage)));
        }
    }

    @Override
    public void openPair(InboundMessage inboundMessage, Consumer<String> announce, ReplySink sink) {
        try {
            StreamSession streamSession = begin(inboundMessage, sink, sink, LegacySession.beforeHandshake(resume));
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
        } else {
            LegacyHttpException.unknownPair()
                    .send(sink, UnknownRequestId.answering(incoming, unknownId(inboundMessage)));
        }
    }

    @Override
    public Optional<StreamConversation> converse(InboundMessage opening, ReplySink stream) {
        return converse(opening, stream, LegacySession.beforeHandshake(resume));
    }

    /** Begins a conversation, or continues one, in a new session with the state {@code state}. */
    Optional<StreamConversation> converse(InboundMessage opening, ReplySink stream, LegacySession state) {
        try {
            // The end of the session is not the end of the connection: answers still go out.
            return Optional.of(begin(opening, stream, new StreamedReply(stream), state));
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
        sessions.end(session);
    }

    @Override
    public void get(InboundMessage inboundMessage, ReplySink sink) {
        try {
            Session<LegacySession> session = sessionResolver.requiredSession(inboundMessage);
            SessionResolver.named(inboundMessage);
            String last = inboundMessage.header("Last-Event-ID");
            Optional<ReplayBuffer> replayBuffer = session.state().replayBuffer();
            if (last != null && !last.isEmpty() && replayBuffer.isPresent()) {
                resume(inboundMessage, replayBuffer.get(), last, sink);
                return;
            }
            new GetStream(services, sessions, inboundMessage, session, sink, () -> {}).open();
        } catch (LegacyHttpException refusal) {
            refusal.send(sink, unknownId(inboundMessage));
        }
    }

    /** Resumes the stream of one request after the event {@code last}. */
    private static void resume(InboundMessage inboundMessage, ReplayBuffer replayBuffer, String last, ReplySink sink)
            throws LegacyHttpException {
        if (!AcceptedTypes.of(inboundMessage.header("Accept")).stream()) {
            throw new LegacyHttpException(406, "Accept must allow text/event-stream.");
        }
        ReplayBuffer.EventId position = ReplayBuffer.EventId.of(last).orElseThrow(LegacyHttpException::nothingFollows);
        replayBuffer.stream(position.stream())
                .orElseThrow(LegacyHttpException::nothingFollows)
                .resume(position, sink);
    }

    @Override
    public void delete(InboundMessage inboundMessage, ReplySink sink) {
        try {
            Session<LegacySession> session = sessionResolver.requiredSession(inboundMessage);
            if (!sessions.end(session)) {
                throw LegacyHttpException.unknownSession();
            }
            sink.end(204, Map.of(), EncodedJson.NOTHING);
        } catch (LegacyHttpException refusal) {
            refusal.send(sink, unknownId(inboundMessage));
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
        return savedSessions.write(sessions.save());
    }

    @Override
    public void restoreSessions(byte[] saved) {
        sessions.restore(savedSessions.read(saved));
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
     * A session whose answers go to {@code stream}, with notifications of changes on {@code changes}; it ends with
     * them.
     */
    private StreamSession begin(InboundMessage opening, ReplySink stream, ReplySink changes, LegacySession state)
            throws LegacyHttpException {
        NewSession<LegacySession> created =
                sessions.create(SessionResolver.owner(opening), state).orElseThrow(LegacyHttpException::noPair);
        Session<LegacySession> session = created.session();
        StreamSession streamSession = new StreamSession(this, created, stream);
        state.streamSession(streamSession);
        try {
            new GetStream(services, sessions, opening, session, changes, streamSession::leave).open();
        } catch (LegacyHttpException refusal) {
            end(session);
            throw refusal;
        }
        return streamSession;
    }
}
