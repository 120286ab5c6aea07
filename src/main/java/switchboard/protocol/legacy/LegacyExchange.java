package switchboard.protocol.legacy;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
import switchboard.protocol.RpcMessage;
import switchboard.protocol.UnknownId;
import switchboard.session.Session;
import switchboard.session.SessionStore;

/**
 * The messages of one POST and where their answers go. A caller that goes away does not take its requests back: only
 * {@code notifications/cancelled} does. Lives on one event loop.
 */
final class LegacyExchange {
    private static final EraRules RULES = new LegacyRules();

    /** What an exchange needs besides its messages. */
    record Tools(
            ProtocolServices services,
            Map<String, MethodHandler> shared,
            RequestRunner runner,
            SessionStore<LegacySession> sessions,
            ResumeLimits resume) {}

    private final Tools tools;
    private final Inbound inbound;
    private final ReplySink sink;
    private final Accept accept;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private Channel channel;

    LegacyExchange(Tools tools, Inbound inbound, ReplySink sink, Channel channel) {
        this.tools = tools;
        this.inbound = inbound;
        this.sink = sink;
        this.accept = Accept.of(inbound.header("Accept"));
        this.channel = channel;
    }

    /** Refuses a caller that can read neither kind of answer. */
    void checkAccept() throws Refusal {
        if (accept.nothing()) {
            throw new Refusal(406, "Accept must allow application/json or text/event-stream.");
        }
    }

    /** The answer to one message, or empty where it gets none. */
    Future<Optional<Answer>> answer(RpcMessage message) {
        return switch (message) {
            case RpcMessage.Request request -> answer(request);
            case RpcMessage.Malformed malformed ->
                Future.succeededFuture(
                        Optional.of(new Answer(200, RpcCodec.malformed(malformed, channel.unknownId()))));
            case RpcMessage.Notification notification -> {
                take(notification);
                yield Future.succeededFuture(Optional.empty());
            }
            case RpcMessage.Response response -> {
                if (channel.session() != null) {
                    channel.session().state().questions().answered(response);
                }
                yield Future.succeededFuture(Optional.empty());
            }
        };
    }

    /** The answer to one message of a batch, which has no status of its own. */
    Future<Optional<byte[]>> element(RpcMessage message) {
        return answer(message).map(answer -> answer.map(one -> one.json().bytes()));
    }

    /** Ends the exchange with {@code answer}. */
    void end(Answer answer) {
        answer.deliver(sink, accept, headers);
    }

    /** Ends an exchange whose answer could not be made. */
    void failed(RpcMessage message) {
        end(Answer.defect(UnknownId.answering(message, channel.unknownId())));
    }

    /** Ends the exchange of messages that get no answer. */
    void accepted() {
        sink.end(202, headers, JsonParts.NOTHING);
    }

    /** Ends an exchange whose requests were all taken back: no answer may be sent. */
    void endCancelled() {
        if (sink.closed()) {
            return;
        }
        if (accept.stream()) {
            sink.open(headers);
            sink.close();
        } else {
            sink.end(204, headers, JsonParts.NOTHING);
        }
    }

    private Future<Optional<Answer>> answer(RpcMessage.Request request) {
        Cancellation cancellation = new Cancellation();
        Session<LegacySession> session = channel.session();
        Runnable cancel = () -> sink.execute(cancellation::cancel);
        if (session != null) {
            if (!tools.sessions().callBegun(session)) {
                return Future.succeededFuture(
                        Optional.of(Refusal.unknownSession().answer(request)));
            }
            session.state().began(request.id(), cancel);
        }
        Optional<SessionInterview> interview = interview(session);
        RpcCall.Reader reader = new RpcCall.Reader(
                request.method().equals("initialize")
                        ? ProtocolVersion.negotiated(request.params())
                        : channel.version(),
                accept,
                Notifier.to(sink, accept),
                sink::execute,
                channel.logLevel(),
                session == null ? null : session.state(),
                interview.<Interview>map(own -> own).orElse(Interview.NONE));
        return tools.runner()
                .run(handler(request.method()), inbound, request, reader, cancellation, RULES)
                .map(answer -> {
                    if (session != null) {
                        session.state().ended(request.id(), cancel);
                        tools.sessions().callOver(session);
                    }
                    interview.ifPresent(SessionInterview::end);
                    return cancellation.cancelled() ? Optional.<Answer>empty() : Optional.of(answer);
                });
    }

    /** The client can be asked on the stream of its request, or else on its session's. */
    private Optional<SessionInterview> interview(@Nullable Session<LegacySession> session) {
        if (session == null) {
            return Optional.empty();
        }
        LegacySession state = session.state();
        if (accept.stream()) {
            return Optional.of(new SessionInterview(
                    state,
                    json -> sink.execute(() -> {
                        if (!sink.closed()) {
                            sink.event(json, ReplySink.Urgency.KEEP);
                        }
                    })));
        }
        return state.stream().map(stream -> new SessionInterview(state, stream::deliver));
    }

    private Optional<MethodHandler> handler(String method) {
        return switch (method) {
            case "initialize" -> Optional.of(new Initialize(tools.services(), this::start));
            case "ping" -> Optional.of(new Ping());
            case "logging/setLevel" -> Optional.of(new SetLevel(channel));
            case "resources/subscribe" -> Optional.of(new Subscribe(channel));
            case "resources/unsubscribe" -> Optional.of(new Unsubscribe(channel));
            default -> Optional.ofNullable(tools.shared().get(method));
        };
    }

    private Channel start(ProtocolVersion version, JsonNode capabilities) {
        Session<LegacySession> own = channel.session();
        if (own != null && own.state().duplex() != null) {
            own.state().handshake(version, capabilities);
            channel = Channel.of(own);
            return channel;
        }
        Session<LegacySession> session = tools.sessions()
                .create(Channels.owner(inbound), new LegacySession(version, capabilities, tools.resume()))
                .orElseThrow(Refusal::noSession);
        headers.put(Channels.SESSION_HEADER, session.id());
        channel = Channel.of(session);
        return channel;
    }

    private void take(RpcMessage.Notification notification) {
        Session<LegacySession> session = channel.session();
        JsonNode requestId = notification.params().path("requestId");
        if (session != null && notification.method().equals("notifications/cancelled")) {
            session.state().cancel(requestId);
        }
    }
}
