package switchboard.app;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.app.BootException.Stage;
import switchboard.auth.PublicUrl;
import switchboard.call.IoErrorMessage;
import switchboard.config.GatewayConfig;
import switchboard.config.Secret;
import switchboard.config.TlsConfig;
import switchboard.http.BackendAdmin;
import switchboard.http.HttpLimits;
import switchboard.http.HttpMeters;
import switchboard.http.HttpServices;
import switchboard.http.HttpSettings;
import switchboard.http.HttpTls;
import switchboard.http.HttpVerticle;
import switchboard.http.ManagementVerticle;
import switchboard.http.McpRoutes;
import switchboard.http.Readiness;
import switchboard.text.CidrBlock;

/** The HTTP servers: for agents, with an instance on each event loop; for people (the console); for operators. */
final class HttpServers {
    private static final Logger LOG = LoggerFactory.getLogger(HttpServers.class);

    private final Vertx vertx;
    private final GatewayConfig config;
    private final Telemetry telemetry;
    private final GatewayExecutors gatewayExecutors;
    private final HttpMeters meters;
    private final Queue<HttpVerticle> instances = new ConcurrentLinkedQueue<>();
    private @Nullable ManagementVerticle management;
    private volatile @Nullable HttpVerticle console;
    private @Nullable String mcpDeployment;
    private @Nullable String consoleDeployment;
    private @Nullable String managementDeployment;

    HttpServers(Platform platform, GatewayConfig config) {
        this.vertx = platform.vertx();
        this.config = config;
        this.telemetry = platform.telemetry();
        this.gatewayExecutors = platform.executors();
        this.meters = new HttpMeters(telemetry.registry());
    }

    /**
     * Opens the management port.
     *
     * @throws BootException if it can't listen there
     */
    void openManagement(Supplier<Readiness> readiness, BackendAdmin backends) {
        String host = config.management().host();
        int port = config.management().port();
        Secret token = config.management().token();
        ManagementVerticle verticle = new ManagementVerticle(
                new ManagementVerticle.ListenAddress(host, port, token == null ? null : token.reveal()),
                readiness,
                backends,
                new LogbackLevels(),
                telemetry.registry());
        managementDeployment = bound(vertx.deployVerticle(verticle), host, port, "--management-port");
        management = verticle;
    }

    /**
     * Opens the port for agents.
     *
     * @throws BootException if it can't listen there
     */
    void openMcp(HttpServices entry) {
        HttpSettings settings = settings();
        Optional<ServerCertificates> certificates =
                Optional.ofNullable(settings.tls()).map(tls -> ServerCertificates.of(tls, vertx));
        meters.bodies(entry.bodies());
        McpRoutes routes = new McpRoutes(settings, meters, entry, shownConsole());
        Supplier<HttpVerticle> supplier = () -> {
            HttpVerticle verticle = new HttpVerticle(settings, meters, routes);
            instances.add(verticle);
            return verticle;
        };
        DeploymentOptions everyLoop = new DeploymentOptions().setInstances(Platform.EVENT_LOOPS);
        mcpDeployment = bound(vertx.deployVerticle(supplier, everyLoop), settings.host(), settings.port(), "--port");
        HttpVerticle first = instances.element();
        // The instances share one server socket.
        certificates.ifPresent(files -> {
            telemetry.gateway().certificateExpires(files::expires);
            files.watch(first::renewCertificates, telemetry.gateway(), gatewayExecutors.open("certificates", 1, 1));
        });
    }

    /**
     * Opens the port of the console, if there is to be one.
     *
     * @param routes what it answers
     * @throws BootException if it can't listen there, and the configuration says that there is a console
     */
    void openConsole(BiFunction<HttpSettings, HttpMeters, HttpVerticle.Routes> routes) {
        switch (config.consoleUse()) {
            case OFF -> {}
            case ON -> listenConsole(routes);
            case IF_POSSIBLE -> {
                try {
                    listenConsole(routes);
                } catch (BootException inUse) {
                    LOG.warn("there is no console: {}", inUse.getMessage());
                }
            }
        }
    }

    private void listenConsole(BiFunction<HttpSettings, HttpMeters, HttpVerticle.Routes> routes) {
        var listen = config.console();
        HttpSettings settings = new HttpSettings(
                listen.host(),
                listen.port(),
                listen.publicUrl(),
                Set.of(),
                limits(),
                config.server().drain().grace(),
                null,
                proxies());
        HttpVerticle verticle = new HttpVerticle(settings, meters, routes.apply(settings, meters));
        consoleDeployment = bound(vertx.deployVerticle(verticle), listen.host(), listen.port(), "--console-port");
        console = verticle;
    }

