package switchboard.http;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Authenticator;
import switchboard.auth.Budget;
import switchboard.auth.OpenAuthenticator;
import switchboard.auth.ProtectedResource;
import switchboard.call.Tracing;
import switchboard.catalog.View;
import switchboard.protocol.BackendCapabilities;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.EncodedJson;
import switchboard.protocol.InboundMessage;
import switchboard.protocol.IncomingMessages;
import switchboard.protocol.LegacyHandler;
import switchboard.protocol.McpEndpoint;
import switchboard.protocol.OperationObserver;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.Redactor;
import switchboard.protocol.ReplySink;
import switchboard.protocol.StreamConversation;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.NoTasks;
import switchboard.testing.RoughAnswers;

/** The HTTP side alone: a script answers whatever gets through it. */
final class ScriptedServer implements AutoCloseable {
    static final BiConsumer<InboundMessage, ReplySink> OK =
            (inboundMessage, sink) -> sink.end(200, Map.of(), EncodedJson.of("{}".getBytes(StandardCharsets.UTF_8)));

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HttpMeters meters = new HttpMeters(registry);
    private final HttpVerticle server;
    private final String deployment;

    ScriptedServer(HttpSettings settings, Authenticator authenticator, BiConsumer<InboundMessage, ReplySink> script) {
        this(settings, authenticator, AuthFailureListener.NONE, script, Optional.empty());
    }

    private ScriptedServer(
            HttpSettings settings,
            Authenticator authenticator,
            AuthFailureListener refused,
            BiConsumer<InboundMessage, ReplySink> script,
            Optional<ProtectedResource> resource) {
        ProtocolServices services = new ProtocolServices(
                ProtocolSettings.defaults("test"),
                name -> new View(name, Set.of(), List.of(), Map.of(), Map.of()),
                BackendCapabilities.NONE,
                new AccessPolicy(),
                Budget.UNLIMITED,
                Redactor.NONE,
                RoughAnswers.fitter(),
                (backend, request, caller, options) -> {
                    throw new AssertionError("no backend here");
                },
                new ChangeHub(1),
                OperationObserver.NONE,
                Tracing.OFF,
                NoTasks.store());
        HttpServices entry = new HttpServices(
                new McpEndpoint(services, new Script(script)),
                authenticator,
                refused,
                new BodyMemoryLimiter(128L << 20),
                (principal, view) -> view.isEmpty() || view.equals("toy"),
                resource);
        server = new HttpVerticle(settings, meters, new McpRoutes(settings, meters, entry));
        deployment = vertx.deployVerticle(server).await();
    }

    static ScriptedServer start(BiConsumer<InboundMessage, ReplySink> script) {
        return new ScriptedServer(LoopbackHttp.settings(0), new OpenAuthenticator(), script);
    }

    static ScriptedServer start(HttpLimits limits, BiConsumer<InboundMessage, ReplySink> script) {
        return new ScriptedServer(
                LoopbackHttp.limited(LoopbackHttp.settings(0), limits), new OpenAuthenticator(), script);
    }

    /** The default limits, but for those of streams. */
    static HttpLimits limits(int maxPendingBytes, Duration writeTimeout, Duration heartbeat) {
        HttpLimits shipped = HttpLimits.DEFAULT;
        return new HttpLimits(
                shipped.maxBodyBytes(),
                shipped.maxHeaderBytes(),
                shipped.maxConnections(),
                maxPendingBytes,
                shipped.idleTimeout(),
                shipped.bodyTimeout(),
                writeTimeout,
                heartbeat);
    }

    /** A server that answers whoever gets in, and reports who does not to {@code refused}. */
    static ScriptedServer reporting(Authenticator authenticator, AuthFailureListener refused) {
        return new ScriptedServer(LoopbackHttp.settings(0), authenticator, refused, OK, Optional.empty());
    }

    /** A server that accepts access tokens, and publishes that as {@code resource}. */
    static ScriptedServer publishing(ProtectedResource resource) {
        return new ScriptedServer(
                LoopbackHttp.settings(0), new OpenAuthenticator(), AuthFailureListener.NONE, OK, Optional.of(resource));
    }

    int port() {
        return server.port();
    }

    HttpMeters meters() {
        return meters;
    }

    /** Begins to stop the server. */
    Future<Void> stop() {
        return vertx.undeploy(deployment);
    }

    double count(String counter) {
        return registry.find(counter).counters().stream()
                .mapToDouble(io.micrometer.core.instrument.Counter::count)
                .sum();
    }

    /** The same for counters with that tag. */
    double count(String counter, String tag, String value) {
        return registry.find(counter).tag(tag, value).counters().stream()
                .mapToDouble(io.micrometer.core.instrument.Counter::count)
                .sum();
    }

    @Override
    public void close() {
        vertx.close().await();
    }

    private record Script(BiConsumer<InboundMessage, ReplySink> code) implements LegacyHandler {
        @Override
        public Optional<ProtocolVersion> agreed(InboundMessage inboundMessage) {
            return Optional.empty();
        }

        @Override
        public Optional<ProtocolVersion> agreed(InboundMessage inboundMessage, String id) {
            return Optional.empty();
        }

        @Override
        public void post(InboundMessage inboundMessage, IncomingMessages incoming, ReplySink sink) {
            code.accept(inboundMessage, sink);
        }

        @Override
        public void get(InboundMessage inboundMessage, ReplySink sink) {
            code.accept(inboundMessage, sink);
        }

        @Override
        public void delete(InboundMessage inboundMessage, ReplySink sink) {
            code.accept(inboundMessage, sink);
        }

        @Override
        public void openPair(InboundMessage inboundMessage, Consumer<String> announce, ReplySink sink) {
            sink.open(Map.of());
            announce.accept("1");
        }

        @Override
        public void postPair(InboundMessage inboundMessage, String id, IncomingMessages incoming, ReplySink sink) {
            code.accept(inboundMessage, sink);
        }

        @Override
        public Optional<StreamConversation> converse(InboundMessage opening, ReplySink stream) {
            return Optional.empty();
        }

        @Override
        public void endSessions(java.util.function.Predicate<switchboard.auth.PrincipalId> whose) {}

        @Override
        public int sessions() {
            return 0;
        }
    }
}
