package switchboard.protocol;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;
import switchboard.call.Verb;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.catalog.ToolDescriptor.ErrorStyle;
import switchboard.catalog.ViewSpec;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;
import switchboard.protocol.legacy.LegacyEndpoint;
import switchboard.protocol.legacy.ResumeLimits;
import switchboard.session.SessionLimits;
import switchboard.task.TaskStore;
import switchboard.telemetry.FinishedRequest;
import switchboard.testing.NoTasks;
import switchboard.testing.RoughAnswers;

/** An endpoint whose backends answer when the test says so. Two backends, {@code alpha} and {@code beta}. */
final class CoreFixture implements BackendCaller {
    /** A call that was sent and has not been answered. */
    static final class Sent implements PendingCall {
        final String backend;
        final BackendRequest request;
        final Caller caller;
        final CallOptions options;
        private final Promise<BackendReply> promise = Promise.promise();
        private boolean cancelled;

        Sent(String backend, BackendRequest request, Caller caller, CallOptions options) {
            this.backend = backend;
            this.request = request;
            this.caller = caller;
            this.options = options;
        }

        @Override
        public Future<BackendReply> reply() {
            return promise.future();
        }

        @Override
        public void cancel() {
            cancelled = true;
            promise.tryComplete(ToolReply.failed(FailureKind.CANCELLED, "The call was cancelled."));
        }

        boolean cancelled() {
            return cancelled;
        }

        void answer(BackendReply reply) {
            promise.tryComplete(reply);
        }

        void tell(switchboard.call.BackendEvent event) {
            if (options.events() != null) {
                options.events().accept(event);
            }
        }
    }

    static final String VERSION = "2026-07-28";
    static final Principal ANYBODY = Principal.anonymous();

    final List<Sent> sent = new CopyOnWriteArrayList<>();
    final List<FinishedRequest> operations = new CopyOnWriteArrayList<>();
    final List<Duration> endedSessions = new ArrayList<>();
    final AtomicLong now = new AtomicLong();
    final ChangeHub changes;
    final McpEndpoint endpoint;
    final ProtocolServices services;
    private final Map<Class<?>, java.util.function.Function<Sent, BackendReply>> prompt = new HashMap<>();

    CoreFixture() {
        this(ProtocolSettings.defaults("1"));
    }

    CoreFixture(ProtocolSettings settings) {
        this(settings, SessionLimits.DEFAULT);
    }

    CoreFixture(ProtocolSettings settings, SessionLimits sessions) {
        this(settings, sessions, new AccessPolicy(), Budget.UNLIMITED);
    }

    CoreFixture(ProtocolSettings settings, SessionLimits sessions, AccessPolicy policy, Budget budget) {
        this(settings, sessions, policy, budget, Redactor.NONE, NoTasks.store());
    }

    /** One whose calls can become tasks in {@code tasks}. */
    CoreFixture(ProtocolSettings settings, Redactor redactor, TaskStore tasks) {
        this(settings, SessionLimits.DEFAULT, new AccessPolicy(), Budget.UNLIMITED, redactor, tasks);
    }

    private CoreFixture(
            ProtocolSettings settings,
            SessionLimits sessions,
            AccessPolicy policy,
            Budget budget,
            Redactor redactor,
            TaskStore tasks) {
        changes = new ChangeHub(settings.maxStreams());
        ToolCatalog catalog = catalog(tasks);
        services = new ProtocolServices(
                settings,
                name -> catalog.view(name).orElseThrow(),
                new Everything(),
                policy,
                budget,
                redactor,
                RoughAnswers.fitter(),
                this,
                changes,
                new OperationObserver() {
                    @Override
                    public void finished(FinishedRequest operation) {
                        operations.add(operation);
                    }

                    @Override
                    public void sessionEnded(Duration age) {
                        endedSessions.add(age);
                    }
                },
                Tracing.OFF,
                tasks);
        endpoint = new McpEndpoint(
                services,
                new LegacyEndpoint(services, sessions, ResumeLimits.DEFAULT, Clock.systemUTC(), now::get, null));
    }

    private static ToolCatalog catalog(TaskStore tasks) {
        List<ToolCatalog.BackendTools> backends = new ArrayList<>(List.of(
                new ToolCatalog.BackendTools(
                        "alpha",
                        "alpha",
                        List.of(
                                tool("read", Set.of(Verb.READ), null, ErrorStyle.SENTENCE),
                                tool("write", Set.of(Verb.CREATE), null, ErrorStyle.STATUS),
                                tool("scoped", Set.of(Verb.READ), "/library", ErrorStyle.SENTENCE),
                                tool("search", Set.of(Verb.SEARCH), null, ErrorStyle.SENTENCE))),
                new ToolCatalog.BackendTools(
                        "beta", "beta", List.of(tool("search", Set.of(Verb.SEARCH), null, ErrorStyle.SENTENCE)))));
        if (tasks.limits().most() > 0) {
            backends.add(new ToolCatalog.BackendTools("jobs", "jobs", List.of(longRunning())));
        }
        return ToolCatalog.of(backends, List.of(pinned()));
    }

