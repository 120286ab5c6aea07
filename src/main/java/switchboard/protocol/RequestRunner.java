package switchboard.protocol;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a request's handler and turns whatever comes of it into an answer: the one place where errors are written. */
public final class RequestRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);

    private final ProtocolServices services;

    /** A runner that tells {@code services}' observer. */
    public RequestRunner(ProtocolServices services) {
        this.services = services;
    }

    /**
     * Answers {@code request}; never fails.
     *
     * @param handler the method's, or empty where there is none
     */
    public Future<Answer> run(
            Optional<MethodHandler> handler,
            Inbound inbound,
            RpcMessage.Request request,
            RpcCall.Reader reader,
            Cancellation cancellation,
            EraRules rules) {
        RunningOperation operation =
                new RunningOperation(inbound, handler.map(MethodHandler::method).orElse("other"), reader.version());
        RpcCall call =
                new RpcCall(inbound, request, services.views().view(inbound.view()), reader, cancellation, operation);
        return invoke(handler, call)
                .map(result -> new Answer(
                        200,
                        RpcCodec.result(request.id(), result, fields -> rules.stamp(handler.orElseThrow(), fields))))
                .recover(failure -> Future.succeededFuture(error(call, rules, failure)))
                .onSuccess(answer -> {
                    call.events().end();
                    operation.finish(services.observer(), answer.json().length);
                });
    }

    private static Future<RpcResult> invoke(Optional<MethodHandler> handler, RpcCall call) {
        if (handler.isEmpty()) {
            return Future.failedFuture(new RpcException(RpcError.METHOD_NOT_FOUND, "There is no such method."));
        }
        try {
            return handler.get().handle(call);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private static Answer error(RpcCall call, EraRules rules, Throwable failure) {
        RpcException shown = failure instanceof RpcException expected ? expected : defect(failure);
        int code = rules.code(shown.error());
        call.operation().failed(Integer.toString(code));
        return new Answer(
                rules.status(shown.error()),
                RpcCodec.error(call.id(), code, shown.text(), shown.data()),
                shown.headers());
    }

    private static RpcException defect(Throwable failure) {
        String correlation = UUID.randomUUID().toString();
        LOG.error("request failed, correlation id {}", correlation, failure);
        return new RpcException(
                RpcError.INTERNAL, "Internal error; the log has details under correlation id " + correlation + ".");
    }
}
