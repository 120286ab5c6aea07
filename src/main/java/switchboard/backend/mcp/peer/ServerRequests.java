package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.CallContext;
import switchboard.call.CallingClient;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/** Answers requests of a server up to 2025-11-25 while it answers a request, mostly by asking that request's client. */
final class ServerRequests implements Consumer<ObjectNode> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerRequests.class);

    private static final String WHY = "can't be asked: it has declared nothing of the kind, or has no session";

    private final Transport transport;
    private final Map<String, String> headers;
    private final CallContext context;
    private volatile @Nullable String unbridged;
    private volatile @Nullable Throwable lost;
    private volatile Runnable onLost = () -> {};

    ServerRequests(Transport transport, Map<String, String> headers, CallContext context) {
        this.transport = transport;
        this.headers = headers;
        this.context = context;
    }

    /**
     * The call that a question belongs to if it names none: the only one, or the only one that does not wait for its client; empty
     * if there are several.
     *
     * @param calls those under way; all of one principal
     */
    static <T> Optional<T> asking(Stream<T> calls, Predicate<T> waits) {
        List<T> all = calls.toList();
        List<T> busy =
                all.size() == 1 ? all : all.stream().filter(waits.negate()).toList();
        return busy.size() == 1 ? Optional.of(busy.getFirst()) : Optional.empty();
    }

    /** Whether the call waits for its client. */
    boolean waits() {
        return context.waitsForClient();
    }

    /** Runs {@code action} if the server can't be told what the client answered: it would wait for that forever. */
    void onLost(Runnable action) {
        onLost = action;
        if (lost != null) {
            action.run();
        }
    }

    /** Why the server could not be told what the client answered; empty if there was no such problem. */
    Optional<Throwable> lost() {
        return Optional.ofNullable(lost);
    }

    @Override
    public void accept(ObjectNode request) {
        String method = request.path("method").asText();
        JsonNode id = request.path("id");
        String capability = ClientQuestion.capability(method).orElse(null);
        if (method.equals("ping")) {
            answer(id, new ClientAnswer.Answered(Json.object()));
        } else if (capability == null) {
            answer(id, new ClientAnswer.Declined(RpcFailure.METHOD_NOT_FOUND, "There is no such method."));
        } else if (context.client().asking() != CallingClient.AskMode.DURING_CALL) {
            if (!method.equals("roots/list")) {
                unbridged = method; // Servers do without roots; what they ask a person or a model, they need.
            }
            answer(id, new ClientAnswer.Declined(RpcFailure.METHOD_NOT_FOUND, "The client of this call " + WHY + "."));
        } else if (!DeclaredCapabilities.of(context.client()).allows(method, request.path("params"))) {
            answer(
                    id,
                    new ClientAnswer.Declined(
                            RpcFailure.METHOD_NOT_FOUND, "The client of this call does not offer " + capability + "."));
        } else {
            ObjectNode params = request.path("params") instanceof ObjectNode given ? given : Json.object();
            Futures.finish(
                    context.ask(new ClientQuestion(method, params)),
                    answer -> answer(id, answer).onFailure(failure -> {
                        lost = failure;
                        onLost.run();
                    }),
                    _ -> answer(
                            id,
                            new ClientAnswer.Declined(
                                    RpcFailure.INTERNAL, "The client of this call could not be asked.")));
        }
    }

    /**
     * The failure that replaces the result of a call if the server asked something that could not be passed to the
     * client; empty otherwise.
     */
    Optional<ToolException> unbridged() {
        return Optional.ofNullable(unbridged)
                .map(method -> new ToolException(new ToolReply.Failed(
                                FailureKind.UNAVAILABLE,
                                "The server behind this tool sent a request to its client (" + method
                                        + "), and this client "
                                        + WHY + ". Use this tool with a client that declares what the server asks for."
                                        + " Whether the tool did something is unknown.")
                        .withDetails(Json.object().put("outcome", "unknown"))));
    }

    private Future<Void> answer(JsonNode id, ClientAnswer answer) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0");
        message.set("id", id);
        switch (answer) {
            case ClientAnswer.Answered given -> message.set("result", given.result());
            case ClientAnswer.Declined refused ->
                message.putObject("error").put("code", refused.code()).put("message", refused.message());
        }
        return transport
                .post(message, headers)
                .onFailure(failure -> LOG.debug("an answer to a server's request was lost: {}", failure.getMessage()));
    }
}