    /** Requests of that kind are answered at once. */
    <R extends BackendRequest> void answer(Class<R> kind, java.util.function.Function<Sent, BackendReply> reply) {
        prompt.put(kind, reply);
    }

    @Override
    public PendingCall send(String backendId, BackendRequest request, Caller caller, CallOptions options) {
        Sent call = new Sent(backendId, request, caller, options);
        sent.add(call);
        if (prompt.containsKey(request.getClass())) {
            call.answer(prompt.get(request.getClass()).apply(call));
        }
        return call;
    }

    /** The last call that was sent. */
    Sent last() {
        return sent.getLast();
    }

    switchboard.testing.RecordingSink post(InboundMessage inboundMessage) {
        var sink = new switchboard.testing.RecordingSink();
        endpoint.post(inboundMessage, sink);
        return sink;
    }

    /** A modern request with the headers it needs. */
    static InboundMessage modern(Principal principal, Object id, String method, String params) {
        ObjectNode body = request(id, method, params);
        ObjectNode object = body.withObjectProperty("params");
        ObjectNode meta = object.withObjectProperty("_meta");
        meta.put(MetaKeys.PROTOCOL_VERSION, VERSION);
        meta.withObjectProperty(MetaKeys.CLIENT_CAPABILITIES);
        Map<String, String> headers = new HashMap<>(Map.of("MCP-Protocol-Version", VERSION, "Mcp-Method", method));
        String name =
                object.path(method.equals("resources/read") ? "uri" : "name").asText();
        headers.put("Mcp-Name", name);
        return inbound(principal, headers, Json.bytes(body));
    }

    /** A legacy request, in a session where one is given. */
    static InboundMessage legacy(@Nullable String session, Object id, String method, String params) {
        return inbound(
                ANYBODY,
                session == null ? Map.of() : Map.of("Mcp-Session-Id", session),
                Json.bytes(request(id, method, params)));
    }

    static InboundMessage raw(@Nullable String session, String body) {
        return inbound(
                ANYBODY,
                session == null ? Map.of() : Map.of("Mcp-Session-Id", session),
                body.getBytes(StandardCharsets.UTF_8));
    }

    static InboundMessage inbound(Principal principal, Map<String, String> headers, byte[] body) {
        Map<String, String> folded = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        folded.putAll(headers);
        return new InboundMessage("", "http", principal, folded::get, body);
    }

    /** A new session that negotiated {@code version}. */
    String session(String version) {
        return String.valueOf(
                post(legacy(null, 0, "initialize", "{\"protocolVersion\":\"" + version + "\",\"capabilities\":{}}"))
                        .headers()
                        .get("Mcp-Session-Id"));
    }

    static Principal team(String... grants) {
        return new Principal(
                "red", "key", java.util.Arrays.stream(grants).map(Grant::parse).toList());
    }

    private static ObjectNode request(Object id, String method, String params) {
        try {
            ObjectNode body = Json.object().put("jsonrpc", "2.0").put("method", method);
            body.set("id", Json.mapper().valueToTree(id));
            body.set("params", Json.parse(params));
            return body;
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A view with an argument of {@code alpha}'s tools that names none of its resources. */
    private static ViewSpec pinned() {
        return new ViewSpec(
                "pinned",
                Set.of("alpha", "beta"),
                List.of("alpha__read"),
                Map.of(),
                Map.of(),
                new ViewSpec.ArgumentValues(
                        Map.of("alpha__read", Map.of("library", Json.object().textNode("main"))), Map.of()),
                ViewSpec.Listing.COMPLETE,
                Map.of());
    }

    private static ToolDescriptor tool(String name, Set<Verb> verbs, @Nullable String scope, ErrorStyle style) {
        return tool(name, verbs, scope, style, new ToolDescriptor.Limits(Duration.ofSeconds(7), 1000));
    }

    /** A tool whose calls become tasks. */
    private static ToolDescriptor longRunning() {
        ToolDescriptor.Limits limits = new ToolDescriptor.Limits(Duration.ofSeconds(7), 1 << 20, true);
        return tool("long", Set.of(Verb.CREATE), null, ErrorStyle.SENTENCE, limits);
    }

    private static ToolDescriptor tool(
            String name, Set<Verb> verbs, @Nullable String scope, ErrorStyle style, ToolDescriptor.Limits limits) {
        ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
        schema.putObject("properties")
                .putObject("library")
                .put("type", "string")
                .put("default", "main");
        return new ToolDescriptor(
                name,
                new ToolDescriptor.Texts(name, "Does " + name + "."),
                new ToolDescriptor.Schemas(
                        schema, name.equals("read") ? Json.object().put("type", "object") : null),
                new ToolDescriptor.Effects(verbs, scope == null ? null : JsonPointer.compile(scope), true),
                limits,
                ToolDescriptor.Availability.ALWAYS,
                new ToolDescriptor.AnswerFormat(style, null),
                null);
    }

    private static final class Everything implements BackendCapabilities {
        @Override
        public boolean resources(String backendId) {
            return true;
        }

        @Override
        public boolean owns(String backendId, String uri) {
            return uri.startsWith(backendId + ":");
        }

        @Override
        public boolean prompts(String backendId) {
            return true;
        }
    }
}
