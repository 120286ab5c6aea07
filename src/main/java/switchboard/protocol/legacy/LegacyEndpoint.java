package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.benmanes.caffeine.cache.Ticker;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import switchboard.auth.Identity;
import switchboard.protocol.Accept;
import switchboard.protocol.Conversation;
import switchboard.protocol.Inbound;
import switchboard.protocol.JsonParts;
import switchboard.protocol.LegacyEra;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RequestRunner;
import switchboard.protocol.RpcMessage;
import switchboard.protocol.Turn;
import switchboard.protocol.UnknownId;
import switchboard.protocol.modern.SharedMethods;
import switchboard.session.Session;
import switchboard.session.SessionLimits;
import switchboard.session.SessionStore;

/** The protocol up to 2025-11-25. Thread-safe. */
public final class LegacyEndpoint implements LegacyEra {
    private final ProtocolServices services;
    private final SessionStore<LegacySession> sessions;
    private final Channels channels;
    private final Exchanges exchanges;
    private final ResumeLimits resume;

    /** An endpoint with an empty session store; {@code ticker} measures idle time. */
    public LegacyEndpoint(ProtocolServices services, SessionLimits limits, ResumeLimits resume, Ticker ticker) {
        this.services = services;
        this.resume = resume;
        this.sessions = new SessionStore<>(limits, ticker, (session, age) -> {
            session.state().end();
            services.observer().sessionEnded(age);
        });
        this.channels = new Channels(sessions);
        this.exchanges = new Exchanges(new LegacyExchange.Tools(
                services, SharedMethods.over(services), new RequestRunner(services), sessions, resume));
    }

    @Override
    public Optional<ProtocolVersion> agreed(Inbound inbound) {
        return channels.agreed(inbound);
    }

    @Override
    public Optional<ProtocolVersion> agreed(Inbound inbound, String id) {
        return channels.agreed(inbound, id);
    }

    @Override
    public void single(Inbound inbound, RpcMessage message, ReplySink sink) {
        try {
            exchanges.single(inbound, message, sink, channel(inbound, BatchRules.opens(List.of(message))));
        } catch (Refusal refusal) {
            refusal.send(sink, UnknownId.answering(message, unknownId(inbound)));
        }
    }

    @Override
    public void batch(Inbound inbound, List<RpcMessage> elements, ReplySink sink) {
        try {
            exchanges.batch(inbound, elements, sink, channel(inbound, BatchRules.opens(elements)));
        } catch (Refusal refusal) {
            refusal.send(sink, BatchRules.asked(elements).map(UnknownId::in).orElseGet(() -> unknownId(inbound)));
        }
    }

    @Override
    public void openPair(Inbound inbound, Consumer<String> announce, ReplySink sink) {
        try {
            Duplex duplex = begin(inbound, sink, sink, LegacySession.beforeHandshake(resume));
            sink.onGone(duplex::end);
            announce.accept(duplex.id());
        } catch (Refusal refusal) {
            refusal.send(sink, unknownId(inbound));
        }
    }

    @Override
    public void postPair(Inbound inbound, String id, JsonNode body, ReplySink sink) {
        Optional<Duplex> duplex = sessions.find(id, Channels.owner(inbound))
                .flatMap(session -> Optional.ofNullable(session.state().duplex()));
        if (duplex.isPresent()) {
            sink.end(202, Map.of(), JsonParts.NOTHING);
            duplex.get().post(inbound, body);
        } else {
            Refusal.unknownPair().send(sink, UnknownId.answering(body, unknownId(inbound)));
        }
    }

    @Override
    public Optional<Conversation> converse(Inbound opening, ReplySink stream) {
        return converse(opening, stream, LegacySession.beforeHandshake(resume));
    }

    /** Begins a conversation, or goes on with one, in a new session that remembers {@code state}. */
    Optional<Conversation> converse(Inbound opening, ReplySink stream, LegacySession state) {
        try {
            // The end of the session is not the end of the connection: answers still go out.
            return Optional.of(begin(opening, stream, new Turn(stream), state));
        } catch (Refusal refusal) {
            return Optional.empty();
        }
    }

    void exchange(Inbound inbound, JsonNode body, ReplySink sink, Channel channel) {
        exchanges.any(inbound, body, sink, channel);
    }

    void end(Session<LegacySession> session) {
        sessions.end(session.id(), session.owner());
    }

    @Override
    public void get(Inbound inbound, ReplySink sink) {
        try {
            Session<LegacySession> session = channels.requiredSession(inbound);
            Channels.named(inbound);
            String last = inbound.header("Last-Event-ID");
            Optional<Transcript> transcript = session.state().transcript();
            if (last != null && !last.isEmpty() && transcript.isPresent()) {
                resume(inbound, transcript.get(), last, sink);
                return;
            }
            new StandingStream(services, sessions, inbound, session, sink, () -> {}).open();
        } catch (Refusal refusal) {
            refusal.send(sink, unknownId(inbound));
        }
    }

    /** Goes on with the stream of one request, behind the event {@code last}. */
    private static void resume(Inbound inbound, Transcript transcript, String last, ReplySink sink) throws Refusal {
        if (!Accept.of(inbound.header("Accept")).stream()) {
            throw new Refusal(406, "Accept must allow text/event-stream.");
        }
        Transcript.Place place = Transcript.Place.of(last).orElseThrow(Refusal::nothingFollows);
        transcript.stream(place.stream()).orElseThrow(Refusal::nothingFollows).resume(place, sink);
    }

    @Override
    public void delete(Inbound inbound, ReplySink sink) {
        try {
            Session<LegacySession> session = channels.requiredSession(inbound);
            if (!sessions.end(session.id(), session.owner())) {
                throw Refusal.unknownSession();
            }
            sink.end(204, Map.of(), JsonParts.NOTHING);
        } catch (Refusal refusal) {
            refusal.send(sink, unknownId(inbound));
        }
    }

    @Override
    public void endSessions(Predicate<Identity> whose) {
        sessions.endAll(owner -> whose.test(owner.identity()));
    }

    @Override
    public long evictedSessions() {
        return sessions.evicted();
    }

    @Override
    public int sessions() {
        return sessions.live();
    }

    private JsonNode unknownId(Inbound inbound) {
        return UnknownId.of(inbound, agreed(inbound));
    }

    /** The handshake comes before there is a version to check; a session id beside it must still be a live one. */
    private Channel channel(Inbound inbound, boolean opens) throws Refusal {
        if (!opens) {
            return channels.find(inbound);
        }
        Session<LegacySession> session = channels.session(inbound);
        return session == null ? new Channel(ProtocolVersion.ASSUMED, null) : Channel.of(session);
    }

    /** A session whose answers go to {@code stream}, and which is told of changes by {@code changes} and as long. */
    private Duplex begin(Inbound opening, ReplySink stream, ReplySink changes, LegacySession state) throws Refusal {
        Session<LegacySession> session =
                sessions.create(Channels.owner(opening), state).orElseThrow(Refusal::noPair);
        Duplex duplex = new Duplex(this, session, stream);
        state.duplex(duplex);
        try {
            new StandingStream(services, sessions, opening, session, changes, duplex::leave).open();
        } catch (Refusal refusal) {
            end(session);
            throw refusal;
        }
        return duplex;
    }
}
