package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP server for callers over the network: its limits, what it does with malformed requests, and how it stops. Each
 * instance runs on an event loop of its own; they share the port.
 */
public final class HttpVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(HttpVerticle.class);

    /** The port of instances that share a free one: those with the same negative port do (Vert.x). */
    public static final int SHARED_FREE_PORT = -1;

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
    private final Routes routes;
    private final RequestHeadCheck heads = new RequestHeadCheck();
    private @Nullable HttpServer server;
    private @Nullable ConnectionGuard connections;
    private volatile Future<Void> calls = Future.succeededFuture();

    /** What a server answers, by path. */
    @FunctionalInterface
    public interface Routes {
        /** The router for one event loop. It may trust that requests are well-formed. */
        Router on(Vertx vertx);
    }

    /** A server that is not listening yet. {@code meters} and {@code routes} are shared by the instances. */
    public HttpVerticle(HttpSettings settings, HttpMeters meters, Routes routes) {
        this.settings = settings;
        this.meters = meters;
        this.routes = routes;
    }

    @Override
    public Future<?> start() {
        ConnectionGuard guard = new ConnectionGuard(vertx, settings.limits(), meters);
        connections = guard;
        Router router = routes.on(vertx);
        router.route().failureHandler(this::failed);
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
                .setPort(settings.port())
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
