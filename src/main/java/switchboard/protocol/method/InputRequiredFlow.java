package switchboard.protocol.method;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.CallingClient;
import switchboard.call.ClientAnswer;
import switchboard.call.ClientQuestion;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolDescriptor;
import switchboard.dispatch.PendingCall;
import switchboard.protocol.Cancellation;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;

/**
 * Requests whose backend may need input of the client. A modern client gets the questions in the result and calls
 * again with the answers. A legacy client that can be asked is asked while its call runs, and the backend is called
 * again.
 */
final class InputRequiredFlow {
    private static final int MOST = 10;

    /**
     * A request to a backend.
     *
     * @param timeout time limit of each round, and of the client's answers before the next one
     * @param work whether it changes something
     */
    record Sending(String backend, BackendRequest request, Caller caller, Duration timeout, Cancellation.Work work) {}

    private final ProtocolServices services;
    private final RequestStateSigner seal;

    InputRequiredFlow(ProtocolServices services, RequestStateSigner seal) {
        this.services = services;
        this.seal = seal;
    }

    /**
     * The backend that a call with a state goes back to; empty for one without.
     *
     * @throws RpcException if the state is not one for this caller and these parameters
     */
    Optional<String> destination(RpcCall call) {
        return state(call).map(RequestStateSigner.Sealed::backend);
    }

    /** Sends a request with the client's answers so far. */
    Future<BackendReply> send(RpcCall call, Sending sending) {
        return round(call, sending, answers(call, sending.backend()), 1);
    }

    /**
     * Calls a tool, with the client's answers so far.
     *
     * @param arguments valid ones; those that the gateway handles itself are not sent
     */
    Future<ToolReply> call(RequestedTool tool, Arguments arguments, Caller caller) {
        ToolDescriptor descriptor = tool.descriptor();
        Sending sending = new Sending(
                tool.backend(),
                new BackendRequest.CallTool(descriptor.name(), descriptor.own(arguments)),
                caller,
                tool.timeout(),
                descriptor.readOnly() ? Cancellation.Work.READS : Cancellation.Work.CHANGES);
        return send(tool.call(), sending).map(reply -> switch (reply) {
            case ToolReply toolReply -> toolReply;
            default ->
                throw new IllegalStateException(tool.backend() + " answered a tool call with "
                        + reply.getClass().getSimpleName());
        });
    }

    private Future<BackendReply> round(
            RpcCall call, Sending sending, CallingClient.@Nullable ClientResponses answers, int number) {
        PendingCall pending = services.outbound()
                .send(
                        sending.backend(),
                        sending.request(),
                        sending.caller(),
                        call.options(sending.backend(), sending.timeout(), answers));
        call.cancellation().ends(sending.work(), pending::cancel);
        return pending.reply()
                .compose(reply -> reply instanceof RelayedReply.InputRequired need
                        ? needs(call, sending, need, number)
                        : Future.succeededFuture(reply));
    }

    private Future<BackendReply> needs(RpcCall call, Sending sending, RelayedReply.InputRequired need, int number) {
        ObjectNode undeclared = undeclared(need.requests(), call.client().capabilities());
        if (!undeclared.isEmpty()) {
            return Future.succeededFuture(new RelayedReply.CapabilitiesMissing(undeclared));
        }
        return switch (call.client().asking()) {
            case IN_REPLY ->
                Future.succeededFuture(new RelayedReply.InputRequired(need.requests(), sealed(call, sending, need)));
            case NEVER -> Future.succeededFuture(unable("this client can't be asked: it has no session or no stream"));
            case DURING_CALL ->
                number == MOST
                        ? Future.succeededFuture(unable("it asked " + MOST + " times and asked again"))
                        : ask(call, sending, need).compose(answers -> round(call, sending, answers, number + 1));
        };
    }

