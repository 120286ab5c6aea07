package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import switchboard.async.Futures;
import switchboard.call.ClientSide;
import switchboard.call.Json;
import switchboard.dispatch.Interview;
import switchboard.protocol.Accept;
import switchboard.protocol.Answer;
import switchboard.protocol.Cancellation;
import switchboard.protocol.EraRules;
import switchboard.protocol.Inbound;
import switchboard.protocol.JsonParts;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.Notifier;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RequestRunner;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcMessage;

/** The stateless protocol: every request carries all there is to know. A caller that goes away takes its request back. */
public final class ModernEndpoint {
    private final Map<String, MethodHandler> methods;
    private final VisibleTools tools;
    private final ProtocolServices services;
    private final RequestRunner runner;
    private final EraRules rules;

    /** An endpoint over {@code services}. */
    public ModernEndpoint(ProtocolServices services) {
        Map<String, MethodHandler> all = new HashMap<>(SharedMethods.over(services));
        for (MethodHandler own : new MethodHandler[] {new Discover(services), new SubscriptionsListen(services)}) {
            all.put(own.method(), own);
        }
        this.methods = Map.copyOf(all);
        this.tools = new VisibleTools(services.policy());
        this.services = services;
        this.runner = new RequestRunner(services);
        this.rules = new ModernRules(services.settings());
    }

    /** Answers a request whose {@code _meta} claims a version. */
    public void request(Inbound inbound, RpcMessage.Request request, ReplySink sink) {
        Accept accept = Accept.of(inbound.header("Accept"));
        Envelope envelope;
        Optional<MethodHandler> handler = Optional.ofNullable(methods.get(request.method()));
        try {
            envelope = Envelope.check(inbound, request);
            checkParamHeaders(inbound, request);
        } catch (RpcException e) {
            refuse(sink, e, Optional.of(request.id()));
            return;
        }
        Cancellation cancellation = new Cancellation();
        sink.onGone(cancellation::cancel);
        RpcCall.Reader reader = new RpcCall.Reader(
                ProtocolVersion.V2026_07_28,
                accept,
                Notifier.to(sink, accept),
                sink::execute,
                envelope.logLevel(),
                null,
                Interview.with(new ClientSide(envelope.capabilities(), ClientSide.Asking.IN_REPLY, null)));
        Futures.finish(
                runner.run(handler, inbound, request, reader, cancellation, rules),
                answer -> answer.deliver(sink, accept, Map.of()),
                _ -> Answer.defect(request.id()).deliver(sink, accept, Map.of()));
    }

    /** Takes note of a notification; there is none that means anything here. */
    public void notification(Inbound inbound, RpcMessage.Notification notification, ReplySink sink) {
        try {
            Envelope.checkNotification(inbound, notification);
        } catch (RpcException e) {
            refuse(sink, e, Optional.empty());
            return;
        }
        sink.end(202, Map.of(), JsonParts.NOTHING);
    }

    private void checkParamHeaders(Inbound inbound, RpcMessage.Request request) {
        if (!request.method().equals("tools/call") || !inbound.transport().equals("http")) {
            return;
        }
        JsonNode arguments = request.params().path("arguments");
        VisibleTools.Match match = tools.find(
                inbound.principal(),
                services.views().view(inbound.view()),
                request.params().path("name").asText());
        if (match instanceof VisibleTools.Match.One one) {
            ParamHeaders.check(inbound, one.tool(), arguments.isObject() ? arguments : Json.object());
        }
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
