package switchboard.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import switchboard.async.Futures;
import switchboard.auth.Budget;
import switchboard.call.Json;

/** The first step of every message: decodes it, and checks it against the rate limit of its team. */
final class MessageDecoder {
    private final Budget budget;
    private final OperationObserver observer;

    MessageDecoder(Budget budget, OperationObserver observer) {
        this.budget = budget;
        this.observer = observer;
    }

    /**
     * Decodes a message or batch. If it is refused, {@code sink} receives that.
     *
     * @param unknown the id in an error if the message's id is not known
     * @param then receives what was decoded: at once, or on the sink's event loop if other gateways have to be asked for the limit
     */
    void read(
            InboundMessage inboundMessage,
            ReplySink sink,
            Supplier<JsonNode> unknown,
            Consumer<IncomingMessages> then) {
        JsonNode body;
        try {
            body = Json.parse(inboundMessage.body());
        } catch (JsonProcessingException e) {
            sink.refuse(unknown.get(), RpcError.PARSE, "The body is not valid JSON: " + Json.problem(e));
            return;
        } catch (UncheckedIOException e) {
            sink.refuse(unknown.get(), RpcError.PARSE, "The body is not valid UTF-8 JSON.");
            return;
        }
        IncomingMessages incoming = RpcCodec.decode(body);
        int calls = requests(body);
        Arrival arrival =
                new Arrival(inboundMessage, calls, sink, () -> UnknownRequestId.answering(incoming, unknown.get()));
        switch (budget.arrive(inboundMessage.principal(), calls)) {
            case Budget.Verdict.DecidedVerdict decided -> passOn(arrival, decided, incoming, then);
            case Budget.Verdict.Undecided asked ->
                Futures.finish(
                        Futures.here(asked.decision()),
                        decided -> passOn(arrival, decided, incoming, then),
                        _ -> sink.refuse(
                                arrival.id().get(), RpcError.INTERNAL, "Internal error; the log has details."));
        }
    }

    /** A message or batch whose rate is checked. */
    private record Arrival(InboundMessage message, int calls, ReplySink sink, Supplier<JsonNode> id) {}

    private void passOn(
            Arrival arrival,
            Budget.Verdict.DecidedVerdict verdict,
            IncomingMessages incoming,
            Consumer<IncomingMessages> then) {
        if (!refused(arrival, verdict)) {
            then.accept(incoming);
        }
    }

    /** Refuses a message if the team's rate has no room, before anything is carried out. A batch counts as its requests. */
    private boolean refused(Arrival arrival, Budget.Verdict.DecidedVerdict verdict) {
        return switch (verdict) {
            case Budget.Verdict.Granted _ -> false;
            case Budget.Verdict.BurstExceeded tooMany -> {
                observer.limited(arrival.message(), tooMany.limit().label(), arrival.calls());
                tooMany(arrival, tooMany);
                yield true;
            }
            case Budget.Verdict.RateExceeded tooFast -> {
                observer.limited(arrival.message(), tooFast.limit().label(), arrival.calls());
                tooFast(arrival, tooFast);
                yield true;
            }
        };
    }

    private static void tooMany(Arrival arrival, Budget.Verdict.BurstExceeded tooMany) {
        arrival.sink()
                .refuse(
                        arrival.id().get(),
                        RpcError.INVALID_REQUEST,
                        "The batch has " + arrival.calls() + " requests, more than the " + tooMany.most() + " that "
                                + tooMany.limit().text() + " lets through at once. Split it.");
    }

    private static void tooFast(Arrival arrival, Budget.Verdict.RateExceeded tooFast) {
        long seconds = Math.max(1, Math.ceilDiv(tooFast.retryAfterMs(), 1000L));
        arrival.sink()
                .end(
                        429,
                        Map.of("Retry-After", Long.toString(seconds)),
                        RpcCodec.error(
                                arrival.id().get(),
                                RpcError.INVALID_REQUEST.code(),
                                "More calls than " + tooFast.limit().text() + " allows. Try again in "
                                        + tooFast.retryAfterMs() + " ms.",
                                Json.object().put("retryAfterMs", tooFast.retryAfterMs())));
    }

    private static int requests(JsonNode body) {
        return body instanceof ArrayNode batch ? requests((Iterable<JsonNode>) batch) : requests(List.of(body));
    }

    private static int requests(Iterable<JsonNode> messages) {
        int requests = 0;
        for (JsonNode message : messages) {
            if (message.has("id") && message.has("method")) {
                requests++;
            }
        }
        return requests;
    }
}
