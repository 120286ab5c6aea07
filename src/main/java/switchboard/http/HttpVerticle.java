package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.ProtectedResource;

/** The HTTP server of the MCP endpoint. Deployed once per event loop; the instances share the port. */
public final class HttpVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(HttpVerticle.class);

    /** Instances that listen on the same negative port share one free port. */
    private static final int SHARED_FREE_PORT = -1;

    private static final int MAX_REQUEST_LINE_BYTES = 4096;
    /** After this many write timeouts the TCP connection is closed as well. */
    private static final int STALLED_WRITE_TIMEOUTS = 15;

    /** Time for answering the calls that are still under way after the grace period. */
    private static final Duration ANSWER_TIME = Duration.ofSeconds(5);

    /**
     * How often a client may reset streams of one connection in 30 s; more close the connection. Calls are cancelled by a
     * reset (2026-07-28), and a proxy sends those of many clients over one connection, so Vert.x' 200 would end the calls
     * of all. Each call is bounded otherwise, and a cancelled one ends at once.
     */
    private static final int MOST_RESETS = 3000;

    private final HttpSettings settings;
    private final HttpMeters meters;
    private final HttpServices entry;
    private final RequestHeadCheck heads = new RequestHeadCheck();
    private @Nullable HttpServer server;
    private @Nullable ConnectionGuard connections;
    private volatile Future<Void> calls = Future.succeededFuture();

    /** A server that is not listening yet. {@code meters} and {@code entry} are shared by the instances. */
    public HttpVerticle(HttpSettings settings, HttpMeters meters, HttpServices entry) {
        this.settings = settings;
        this.meters = meters;
        this.entry = entry;
    }

    @Override
    public Future<?> start() {
        ConnectionGuard guard = new ConnectionGuard(vertx, settings.limits(), meters);
        connections = guard;
        meters.watchLoop(vertx);
        Router router = router(new McpRoute(vertx, settings, meters, entry));
        server = vertx.createHttpServer(options())
                .connectionHandler(guard::opened)
                .invalidRequestHandler(this::refuseInvalid)
                .requestHandler(request -> take(request, guard, router));
        return server.listen();
    }

    /** Requests are still answered, and each answer tells its client to use a new connection for the next one. */
    public void leave() {
        context.runOnContext(_ -> {
            if (connections != null) {
                connections.leave();
            }
        });
    }

    /** A stop waits until {@code others} are over: calls without a connection get no replies once their verticle is undeployed. */
    public void outlast(Future<Void> others) {
        calls = others;
    }

    @Override
    public Future<?> stop() {
        if (connections != null) {
            connections.stop();
        }
        return server == null
                ? Future.succeededFuture()
                : server.shutdown(settings.grace().plus(ANSWER_TIME).toMillis(), TimeUnit.MILLISECONDS)
                        .eventually(() -> calls);
    }

    /** Makes new connections use the current certificate files. Existing connections continue. */
    public Future<?> renewCertificates() {
        // Forced, because the options name the same files as before.
        return server == null || settings.tls() == null
                ? Future.succeededFuture()
                : server.updateSSLOptions(settings.tls().options(), true);
    }

    /** The port of the server; only after deployment. */
    public int port() {
        if (server == null) {
            throw new IllegalStateException("not listening");
        }
        return server.actualPort();
    }

    private HttpServerOptions options() {
        // No idle timeout that would cut calls that are slow to answer: ConnectionGuard bounds idle connections. But
        // closing a connection waits for what it has still to write, and only this timeout closes one whose reader
        // takes nothing; so it is far longer than a call may be silent.
        long stalled = settings.limits()
                .writeTimeout()
                .multipliedBy(STALLED_WRITE_TIMEOUTS)
                .toMillis();
        HttpServerOptions options = new HttpServerOptions()
                .setHost(settings.host())
                .setPort(settings.port() == 0 ? SHARED_FREE_PORT : settings.port())
                .setHttp2ClearTextEnabled(false)
                .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
                .setMaxHeaderSize(settings.limits().maxHeaderBytes())
                .setWriteIdleTimeout(Math.toIntExact(stalled))
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setCompressionSupported(false)
                // Web sockets are not used, and their handlers would be in each connection's pipeline.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setDecompressionSupported(false);
        options.setHttp2RstFloodMaxRstFramePerWindow(MOST_RESETS)
                .getInitialSettings()
                .setMaxHeaderListSize(settings.limits().maxHeaderBytes());
        return settings.tls() == null ? options : settings.tls().applied(options);
    }

    private Router router(McpRoute route) {
        Router router = Router.router(vertx);
        RequestPreconditions requestPreconditions = new RequestPreconditions(vertx, settings, meters);
        BrowserPage page = new BrowserPage(requestPreconditions, settings.publicUrl());
        router.route("/").handler(context -> page.toBrowsers(context.request(), context::next));
        McpEndpoints mcpEndpoints = new McpEndpoints(entry.endpoint(), settings.publicUrl());
        serve(router, page, route, "/mcp", mcpEndpoints.streamable());
        serve(router, page, route, "/sse", mcpEndpoints.stream());
        serve(router, page, route, "/messages", mcpEndpoints.messages());
        serve(router, page, route, "/mcp/:view", mcpEndpoints.streamable());
        serve(router, page, route, "/mcp/:view/sse", mcpEndpoints.stream());
        serve(router, page, route, "/mcp/:view/messages", mcpEndpoints.messages());
        MetadataRoute metadata = new MetadataRoute(requestPreconditions, entry.resource());
        router.route(ProtectedResource.WELL_KNOWN + "*").handler(context -> metadata.handle(context.request()));
        router.route().handler(context -> route.nothing(context.request()));
        router.route().failureHandler(this::failed);
        return router;
    }

    private static void serve(Router router, BrowserPage page, McpRoute route, String path, Endpoint endpoint) {
        router.route(path)
                .handler(context -> page.toBrowsers(
                        context.request(), () -> route.serve(context.request(), view(context), endpoint)));
    }

    /** The view that the path names, or the default one. */
    private static String view(RoutingContext context) {
        return Objects.requireNonNullElse(context.pathParam("view"), "");
    }

    private void take(HttpServerRequest request, ConnectionGuard guard, Router router) {
        if (heads.late(request)) {
            return;
        }
        guard.track(request);
        Optional<HttpError> malformed = RequestHeadCheck.malformed(request);
        if (malformed.isPresent()) {
            refuse(request, malformed.get());
        } else {
            router.handle(request);
        }
    }

    private void failed(RoutingContext context) {
        LOG.error("a request failed before it reached the protocol", context.failure());
        if (!context.response().headWritten()) {
            refuse(context.request(), new HttpError(500, "Internal error."));
        }
    }

    /** Refuses what can't be parsed as HTTP: too long, or malformed. */
    private void refuseInvalid(HttpServerRequest request) {
        if (!heads.late(request)) {
            refuse(
                    request,
                    RequestHeadCheck.undecodable(
                            request.decoderResult().cause(),
                            MAX_REQUEST_LINE_BYTES,
                            settings.limits().maxHeaderBytes()));
        }
    }

    private void refuse(HttpServerRequest request, HttpError httpError) {
        meters.refused(httpError.status());
        heads.refuse(request, httpError);
    }
}
