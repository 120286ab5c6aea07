package switchboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
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
import switchboard.call.Tracing;
import switchboard.catalog.View;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.Conversation;
import switchboard.protocol.Inbound;
import switchboard.protocol.JsonParts;
import switchboard.protocol.LegacyEra;
import switchboard.protocol.McpEndpoint;
import switchboard.protocol.OperationObserver;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.Providers;
import switchboard.protocol.Redactor;
import switchboard.protocol.ReplySink;
import switchboard.protocol.RpcMessage;
import switchboard.testing.RoughAnswers;

/** The HTTP side alone: a script answers whatever gets through it. */
final class ScriptedServer implements AutoCloseable {
    static final BiConsumer<Inbound, ReplySink> OK =
            (inbound, sink) -> sink.end(200, Map.of(), JsonParts.of("{}".getBytes(StandardCharsets.UTF_8)));

    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final HttpMeters meters = new HttpMeters(registry);
    private final HttpVerticle server;
    private final String deployment;

    ScriptedServer(HttpSettings settings, Authenticator authenticator, BiConsumer<Inbound, ReplySink> script) {
        ProtocolServices services = new ProtocolServices(
                ProtocolSettings.defaults("test"),
                name -> new View(name, Set.of(), List.of(), Map.of(), Map.of()),
                Providers.NONE,
                new AccessPolicy(),
                Budget.UNLIMITED,
                Redactor.NONE,
                RoughAnswers.fitter(),
                (backend, request, caller, options) -> {
                    throw new AssertionError("no backend here");
                },
                new ChangeHub(1),
                OperationObserver.NONE,
                Tracing.OFF);
        HttpEntry entry = new HttpEntry(
                new McpEndpoint(services, new Script(script)),
                authenticator,
                (principal, view) -> view.isEmpty() || view.equals("toy"));
        server = new HttpVerticle(settings, meters, entry);
        deployment = vertx.deployVerticle(server).await();
    }

    static ScriptedServer start(BiConsumer<Inbound, ReplySink> script) {
        return new ScriptedServer(HttpSettings.loopback(0), new OpenAuthenticator(), script);
    }

    static ScriptedServer start(HttpLimits limits, BiConsumer<Inbound, ReplySink> script) {
        return new ScriptedServer(HttpSettings.loopback(0).withLimits(limits), new OpenAuthenticator(), script);
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

    @Override
    public void close() {
        vertx.close().await();
    }

    private record Script(BiConsumer<Inbound, ReplySink> code) implements LegacyEra {
        @Override
        public Optional<ProtocolVersion> agreed(Inbound inbound) {
            return Optional.empty();
        }

        @Override
        public Optional<ProtocolVersion> agreed(Inbound inbound, String id) {
            return Optional.empty();
        }

        @Override
        public void single(Inbound inbound, RpcMessage message, ReplySink sink) {
            code.accept(inbound, sink);
        }

        @Override
        public void batch(Inbound inbound, List<RpcMessage> elements, ReplySink sink) {
            code.accept(inbound, sink);
        }

        @Override
        public void get(Inbound inbound, ReplySink sink) {
            code.accept(inbound, sink);
        }

        @Override
        public void delete(Inbound inbound, ReplySink sink) {
            code.accept(inbound, sink);
        }

        @Override
        public void openPair(Inbound inbound, Consumer<String> announce, ReplySink sink) {
            sink.open(Map.of());
            announce.accept("1");
        }

        @Override
        public void postPair(Inbound inbound, String id, JsonNode body, ReplySink sink) {
            code.accept(inbound, sink);
        }

        @Override
        public Optional<Conversation> converse(Inbound opening, ReplySink stream) {
            return Optional.empty();
        }

        @Override
        public void endSessions(java.util.function.Predicate<switchboard.auth.Identity> whose) {}

        @Override
        public int sessions() {
            return 0;
        }
    }
}
