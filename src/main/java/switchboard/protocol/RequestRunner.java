package switchboard.protocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Json;
import switchboard.call.Tracing;

/** Runs a request's handler and converts any result to an answer. The only place where errors are written. */
public final class RequestRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);

    /** Adds nothing to results. */
    private static final ResponseFormat PLAIN = (_, fields) -> fields;

    private final ProtocolServices services;

    /** A runner that tells {@code services}' observer. */
    public RequestRunner(ProtocolServices services) {
        this.services = services;
    }

    /**
     * Answers a request; never fails.
     *
     * @param handler the method's handler, or empty for an unknown method
     */
    public Future<RpcAnswer> run(
            Optional<MethodHandler> handler,
            InboundMessage inboundMessage,
            RpcMessage.Request request,
            RpcCall.ClientContext reader,
            Cancellation cancellation,
            ResponseFormat rules) {
        OperationRecorder operation = new OperationRecorder(
                inboundMessage, handler.map(MethodHandler::method).orElse("other"), reader.version());
        if (services.observer().wantsSteps()) {
            operation.recordSteps();
        }
        if (logged(inboundMessage, request)) {
            operation.takeNotes();
        }
        RpcCall call = new RpcCall(
                inboundMessage,
                request,
                services.views().view(inboundMessage.view()),
                reader,
                cancellation,
                operation,
                null);
        operation.trace(services.tracing().begin(Tracing.SpanSide.SERVER, call.incomingTrace()));
        return answered(call, rules, fields -> rules.stamp(handler.orElseThrow(), fields), () -> handler.map(
                        known -> known.handle(call))
                .orElseThrow(() -> new RpcException(RpcError.METHOD_NOT_FOUND, "There is no such method.")));
    }

    /**
     * Runs work that goes on after its request was answered with a task, and records it as a request of its own. Fails only by a
     * defect.
     *
     * @return the JSON-RPC answer that the request would have had, with {@code result} or {@code error}
     */
    public Future<JsonNode> runDetached(RpcCall call, Supplier<Future<RpcResult>> work) {
        return answered(call, PLAIN, UnaryOperator.identity(), work).map(RequestRunner::tree);
    }

    private Future<RpcAnswer> answered(
            RpcCall call, ResponseFormat rules, UnaryOperator<ObjectNode> stamp, Supplier<Future<RpcResult>> work) {
        return begun(work).compose(result -> redacted(call, result)).transform(done -> {
            RpcAnswer answer =
                    done.succeeded() ? answer(call, rules, stamp, done.result()) : error(call, rules, done.cause());
            over(call, answer);
            return Future.succeededFuture(answer);
        });
    }

    private static Future<RpcResult> begun(Supplier<Future<RpcResult>> work) {
        try {
            return work.get();
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    /** Whether the observer wants the answer, and the question is the caller's own. */
    private boolean logged(InboundMessage message, RpcMessage.Request request) {
        return services.observer().wantsAnswers(message.principal().team())
                && !request.params().path("_meta").path(MetaKeys.UNLOGGED).asBoolean();
    }

    private static JsonNode tree(RpcAnswer answer) {
        try {
            return Json.parseDeep(answer.json().bytes());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("an unreadable answer was written", e);
        }
    }

    private static RpcAnswer answer(
            RpcCall call, ResponseFormat rules, UnaryOperator<ObjectNode> stamp, RpcResult result) {
        try {
            return new RpcAnswer(200, RpcCodec.result(call.id(), result, stamp));
        } catch (RuntimeException e) {
            return error(call, rules, e);
        }
    }

    /** A failure here does not change the answer. */
    private void over(RpcCall call, RpcAnswer answer) {
        try {
            call.events().end();
            call.operation().finish(services.observer(), answer.json());
        } catch (RuntimeException e) {
            LOG.error("request {} could not be recorded", call.operation().requestId(), e);
        }
    }

    private static RpcAnswer error(RpcCall call, ResponseFormat rules, Throwable failure) {
        RpcException shown = failure instanceof RpcException expected ? expected : defect(call, failure);
        int code = rules.code(shown.error());
        call.operation().refused(shown.error(), code);
        return new RpcAnswer(
                rules.status(shown.error()),
                RpcCodec.error(call.id(), code, shown.text(), shown.data()),
                shown.headers());
    }

    private Future<RpcResult> redacted(RpcCall call, RpcResult result) {
        Redactor redactor = services.redactor();
        return switch (result) {
            case RpcResult.Tree tree ->
                redactor.result(call.principal(), tree.fields()).map(RpcResult.Tree::new);
            case RpcResult.SizeLimited bounded ->
                redactor.result(call.principal(), bounded.fields()).map(fields -> bounded.with(fields));
            case RpcResult.Encoded _, RpcResult.Shared _ ->
                Future.succeededFuture(result); // tools, as their authors wrote them
        };
    }

    private static RpcException defect(RpcCall call, Throwable failure) {
        String correlation = call.operation().requestId();
        LOG.error("request failed, correlation id {}", correlation, failure);
        return new RpcException(
                RpcError.INTERNAL, "Internal error; the log has details under correlation id " + correlation + ".");
    }
}
