package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import switchboard.async.Futures;
import switchboard.call.CallingClient;
import switchboard.dispatch.ClientInteraction;
import switchboard.protocol.AcceptedTypes;
import switchboard.protocol.Cancellation;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.Notifier;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RequestRunner;
import switchboard.protocol.ResponseFormat;
import switchboard.protocol.RpcAnswer;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcMessage;
import switchboard.protocol.method.CallerTasks;
import switchboard.protocol.method.SharedMethods;

/** The stateless protocol: every request is complete in itself. If the caller disconnects, its request is cancelled. */
public final class ModernEndpoint {
    private final Map<String, MethodHandler> methods;
    private final RequestRunner runner;
    private final ResponseFormat rules;

    /** An endpoint over {@code services}. */
    public ModernEndpoint(ProtocolServices services) {
        Map<String, MethodHandler> all = new HashMap<>(SharedMethods.over(services));
        CallerTasks tasks = new CallerTasks(services);
        Stream.concat(
                        Stream.of(new Discover(services), new SubscriptionsListen(services, tasks)),
                        TaskMethod.all(services, tasks).stream())
                .forEach(own -> all.put(own.method(), own));
        this.methods = Map.copyOf(all);
        this.runner = new RequestRunner(services);
        this.rules = new ModernResponseFormat(services.settings());
    }

    /** Answers a request whose {@code _meta} declares a version. */
    public void request(InboundMessage inboundMessage, RpcMessage.Request request, ReplySink sink) {
        AcceptedTypes acceptedTypes = AcceptedTypes.of(inboundMessage.header("Accept"));
        Envelope envelope;
        Optional<MethodHandler> handler = Optional.ofNullable(methods.get(request.method()));
        try {
            envelope = Envelope.check(inboundMessage, request);
        } catch (RpcException e) {
            refuse(sink, e, Optional.of(request.id()));
            return;
        }
        Cancellation cancellation = new Cancellation();
        sink.onGone(cancellation::cancel);
        RpcCall.ClientContext reader = new RpcCall.ClientContext(
                ProtocolVersion.V2026_07_28,
                acceptedTypes,
                Notifier.to(sink, acceptedTypes),
                sink::execute,
                envelope.logLevel(),
                null,
                ClientInteraction.with(
                        new CallingClient(envelope.capabilities(), CallingClient.AskMode.IN_REPLY, null)));
        Futures.finish(
                runner.run(handler, inboundMessage, request, reader, cancellation, rules),
                answer -> answer.deliver(sink, acceptedTypes, Map.of()),
                _ -> RpcAnswer.defect(request.id()).deliver(sink, acceptedTypes, Map.of()));
    }

    /** Accepts a notification. None has a meaning in this era. */
    public void notification(InboundMessage inboundMessage, RpcMessage.Notification notification, ReplySink sink) {
        try {
            Envelope.checkNotification(inboundMessage, notification);
        } catch (RpcException e) {
            refuse(sink, e, Optional.empty());
            return;
        }
        sink.end(202, Map.of(), EncodedJson.NOTHING);
    }

    private void refuse(ReplySink sink, RpcException reason, Optional<JsonNode> id) {
        sink.end(
                rules.status(reason.error()),
                Map.of(),
                RpcCodec.error(
                        id.orElse(MissingNode.getInstance()),
                        rules.code(reason.error()),
                        reason.text(),
                        reason.data()));
    }
}
