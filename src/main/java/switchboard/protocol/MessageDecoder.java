package switchboard.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
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
     * Decodes a message or batch; empty if it was refused, which {@code sink} has received.
     *
     * @param unknown the id in an error if the message's id is not known
     */
    Optional<IncomingMessages> read(InboundMessage inboundMessage, ReplySink sink, Supplier<JsonNode> unknown) {
        JsonNode body;
        try {
            body = Json.parse(inboundMessage.body());
        } catch (JsonProcessingException e) {
            sink.refuse(unknown.get(), RpcError.PARSE, "The body is not valid JSON: " + e.getOriginalMessage());
            return Optional.empty();
        } catch (UncheckedIOException e) {
            sink.refuse(unknown.get(), RpcError.PARSE, "The body is not valid UTF-8 JSON.");
            return Optional.empty();
        }
        IncomingMessages incoming = RpcCodec.decode(body);
        return tooFast(inboundMessage, requests(body), sink, () -> UnknownRequestId.answering(incoming, unknown.get()))
                ? Optional.empty()
                : Optional.of(incoming);
    }

    private static void tooMany(int calls, Budget.Verdict.BurstExceeded tooMany, ReplySink sink, JsonNode id) {
        sink.refuse(
                id,
                RpcError.INVALID_REQUEST,
                "The batch has " + calls + " requests, more than the " + tooMany.most() + " that "
                        + tooMany.limit().text() + " lets through at once. Split it.");
    }

    /** Refuses a message if the team's rate has no room, before anything is carried out. A batch counts as its requests. */
    private boolean tooFast(InboundMessage inboundMessage, int calls, ReplySink sink, Supplier<JsonNode> id) {
        return switch (budget.arrive(inboundMessage.principal(), calls)) {
            case Budget.Verdict.Granted _ -> false;
            case Budget.Verdict.BurstExceeded tooMany -> {
                observer.limited(inboundMessage, tooMany.limit().label(), calls);
                tooMany(calls, tooMany, sink, id.get());
                yield true;
            }
            case Budget.Verdict.RateExceeded tooFast -> {
                observer.limited(inboundMessage, tooFast.limit().label(), calls);
                long seconds = Math.max(1, Math.ceilDiv(tooFast.retryAfterMs(), 1000L));
                sink.end(
                        429,
                        Map.of("Retry-After", Long.toString(seconds)),
                        RpcCodec.error(
                                id.get(),
                                RpcError.INVALID_REQUEST.code(),
                                "More calls than " + tooFast.limit().text() + " allows. Try again in "
                                        + tooFast.retryAfterMs() + " ms.",
                                Json.object().put("retryAfterMs", tooFast.retryAfterMs())));
                yield true;
            }
        };
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
