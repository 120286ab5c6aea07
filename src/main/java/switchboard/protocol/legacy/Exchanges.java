package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import switchboard.async.Futures;
import switchboard.protocol.Accept;
import switchboard.protocol.Answer;
import switchboard.protocol.Inbound;
import switchboard.protocol.JsonParts;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcMessage;
import switchboard.protocol.UnknownId;

/** Sees to the answers of what came in at once: a message, or a batch of them. Thread-safe. */
final class Exchanges {
    private final LegacyExchange.Tools tools;

    Exchanges(LegacyExchange.Tools tools) {
        this.tools = tools;
    }

    /** Answers what came in on a connection. */
    void any(Inbound inbound, JsonNode body, ReplySink sink, Channel channel) {
        RpcMessage single = body instanceof ArrayNode ? null : RpcCodec.decode(body);
        try {
            if (single != null) {
                single(inbound, single, sink, channel);
            } else {
                batch(inbound, elements(body), sink, channel);
            }
        } catch (Refusal refusal) {
            refusal.send(sink, UnknownId.answering(body, channel.unknownId()));
        }
    }

    private static List<RpcMessage> elements(JsonNode batch) throws Refusal {
        if (batch.isEmpty()) {
            throw new Refusal(400, "The batch is empty.");
        }
        List<RpcMessage> elements = new ArrayList<>(batch.size());
        batch.forEach(element -> elements.add(RpcCodec.decode(element)));
        return elements;
    }

    /** Answers one message by itself. */
    void single(Inbound inbound, RpcMessage message, ReplySink sink, Channel channel) throws Refusal {
        LegacyExchange exchange = new LegacyExchange(tools, inbound, reply(inbound, message, sink, channel), channel);
        if (!BatchRules.wantsAnswer(List.of(message))) {
            Futures.finish(exchange.answer(message), _ -> exchange.accepted(), _ -> exchange.failed(message));
            return;
        }
        exchange.checkAccept();
        Futures.finish(
                exchange.answer(message),
                answer -> answer.ifPresentOrElse(exchange::end, exchange::endCancelled),
                _ -> exchange.failed(message));
    }

    private ReplySink reply(Inbound inbound, RpcMessage message, ReplySink sink, Channel channel) {
        if (channel.session() != null
                && message instanceof RpcMessage.Request request
                && Accept.of(inbound.header("Accept")).stream()) {
            return channel.session()
                    .state()
                    .transcript()
                    .<ReplySink>map(transcript -> new ResumableReply(sink, request.id(), transcript, tools.resume()))
                    .orElse(sink);
        }
        return sink;
    }

    /** Answers a batch; there is at least one element. */
    void batch(Inbound inbound, List<RpcMessage> elements, ReplySink sink, Channel channel) throws Refusal {
        boolean opens = BatchRules.opens(elements);
        BatchRules.check(elements, tools.services().settings().maxBatch());
        if (!opens && !channel.batches()) {
            throw BatchRules.noBatches();
        }
        LegacyExchange exchange = new LegacyExchange(tools, inbound, sink, channel);
        boolean wantsAnswer = BatchRules.wantsAnswer(elements);
        if (wantsAnswer) {
            exchange.checkAccept();
        }
        Futures.finish(
                answers(exchange, elements, opens),
                answers -> {
                    if (!answers.isEmpty()) {
                        exchange.end(new Answer(200, JsonParts.of(RpcCodec.array(answers))));
                    } else if (wantsAnswer) {
                        exchange.endCancelled();
                    } else {
                        exchange.accepted();
                    }
                },
                _ -> exchange.failed(elements.getFirst()));
    }

    /** The handshake runs by itself, so that what follows it in the batch finds the session. */
    private Future<List<byte[]>> answers(LegacyExchange exchange, List<RpcMessage> elements, boolean opens) {
        int concurrency = tools.services().settings().batchConcurrency();
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
