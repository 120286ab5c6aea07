package switchboard.app;

import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import switchboard.auth.AccessPolicy;
import switchboard.auth.Budget;
import switchboard.auth.TeamDirectory;
import switchboard.call.BackendReply;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.call.Tracing;
import switchboard.catalog.DescriptorReader;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.concurrent.TeamShare;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;
import switchboard.dispatch.PendingCall;
import switchboard.http.HttpMeters;
import switchboard.http.HttpServices;
import switchboard.http.HttpSettings;
import switchboard.http.HttpVerticle;
import switchboard.http.McpRoutes;
import switchboard.protocol.BackendCapabilities;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.McpEndpoint;
import switchboard.protocol.OperationObserver;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.Redactor;
import switchboard.protocol.legacy.LegacyEndpoint;
import switchboard.protocol.legacy.ResumeLimits;
import switchboard.session.SessionLimits;
import switchboard.testing.LoopbackHttp;
import switchboard.testing.NoTasks;
import switchboard.testing.RoughAnswers;

/**
 * Everything of a gateway that decides who may do what, over HTTP, with every tool that is declared anywhere under
 * {@code backends/}, also those behind gates. The backends themselves answer each call with whom they were called by.
 */
final class AccessFixture implements AutoCloseable {
    /** A tool and a view that shows it under its own name. */
    record Declared(String view, ToolDescriptor descriptor) {}

    private final Vertx vertx = Vertx.vertx();
    private final List<Declared> tools = new ArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final HttpVerticle server;

    /** A door with the {@code auth} section of {@code yaml} and the teams of {@code teams}. */
    AccessFixture(String yaml, TeamDirectory teams) {
        GatewayConfig config = new ConfigLoader(BackendTypes.shipped().settings(), Map.of())
                .parse(yaml, "test.yaml", Path.of("").toAbsolutePath(), Overrides.NONE);
        Authentication authentication = new Authentication(config);
        ToolCatalog catalog = ToolCatalog.of(declared(), List.of());
        ProtocolServices services = new ProtocolServices(
                ProtocolSettings.defaults("test"),
                name -> catalog.view(name).orElseThrow(),
                BackendCapabilities.NONE,
                new AccessPolicy(authentication.scopes()),
                Budget.UNLIMITED,
                Redactor.NONE,
                RoughAnswers.fitter(),
                (backend, request, caller, options) -> {
                    calls.incrementAndGet();
                    return new Answered(reply(caller));
                },
                new ChangeHub(1),
                OperationObserver.NONE,
                Tracing.OFF,
                NoTasks.store());
        McpEndpoint endpoint = new McpEndpoint(
                services,
                new LegacyEndpoint(
                        services,
                        SessionLimits.DEFAULT,
                        ResumeLimits.DEFAULT,
                        Clock.systemUTC(),
                        Ticker.systemTicker(),
                        null));
        HttpServices entry = new HttpServices(
                endpoint,
                authentication.authenticator(
                        vertx,
                        new GatewayExecutors(vertx, new SimpleMeterRegistry(), TeamShare.ALL),
                        () -> teams,
                        Clock.systemUTC()),
                (principal, view) -> catalog.view(view).isPresent() && principal.mayUseView(view),
                authentication.resource());
        HttpSettings settings = LoopbackHttp.settings(0);
        HttpMeters meters = new HttpMeters(new SimpleMeterRegistry());
        server = new HttpVerticle(settings, meters, new McpRoutes(settings, meters, entry));
        vertx.deployVerticle(server).await();
    }

    /** Every tool there is. */
    List<Declared> tools() {
        return tools;
    }

    /** How often a backend was called. */
    int calls() {
        return calls.get();
    }

    /** Where it listens. */
    int port() {
        return server.port();
    }

    /** Where the view {@code name} is. */
    URI url(String name) {
        return URI.create("http://127.0.0.1:" + port() + "/mcp" + (name.isEmpty() ? "" : "/" + name));
    }

    @Override
    public void close() {
        vertx.close().await();
    }

    private List<ToolCatalog.BackendTools> declared() {
        List<ToolCatalog.BackendTools> backends = new ArrayList<>();
        try (Stream<Path> folders = Files.list(Path.of("backends"))) {
            for (Path file : folders.map(folder -> folder.resolve("tools.json"))
                    .filter(Files::exists)
                    .sorted()
                    .toList()) {
                String type = String.valueOf(file.getParent().getFileName());
                List<ToolDescriptor> own = DescriptorReader.read(file.toString(), Files.readAllBytes(file));
                own.forEach(tool -> tools.add(new Declared(tool.availability().extension() ? "" : type, tool)));
                backends.add(new ToolCatalog.BackendTools(type, type, own));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return backends;
    }

    private static ToolReply reply(Caller caller) {
        return ToolReply.ok(Json.object().put("team", caller.team()).put("principal", caller.principal()));
    }

    private record Answered(ToolReply answer) implements PendingCall {
        @Override
        public Future<BackendReply> reply() {
            return Future.succeededFuture(answer);
        }

        @Override
        public void cancel() {}
    }
}
