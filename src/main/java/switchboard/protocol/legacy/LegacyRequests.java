package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.cluster.ClusterUnavailableException;
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
import switchboard.protocol.RpcMessage;
import switchboard.protocol.UnknownRequestId;
import switchboard.session.NewSession;
import switchboard.session.Session;
import switchboard.session.SessionOwner;
import switchboard.session.SessionStore;

/**
 * The messages of one POST and their answers. A request is cancelled by {@code notifications/cancelled}. If the caller
 * only disconnects, requests that only read are cancelled when {@link DisconnectDetector} says so. Used on one event loop.
 */
final class LegacyRequests {
    private static final ResponseFormat RULES = new LegacyResponseFormat();

    /** The services of an exchange. */
    record Services(
            ProtocolServices services,
            Map<String, MethodHandler> shared,
            RequestRunner runner,
            SessionStore<LegacySession> sessions,
            SessionSharing sharing,
            ResumeLimits resume) {}

    private final Services tools;
    private final InboundMessage inboundMessage;
    private final ReplySink sink;
    private final AcceptedTypes acceptedTypes;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private SessionBinding sessionBinding;

    LegacyRequests(Services tools, InboundMessage inboundMessage, ReplySink sink, SessionBinding sessionBinding) {
        this.tools = tools;
        this.inboundMessage = inboundMessage;
        this.sink = sink;
        this.acceptedTypes = AcceptedTypes.of(inboundMessage.header("Accept"));
        this.sessionBinding = sessionBinding;
    }

    /** Refuses a caller that can read neither kind of answer. */
    void checkAccept() throws LegacyHttpException {
        if (acceptedTypes.nothing()) {
            throw new LegacyHttpException(406, "Accept must allow application/json or text/event-stream.");
        }
    }

    /** The answer to one message; empty if it gets none. */
    Future<Optional<RpcAnswer>> answer(RpcMessage message) {
        return switch (message) {
            case RpcMessage.Request request -> answer(request);
            case RpcMessage.Malformed malformed ->
                Future.succeededFuture(
                        Optional.of(new RpcAnswer(200, RpcCodec.malformed(malformed, sessionBinding.unknownId()))));
            case RpcMessage.Notification notification -> {
                Session<LegacySession> session = sessionBinding.session();
                JsonNode requestId = notification.params().path("requestId");
                yield session != null && notification.method().equals("notifications/cancelled")
                        ? here(tools.sharing().cancel(session, requestId)).map(Optional.empty())
                        : Future.succeededFuture(Optional.empty());
            }
            case RpcMessage.Response response ->
                sessionBinding.session() == null
                        ? Future.succeededFuture(Optional.empty())
                        : here(tools.sharing().answered(sessionBinding.session(), response))
                                .map(Optional.empty());
        };
    }

    /** Goes on with what happened elsewhere as {@link ReplySink#when} does. */
    private <T> Future<T> here(Future<T> elsewhere) {
        Promise<T> here = Promise.promise();
        sink.when(elsewhere, here::handle);
        return here.future();
    }

    /** The answer to one message of a batch, which has no status of its own. */
    Future<Optional<byte[]>> element(RpcMessage message) {
        Future<Optional<RpcAnswer>> answer = answer(message);
        return (BatchRules.wantsAnswer(message) ? answer : answer.otherwise(Optional.empty()))
                .map(whole -> whole.map(one -> one.json().bytes()));
    }

    /** Ends the exchange with {@code answer}. */
    void end(RpcAnswer answer) {
        answer.deliver(sink, acceptedTypes, headers);
    }

    /** Ends an exchange whose answer could not be made. */
    void failed(RpcMessage message, Throwable failure) {
        if (failure instanceof ClusterUnavailableException) {
            LegacyHttpException.unreachable()
                    .send(sink, UnknownRequestId.answering(message, sessionBinding.unknownId()));
            return;
        }
        end(RpcAnswer.defect(UnknownRequestId.answering(message, sessionBinding.unknownId())));
    }

    /** Ends the exchange of messages that get no answer. */
    void accepted() {
        sink.end(202, headers, EncodedJson.NOTHING);
    }

