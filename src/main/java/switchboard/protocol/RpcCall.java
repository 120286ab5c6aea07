package switchboard.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent;
import switchboard.call.CallingClient;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.SessionValues;
import switchboard.call.Tracing;
import switchboard.catalog.View;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.ClientInteraction;
import switchboard.dispatch.Requester;
import switchboard.telemetry.RequestSource;

/** A request while its handler runs. Used on one event loop only. */
public final class RpcCall {
    private final InboundMessage inboundMessage;
    private final RpcMessage.Request request;
    private final View view;
    private final ClientContext reader;
    private final Cancellation cancellation;
    private final CallEvents events;
    private final OperationRecorder operation;
    private final @Nullable Consumer<BackendEvent> progress;
    private final boolean acceptsTasks;

    /**
     * Data about the client.
     *
     * @param version the protocol version
     * @param accept what the client accepts
     * @param notifier sends notifications
     * @param loop the exchange's event loop
     * @param logLevel lowest level of wanted log messages, or null for none
     * @param session values that its session keeps between calls, or null without one
     * @param interaction how the client may be involved
     */
    public record ClientContext(
            ProtocolVersion version,
            AcceptedTypes accept,
            Notifier notifier,
            Executor loop,
            @Nullable LogLevel logLevel,
            @Nullable SessionState session,
            ClientInteraction interaction) {}

    RpcCall(
            InboundMessage inboundMessage,
            RpcMessage.Request request,
            View view,
            ClientContext reader,
            Cancellation cancellation,
            OperationRecorder operation,
            @Nullable Consumer<BackendEvent> progress) {
        this.inboundMessage = inboundMessage;
        this.request = request;
        this.view = view;
        this.reader = reader;
        this.cancellation = cancellation;
        this.operation = operation;
        this.events = new CallEvents(reader.notifier(), progressToken(), reader.logLevel());
        this.progress = progress;
        this.acceptsTasks = false;
    }

    private RpcCall(RpcCall same, boolean acceptsTasks) {
        this.inboundMessage = same.inboundMessage;
        this.request = same.request;
        this.view = same.view;
        this.reader = same.reader;
        this.cancellation = same.cancellation;
        this.operation = same.operation;
        this.events = same.events;
        this.progress = same.progress;
        this.acceptsTasks = acceptsTasks;
    }

    /** Whether other servers may answer it with a task. */
    public boolean acceptsTasks() {
        return acceptsTasks;
    }

    /** The same call, which other servers may answer with a task. */
    public RpcCall acceptingTasks() {
        return new RpcCall(this, true);
    }

    /**
     * The work of this call that goes on after it was answered with a task. Nothing is sent to the client, which can't be asked
     * anything. It holds neither the message nor the exchange, because their memory is only counted until the request is
     * answered.
     *
     * @param ending ends it early; the end of the client's connection does not
     * @param observed receives progress
     */
    public RpcCall detached(Cancellation ending, Consumer<BackendEvent> observed, Tracing tracing) {
        InboundMessage opening = new InboundMessage(
                inboundMessage.view(),
                inboundMessage.transport(),
                inboundMessage.principal(),
                inboundMessage.address(),
                _ -> null,
                new byte[0]);
        OperationRecorder work = operation.again(opening, TaskExtension.RECORDED_METHOD);
        work.trace(tracing.begin(Tracing.SpanSide.SERVER, operation.traceparent()));
        Context context = Vertx.currentContext();
        ClientContext nobody = new ClientContext(
                reader.version(),
                reader.accept(),
                (_, _, _) -> {},
                context == null ? reader.loop() : task -> context.runOnContext(_ -> task.run()),
                null,
                null,
                ClientInteraction.with(new CallingClient(client().capabilities(), CallingClient.AskMode.NEVER, null)));
        RpcMessage.Request same = new RpcMessage.Request(request.id(), request.method(), Json.object());
        return new RpcCall(opening, same, view, nobody, ending, work, observed);
    }