    private @Nullable String sealed(RpcCall call, Sending sending, RelayedReply.InputRequired need) {
        return need.state() == null
                ? null
                : seal.close(
                        new RequestStateSigner.Sealed(sending.backend(), need.state()),
                        call.principal(),
                        call.params());
    }

    private static ToolReply.Failed unable(String why) {
        return new ToolReply.Failed(
                FailureKind.UNAVAILABLE, "The tool needs to ask the user or the model, but " + why + ".");
    }

    /** The client's answers; fails when the call is cancelled, or when they take longer than a round may. */
    private static Future<CallingClient.ClientResponses> ask(
            RpcCall call, Sending sending, RelayedReply.InputRequired need) {
        ObjectNode responses = Json.object();
        List<Future<Void>> asked = new ArrayList<>();
        for (Map.Entry<String, JsonNode> request : need.requests().properties()) {
            ClientQuestion question = new ClientQuestion(
                    request.getValue().path("method").asText(),
                    request.getValue().path("params") instanceof ObjectNode params ? params : Json.object());
            asked.add(call.interaction().ask(question).map(answer -> {
                responses.set(request.getKey(), result(answer));
                return null;
            }));
        }
        Promise<CallingClient.ClientResponses> answered = Promise.promise();
        call.cancellation().ends(sending.work(), () -> answered.tryFail(unanswered(ClientAnswer.Declined.LATE)));
        Futures.finish(
                Future.all(asked).timeout(sending.timeout().toMillis(), TimeUnit.MILLISECONDS),
                _ -> call.execute(
                        () -> answered.tryComplete(new CallingClient.ClientResponses(responses, need.state()))),
                failure -> call.execute(() -> answered.tryFail(
                        failure instanceof TimeoutException ? unanswered(ClientAnswer.Declined.LATE) : failure)));
        return answered.future();
    }

    private static ObjectNode result(ClientAnswer answer) {
        return switch (answer) {
            case ClientAnswer.Answered given -> given.result();
            case ClientAnswer.Declined refused -> throw unanswered(refused);
        };
    }

    private static RpcException unanswered(ClientAnswer.Declined refused) {
        return new RpcException(RpcError.INTERNAL, "The client did not answer what it was asked: " + refused.message());
    }

    /** The capabilities that the questions {@code requests} need and a client that has {@code declared} lacks. */
    static ObjectNode undeclared(ObjectNode requests, ObjectNode declared) {
        ObjectNode missing = Json.object();
        requests.forEach(request -> {
            ClientQuestion.capability(request.path("method").asText())
                    .filter(capability -> !declared.has(capability))
                    .ifPresent(missing::putObject);
        });
        return missing;
    }

    private CallingClient.@Nullable ClientResponses answers(RpcCall call, String backend) {
        JsonNode responses = call.params().path("inputResponses");
        Optional<RequestStateSigner.Sealed> state = state(call);
        if (responses.isMissingNode() && state.isEmpty()) {
            return null;
        }
        if (!(responses.isObject() || responses.isMissingNode())) {
            throw new RpcException(RpcError.INVALID_PARAMS, "\"inputResponses\" must be an object.");
        }
        if (state.isPresent() && !state.get().backend().equals(backend)) {
            throw invalidState();
        }
        return new CallingClient.ClientResponses(
                responses instanceof ObjectNode object ? object : Json.object(),
                state.map(RequestStateSigner.Sealed::state).orElse(null));
    }

    private Optional<RequestStateSigner.Sealed> state(RpcCall call) {
        JsonNode given = call.params().path("requestState");
        if (given.isMissingNode()) {
            return Optional.empty();
        }
        return Optional.of(seal.open(given.asText(), call.principal(), call.params())
                .orElseThrow(InputRequiredFlow::invalidState));
    }

    private static RpcException invalidState() {
        return new RpcException(
                RpcError.INVALID_PARAMS,
                "\"requestState\" was not given out for this call, or is too old. If the call may have changed something,"
                        + " look first; then call again without it.");
    }
}
