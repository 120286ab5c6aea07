package switchboard.protocol.legacy;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import switchboard.async.Futures;
import switchboard.protocol.AcceptedTypes;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.IncomingMessages;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcAnswer;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcMessage;
import switchboard.session.Session;

/** Answers the messages of one POST: a single message or a batch. Thread-safe. */
final class LegacyRequestHandler {
    private final LegacyRequests.Services tools;

    LegacyRequestHandler(LegacyRequests.Services tools) {
        this.tools = tools;
    }

    /**
     * Answers a message or a batch.
     *
     * @throws LegacyHttpException if it is refused whole
     */
    void answer(InboundMessage inboundMessage, IncomingMessages incoming, ReplySink sink, SessionBinding sessionBinding)
            throws LegacyHttpException {
        switch (incoming) {
            case IncomingMessages.Single single -> single(inboundMessage, single.message(), sink, sessionBinding);
            case IncomingMessages.Batch batch -> batch(inboundMessage, batch.elements(), sink, sessionBinding);
        }
    }

    private void single(
            InboundMessage inboundMessage, RpcMessage message, ReplySink sink, SessionBinding sessionBinding)
            throws LegacyHttpException {
        LegacyRequests exchange = new LegacyRequests(
                tools, inboundMessage, reply(inboundMessage, message, sink, sessionBinding), sessionBinding);
        if (!BatchRules.wantsAnswer(message)) {
            Futures.finish(
                    exchange.answer(message), _ -> exchange.accepted(), failure -> exchange.failed(message, failure));
            return;
        }
        exchange.checkAccept();
        Futures.finish(
                exchange.answer(message),
                answer -> answer.ifPresentOrElse(exchange::end, exchange::endCancelled),
                failure -> exchange.failed(message, failure));
    }

    private ReplySink reply(
            InboundMessage inboundMessage, RpcMessage message, ReplySink sink, SessionBinding sessionBinding) {
        Session<LegacySession> session = sessionBinding.session();
        if (session != null
                && message instanceof RpcMessage.Request request
                && !request.method().equals("initialize") // its answer has the new session's id in a header
                && AcceptedTypes.of(inboundMessage.header("Accept")).stream()) {
            EventIds ids = tools.sharing().eventIds(session);
            return session.state()
                    .replayBuffer()
                    .<ReplySink>map(buffer -> new ResumableReply(sink, request.id(), buffer, tools.resume(), ids))
                    .orElse(sink);
        }
        return sink;
    }

    private void batch(
            InboundMessage inboundMessage, List<RpcMessage> elements, ReplySink sink, SessionBinding sessionBinding)
            throws LegacyHttpException {
        boolean opens = BatchRules.opens(elements.getFirst());
        BatchRules.check(elements, tools.services().settings().batches().size());
        if (!opens && !sessionBinding.batches()) {
            throw BatchRules.noBatches();
        }
        LegacyRequests exchange = new LegacyRequests(tools, inboundMessage, sink, sessionBinding);
        boolean wantsAnswer = elements.stream().anyMatch(BatchRules::wantsAnswer);
        if (wantsAnswer) {
            exchange.checkAccept();
        }
        Futures.finish(
                answers(exchange, elements, opens),
                answers -> {
                    if (!answers.isEmpty()) {
                        exchange.end(new RpcAnswer(200, EncodedJson.of(RpcCodec.array(answers))));
                    } else if (wantsAnswer) {
                        exchange.endCancelled();
                    } else {
                        exchange.accepted();
                    }
                },
                failure -> exchange.failed(elements.getFirst(), failure));
    }

    /** Runs the handshake first, so that later elements of the batch find the session. */
    private Future<List<byte[]>> answers(LegacyRequests exchange, List<RpcMessage> elements, boolean opens) {
        int concurrency = tools.services().settings().batches().concurrency();
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