    /** Those who are not on this machine are told of the console's public URL only. */
    private @Nullable URI shownConsole() {
        boolean forAll = config.console().publicUrl() != null || config.server().onThisMachineOnly();
        return forAll ? consoleUrl().orElse(null) : null;
    }

    /** Whether there is a console. */
    boolean hasConsole() {
        return console != null;
    }

    /** The URL of the console, as people see it; empty if there is none. */
    Optional<URI> consoleUrl() {
        URI known = config.console().publicUrl();
        return Optional.ofNullable(console)
                .map(verticle -> known == null
                        ? url("http", config.console().host(), verticle.port(), "/")
                        : URI.create(known.toString().endsWith("/") ? known.toString() : known + "/"));
    }

    /** The URL for agents. */
    URI endpoint() {
        HttpVerticle first = instances.peek();
        return first == null
                ? URI.create("")
                : url(
                        config.server().tls() == null ? "http" : "https",
                        config.server().host(),
                        first.port(),
                        "/mcp");
    }

    /** The URL for agents, as those who are not on this machine see it. */
    String agentsUrl() {
        URI known = config.server().publicUrl();
        if (known == null) {
            return endpoint().toString();
        }
        PublicUrl publicUrl = PublicUrl.of(known);
        return publicUrl.origin() + publicUrl.path("");
    }

    /** The URL for operators. */
    URI managementUrl() {
        return management == null
                ? URI.create("")
                : url("http", config.management().host(), management.port(), "");
    }

    /** Calls are still accepted; clients are told to open other connections for the next ones. */
    void leave() {
        instances.forEach(HttpVerticle::leave);
        if (console != null) {
            console.leave();
        }
    }

    /** Accepts no more calls, and waits for those under way on its connections, and for {@code more}. */
    Future<Void> closeMcp(Future<Void> more) {
        instances.forEach(verticle -> verticle.outlast(more));
        return Future.join(undeploy(consoleDeployment), undeploy(mcpDeployment)).mapEmpty();
    }

    Future<Void> closeManagement() {
        return undeploy(managementDeployment);
    }

    private Future<Void> undeploy(@Nullable String deployment) {
        return deployment == null ? Future.succeededFuture() : vertx.undeploy(deployment);
    }

    private HttpSettings settings() {
        var server = config.server();
        TlsConfig tls = server.tls();
        return new HttpSettings(
                server.host(),
                server.port() == 0 ? HttpVerticle.SHARED_FREE_PORT : server.port(),
                server.publicUrl(),
                Set.copyOf(server.allowedOrigins()),
                limits(),
                server.drain().grace(),
                tls == null ? null : new HttpTls(tls.certificate(), tls.key(), tls.clientAuthorities()),
                proxies());
    }

    private HttpLimits limits() {
        HttpLimits usual = HttpLimits.DEFAULT;
        return new HttpLimits(
                config.server().maxBodySize().toInt(),
                usual.maxHeaderBytes(),
                usual.maxConnections(),
                usual.maxPendingBytes(),
                usual.idleTimeout(),
                usual.bodyTimeout(),
                usual.writeTimeout(),
                config.server().heartbeat());
    }

    private List<CidrBlock> proxies() {
        return config.server().trustedProxies().stream().map(CidrBlock::parse).toList();
    }

    private static String bound(Future<String> deployment, String host, int port, String flag) {
        try {
            return deployment.await();
        } catch (Exception failure) { // await rethrows what the deployment failed with, checked or not
            throw refusal(failure, host, port, flag);
        }
    }

    private static BootException refusal(Exception failure, String host, int port, String flag) {
        String where = host + ":" + port;
        String message = failure instanceof IOException refused
                ? "can't listen on " + where + ": " + IoErrorMessage.of(refused) + "; choose another port with " + flag
                : "can't listen on " + where + ": " + failure.getMessage();
        return new BootException(Stage.ENVIRONMENT, message, failure);
    }

    private static URI url(String scheme, String host, int port, String path) {
        String reachable =
                switch (host) {
                    case "0.0.0.0", "::" -> "127.0.0.1";
                    default -> host.contains(":") ? "[" + host + "]" : host;
                };
        return URI.create(scheme + "://" + reachable + ":" + port + path);
    }
}
