package switchboard.protocol.legacy;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import switchboard.protocol.Answer;
import switchboard.protocol.Inbound;
import switchboard.protocol.LegacyEra;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RequestRunner;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcMessage;
import switchboard.protocol.modern.SharedMethods;
import switchboard.session.Session;
import switchboard.session.SessionLimits;
import switchboard.session.SessionStore;

/** The protocol up to 2025-11-25. Thread-safe. */
public final class LegacyEndpoint implements LegacyEra {
    private final ProtocolServices services;
    private final SessionStore<LegacySession> sessions;
    private final Channels channels;
    private final LegacyExchange.Tools tools;

    /** An endpoint with an empty session store; {@code ticker} measures idle time. */
    public LegacyEndpoint(ProtocolServices services, SessionLimits limits, Ticker ticker) {
        this.services = services;
        this.sessions = new SessionStore<>(limits, ticker, (session, age) -> {
            session.state().end();
            services.observer().sessionEnded(age);
        });
        this.channels = new Channels(sessions);
        this.tools =
                new LegacyExchange.Tools(services, SharedMethods.over(services), new RequestRunner(services), sessions);
    }

    @Override
    public void single(Inbound inbound, RpcMessage message, ReplySink sink) {
        try {
            boolean opens = BatchRules.opens(List.of(message));
            LegacyExchange exchange = new LegacyExchange(tools, inbound, sink, channel(inbound, opens));
            if (!BatchRules.wantsAnswer(List.of(message))) {
                exchange.answer(message).onSuccess(_ -> exchange.accepted());
                return;
            }
            exchange.checkAccept();
            exchange.answer(message).onSuccess(answer -> answer.ifPresentOrElse(exchange::end, exchange::endCancelled));
        } catch (Refusal refusal) {
            refusal.send(sink, message);
        }
    }

    @Override
    public void batch(Inbound inbound, List<RpcMessage> elements, ReplySink sink) {
        try {
            boolean opens = BatchRules.opens(elements);
            Channel channel = channel(inbound, opens);
            BatchRules.check(elements, services.settings().maxBatch());
            if (!opens && !channel.batches()) {
                throw BatchRules.noBatches();
            }
            LegacyExchange exchange = new LegacyExchange(tools, inbound, sink, channel);
            if (BatchRules.wantsAnswer(elements)) {
                exchange.checkAccept();
            }
            answers(exchange, elements, opens).onSuccess(answers -> {
                if (!answers.isEmpty()) {
                    exchange.end(new Answer(200, RpcCodec.array(answers)));
                } else if (BatchRules.wantsAnswer(elements)) {
                    exchange.endCancelled();
                } else {
                    exchange.accepted();
                }
            });
        } catch (Refusal refusal) {
            refusal.send(sink, null);
        }
    }

    @Override
    public void get(Inbound inbound, ReplySink sink) {
        try {
            Session<LegacySession> session = channels.requiredSession(inbound);
            Channels.named(inbound);
            new StandingStream(services, sessions, inbound, session, sink).open();
        } catch (Refusal refusal) {
            refusal.send(sink, null);
        }
    }

    @Override
    public void delete(Inbound inbound, ReplySink sink) {
        try {
            Session<LegacySession> session = channels.requiredSession(inbound);
            if (!sessions.end(session.id(), session.owner())) {
                throw Refusal.unknownSession();
            }
            sink.end(204, Map.of(), new byte[0]);
        } catch (Refusal refusal) {
            refusal.send(sink, null);
        }
    }

    @Override
    public void endSessions(BiPredicate<String, String> whose) {
        sessions.endAll(owner -> whose.test(owner.team(), owner.principal()));
    }

    @Override
    public int sessions() {
        return sessions.live();
    }

    /** The handshake comes before there is a version to check; a session id beside it must still be a live one. */
    private Channel channel(Inbound inbound, boolean opens) throws Refusal {
        if (!opens) {
            return channels.find(inbound);
        }
        Session<LegacySession> session = channels.session(inbound);
        return session == null ? new Channel(ProtocolVersion.ASSUMED, null) : Channel.of(session);
    }

    /** The handshake runs by itself, so that what follows it in the batch finds the session. */
    private Future<List<byte[]>> answers(LegacyExchange exchange, List<RpcMessage> elements, boolean opens) {
        int concurrency = services.settings().batchConcurrency();
        if (!opens) {
            return new Batch(elements, exchange::element).run(concurrency);
        }
        return new Batch(elements.subList(0, 1), exchange::element).run(1).compose(first -> new Batch(
                        elements.subList(1, elements.size()), exchange::element)
                .run(concurrency)
                .map(rest -> {
                    List<byte[]> all = new ArrayList<>(first);
                    all.addAll(rest);
                    return all;
                }));
    }
}
