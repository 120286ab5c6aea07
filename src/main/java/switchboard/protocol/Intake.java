package switchboard.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import switchboard.auth.Budget;
import switchboard.call.Json;

/** What every message goes through first: it is decoded, once, and its team's rate must have room for it. */
final class Intake {
    private final Budget budget;
    private final OperationObserver observer;

    Intake(Budget budget, OperationObserver observer) {
        this.budget = budget;
        this.observer = observer;
    }

    /** The message or batch that came in; nothing when it was refused, and {@code sink} told so. */
    Optional<JsonNode> read(Inbound inbound, ReplySink sink) {
        JsonNode body;
        try {
            body = Json.parse(inbound.body());
        } catch (JsonProcessingException e) {
            refuse(sink, RpcError.PARSE, "The body is not valid JSON: " + e.getOriginalMessage());
            return Optional.empty();
        } catch (UncheckedIOException e) {
            refuse(sink, RpcError.PARSE, "The body is not valid UTF-8 JSON.");
            return Optional.empty();
        }
        return tooFast(inbound, body, sink) ? Optional.empty() : Optional.of(body);
    }

    private static void tooMany(int calls, Budget.Verdict.TooMany tooMany, ReplySink sink) {
        refuse(
                sink,
                RpcError.INVALID_REQUEST,
                "The batch has " + calls + " requests, more than the " + tooMany.most() + " that "
                        + tooMany.limit().text() + " lets through at once. Split it.");
    }

    /** Refuses a message for which the team's rate has no room, before any work; a batch counts as its requests. */
    private boolean tooFast(Inbound inbound, JsonNode body, ReplySink sink) {
        int calls = body instanceof ArrayNode batch ? requests(batch) : requests(List.of(body));
        return switch (budget.arrive(inbound.principal(), calls)) {
            case Budget.Verdict.Granted _ -> false;
            case Budget.Verdict.TooMany tooMany -> {
                observer.limited(inbound, tooMany.limit().label(), calls);
                tooMany(calls, tooMany, sink);
                yield true;
            }
            case Budget.Verdict.TooFast tooFast -> {
                observer.limited(inbound, tooFast.limit().label(), calls);
                long seconds = Math.max(1, Math.ceilDiv(tooFast.retryAfterMs(), 1000L));
                JsonNode id = body.path("id");
                sink.end(
                        429,
                        Map.of("Retry-After", Long.toString(seconds)),
                        RpcCodec.error(
                                id.isTextual() || id.isIntegralNumber() ? id : null,
                                RpcError.INVALID_REQUEST.code(),
                                "More calls than " + tooFast.limit().text() + " allows. Try again in "
                                        + tooFast.retryAfterMs() + " ms.",
                                Json.object().put("retryAfterMs", tooFast.retryAfterMs())));
                yield true;
            }
        };
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

    private static void refuse(ReplySink sink, RpcError error, String message) {
        sink.end(error.status(), Map.of(), RpcCodec.error(null, error.code(), message, null));
    }
}