    /** Ends an exchange whose requests were all cancelled: no answer may be sent. */
    void endCancelled() {
        if (sink.closed()) {
            return;
        }
        if (acceptedTypes.stream()) {
            sink.open(headers);
            sink.close();
        } else {
            sink.end(204, headers, EncodedJson.NOTHING);
        }
    }

    private Future<Optional<RpcAnswer>> answer(RpcMessage.Request request) {
        Cancellation cancellation = new Cancellation();
        Session<LegacySession> session = sessionBinding.session();
        Runnable cancel = () -> sink.execute(cancellation::cancel);
        if (session != null) {
            if (!tools.sessions().callBegun(session)) {
                return Future.succeededFuture(
                        Optional.of(LegacyHttpException.unknownSession().answer(request)));
            }
            session.state().began(request.id(), cancel);
        }
        DisconnectDetector lost = new DisconnectDetector(sink, session, cancellation);
        lost.watch();
        Optional<LegacyClientInteraction> interaction = interaction(session);
        RpcCall.ClientContext reader = new RpcCall.ClientContext(
                request.method().equals("initialize")
                        ? ProtocolVersion.negotiated(request.params())
                        : sessionBinding.version(),
                acceptedTypes,
                Notifier.to(sink, acceptedTypes),
                sink::execute,
                sessionBinding.logLevel(),
                session == null ? null : session.state(),
                interaction.<ClientInteraction>map(own -> own).orElse(ClientInteraction.NONE));
        return tools.runner()
                .run(handler(request.method()), inboundMessage, request, reader, cancellation, RULES)
                .map(answer -> {
                    lost.close();
                    if (session != null) {
                        session.state().ended(request.id(), cancel);
                        tools.sessions().callOver(session);
                    }
                    interaction.ifPresent(LegacyClientInteraction::end);
                    return cancellation.cancelled() ? Optional.<RpcAnswer>empty() : Optional.of(answer);
                })
                .compose(answer -> session == null
                        ? Future.succeededFuture(answer)
                        : here(tools.sharing().save(session)).map(answer));
    }

    /** The client can be asked on the stream of its request, otherwise on its session's stream. */
    private Optional<LegacyClientInteraction> interaction(@Nullable Session<LegacySession> session) {
        if (session == null) {
            return Optional.empty();
        }
        LegacySession state = session.state();
        if (acceptedTypes.stream()) {
            return Optional.of(new LegacyClientInteraction(
                    state,
                    json -> sink.execute(() -> {
                        if (!sink.closed()) {
                            sink.event(json, ReplySink.Urgency.KEEP);
                        }
                    })));
        }
        if (state.streamElsewhere() && state.stream().isEmpty()) {
            return Optional.of(
                    new LegacyClientInteraction(state, json -> tools.sharing().deliver(session, json)));
        }
        return state.stream().map(stream -> new LegacyClientInteraction(state, stream::deliver));
    }

    private Optional<MethodHandler> handler(String method) {
        return switch (method) {
            case "initialize" -> Optional.of(new Initialize(tools.services(), this::start));
            case "ping" -> Optional.of(new Ping());
            case "logging/setLevel" -> Optional.of(new SetLevel(sessionBinding));
            case "resources/subscribe" -> Optional.of(new Subscribe(tools.services(), sessionBinding));
            case "resources/unsubscribe" -> Optional.of(new Unsubscribe(tools.services(), sessionBinding));
            default -> Optional.ofNullable(tools.shared().get(method));
        };
    }

    private Future<SessionBinding> start(ProtocolVersion version, JsonNode capabilities) {
        Session<LegacySession> own = sessionBinding.session();
        if (own != null && own.state().streamSession() != null) {
            own.state().handshake(version, capabilities);
            sessionBinding = SessionBinding.of(own);
            return Future.succeededFuture(sessionBinding);
        }
        SessionOwner owner = SessionResolver.owner(inboundMessage);
        LegacySession state = new LegacySession(version, capabilities, tools.resume());
        return here(tools.sharing().create(owner, state, null))
                .recover(_ -> Future.failedFuture(LegacyHttpException.unreachableForInitialize()))
                .map(made -> {
                    NewSession<LegacySession> created = made.orElseThrow(LegacyHttpException::noSession);
                    headers.put(SessionResolver.SESSION_HEADER, created.id());
                    sessionBinding = SessionBinding.of(created.session());
                    return sessionBinding;
                });
    }
}