    /** The caller. */
    public Principal principal() {
        return inboundMessage.principal();
    }

    /** The view of the URL. */
    public View view() {
        return view;
    }

    /** The request's id. */
    public JsonNode id() {
        return request.id();
    }

    /** The request's parameters; must not be changed. */
    public ObjectNode params() {
        return request.params();
    }

    /** The parameter {@code name}, or null. */
    public @Nullable String text(String name) {
        JsonNode value = params().get(name);
        return value != null && value.isTextual() ? value.asText() : null;
    }

    /** The parameter {@code name}, which must be a string. */
    public String requiredText(String name) {
        String value = text(name);
        if (value == null) {
            throw new RpcException(RpcError.INVALID_PARAMS, "\"" + name + "\" must be a string.");
        }
        return value;
    }

    /** The revision spoken. */
    public ProtocolVersion version() {
        return reader.version();
    }

    /** The message whose headers have to repeat arguments, where the protocol wants that: 2026-07-28 over HTTP. */
    public Optional<InboundMessage> repeatingHeaders() {
        return version().modern() && inboundMessage.transport().equals("http")
                ? Optional.of(inboundMessage)
                : Optional.empty();
    }

    /** The media types that the client accepts. */
    public AcceptedTypes accept() {
        return reader.accept();
    }

    /** Sends notifications. */
    public Notifier notifier() {
        return reader.notifier();
    }

    /** The exchange's event loop, for news from other threads. */
    public Executor loop() {
        return reader.loop();
    }

    /** Whether the request has been cancelled. */
    public Cancellation cancellation() {
        return cancellation;
    }

    /** Collects data for the observer. */
    public OperationRecorder operation() {
        return operation;
    }

    /** How the caller may be involved. */
    public ClientInteraction interaction() {
        return reader.interaction();
    }

    /** The caller as a backend may know it. */
    public CallingClient client() {
        return reader.interaction().client();
    }

    /** Goes on with this call on its own loop. */
    public void execute(Runnable task) {
        reader.loop().execute(task);
    }

    /** How to send a request to {@code backend} on behalf of this call. */
    public CallOptions options(String backend, Duration timeout) {
        return options(backend, timeout, null);
    }

    /** The same with the client's answers so far. */
    public CallOptions options(String backend, Duration timeout, CallingClient.@Nullable ClientResponses answers) {
        boolean wantsEvents = reader.accept().stream() && (progressToken() != null || reader.logLevel() != null);
        SessionState session = reader.session();
        ClientInteraction clientInteraction =
                (acceptsTasks ? reader.interaction() : TaskExtension.without(reader.interaction())).told(view().refs());
        CallOptions options = new CallOptions(
                        timeout,
                        progress != null ? progress : wantsEvents ? events : null,
                        progress == null && wantsEvents ? reader.logLevel() : null,
                        operation.traceparent(),
                        session == null ? null : session.of(backend),
                        answers == null ? clientInteraction : clientInteraction.answering(answers))
                .by(new Requester(principal(), view(), operation.notes()))
                .telling(operation.steps());
        return inboundMessage.piped() || progress != null ? options.patiently() : options;
    }

    /** Has the caller's session keep what {@code backend} answered for it; without a session nothing is kept. */
    public void keep(String backend, SessionValues values) {
        SessionState session = reader.session();
        if (session != null && !values.byName().isEmpty()) {
            session.keep(backend, values);
        }
    }

    CallEvents events() {
        return events;
    }

    private @Nullable JsonNode progressToken() {
        JsonNode token = params().path("_meta").get("progressToken");
        return token != null && (token.isTextual() || token.isIntegralNumber()) ? token : null;
    }

    /** The W3C trace context that the request came with, or null. */
    @Nullable
    String incomingTrace() {
        String given = params().path("_meta").path("traceparent").asText();
        String value = given.isEmpty() ? inboundMessage.header("traceparent") : given;
        return RequestSource.valid(value) ? value : null;
    }
}
