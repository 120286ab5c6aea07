package switchboard.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.async.HttpConnections;
import switchboard.call.Json;

/**
 * The management port, for operators: {@code /health/live}, {@code /health/ready} and {@code /metrics} for reading,
 * {@code /backends/<id>/off} to switch a backend off and on, {@code /loggers/<name>} to change log levels. Everybody
 * who reaches the port may read. Changes are accepted from this machine only, and with a token if one is set, because
 * a sidecar or a forwarded port looks like this machine. Web pages are refused by their {@code Origin}, and, if the
 * port is bound to loopback, by their {@code Host} (DNS rebinding). One instance; it has no metrics.
 */
public final class ManagementVerticle extends VerticleBase {
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final int IDLE_SECONDS = 60;
    private static final HttpError NOTHING = new HttpError(
            404, "This port serves /health/live, /health/ready, /metrics, /backends/<id>/off, /loggers/<name>.");
    private static final HttpError NOT_FROM_THERE =
            new HttpError(403, "Changes are accepted from the gateway's own machine only.");
    private static final HttpError NO_PAGES = new HttpError(403, "Web pages may not call this port.");
    private static final HttpError OTHER_NAME =
            new HttpError(403, "The Host of the request is not allowed. Call this port as 127.0.0.1 or localhost.");
    private static final HttpError TOKEN_NEEDED = new HttpError(
            401,
            "Changes need the token of management.token: Authorization: Bearer <token>.",
            Map.of("WWW-Authenticate", "Bearer realm=\"management\""));
    private static final int MAX_REQUEST_LINE_BYTES = 4096;
    private static final String BEARER = "Bearer ";
    private static final HttpLimits SMALL = HttpLimits.DEFAULT.withMaxBodyBytes(4096);

    private final ListenAddress address;
    private final OriginGuard names;
    private final RequestHeadCheck heads = new RequestHeadCheck();
    private final Supplier<Readiness> readiness;
    private final List<OperatorRoute> changes;
    private final PrometheusMeterRegistry metrics;
    private @Nullable HttpServer server;

    /**
     * The address of the server and the token for changes.
     *
     * @param port 0 for any free one
     * @param token required for changes, or null if callers on this machine need none
     */
    public record ListenAddress(
            String host, int port, @Nullable String token) {
        /** Does not contain the token. */
        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /**
     * A server that is not listening yet.
     *
     * @param readiness called for every readiness request; does not block
     * @param backends switches backends
     * @param levels changes log levels
     */
    public ManagementVerticle(
            ListenAddress address,
            Supplier<Readiness> readiness,
            BackendAdmin backends,
            LogLevels levels,
            PrometheusMeterRegistry metrics) {
        this.address = address;
        this.names = OriginGuard.of(address.host());
        this.readiness = readiness;
        this.changes = List.of(new BackendRoute(backends), new LoggerRoute(levels));
        this.metrics = metrics;
    }

    @Override
    public Future<?> start() {
        DeadlineQueue bodies = new DeadlineQueue(vertx, SMALL.bodyTimeout());
        HttpServerOptions options = new HttpServerOptions()
                .setHost(address.host())
                .setPort(address.port())
                .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
                .setMaxHeaderSize(SMALL.maxHeaderBytes())
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(IDLE_SECONDS);
        server = vertx.createHttpServer(options)
                .connectionHandler(HttpConnections::quiet)
                .invalidRequestHandler(this::refuseInvalid)
                .requestHandler(request -> take(request, bodies));
        return server.listen();
    }

    @Override
    public Future<?> stop() {
        return server == null ? Future.succeededFuture() : server.shutdown(1, TimeUnit.SECONDS);
    }

    /** The port of the server; only after deployment. */
    public int port() {
        if (server == null) {
            throw new IllegalStateException("not listening");
        }
        return server.actualPort();
    }

    private void refuseInvalid(HttpServerRequest request) {
        if (!heads.late(request)) {
            Throwable cause = request.decoderResult().cause();
            heads.refuse(request, RequestHeadCheck.undecodable(cause, MAX_REQUEST_LINE_BYTES, SMALL.maxHeaderBytes()));
        }
    }

    private void take(HttpServerRequest request, DeadlineQueue bodies) {
        if (heads.late(request)) {
            return;
        }
        Optional<HttpError> malformed = RequestHeadCheck.malformed(request);
        if (malformed.isPresent()) {
            heads.refuse(request, malformed.get());
        } else if (request.headers().contains(HttpHeaders.ORIGIN)) {
            refuse(request, NO_PAGES);
        } else if (!names.nameAllowed(request.authority())) {
            refuse(request, OTHER_NAME);
        } else {
            handle(request, bodies);
        }
    }

    private void handle(HttpServerRequest request, DeadlineQueue bodies) {
        String path = Objects.requireNonNullElse(request.path(), "");
        Optional<OperatorRoute> change =
                changes.stream().filter(route -> route.matches(path)).findAny();
        if (change.isPresent()) {
            change(request, path, change.get(), bodies);
            return;
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            json(request, 405, new HttpError(405, "Only GET is allowed.").json());
            return;
        }
        switch (path) {
            case "/health/live" -> json(request, 200, Json.bytes(Json.object().put("status", "live")));
            case "/health/ready" -> ready(request);
            case "/metrics" -> scrape(request);
            default -> refuse(request, NOTHING);
        }
    }

    private void change(HttpServerRequest request, String path, OperatorRoute route, DeadlineQueue bodies) {
        HttpMethod method = request.method();
        if (!method.equals(HttpMethod.PUT) && !method.equals(HttpMethod.DELETE)) {
            request.response().putHeader(HttpHeaders.ALLOW, "PUT, DELETE");
            refuse(request, new HttpError(405, route.usage()));
            return;
        }
        boolean here =
                InetAddress.ofLiteral(request.remoteAddress().hostAddress()).isLoopbackAddress();
        if (!here) {
            refuse(request, NOT_FROM_THERE);
            return;
        }
        if (!hasToken(request)) {
            refuse(request, TOKEN_NEEDED);
            return;
        }
        request.pause();
        Futures.finish(
                BodyReader.read(request, SMALL.maxBodyBytes(), bodies)
                        .compose(body -> Futures.here(route.handle(method, path, body))),
                result -> {
                    switch (result) {
                        case OperatorRoute.ChangeResult.Done _ -> show(request, 200, readiness.get());
                        case OperatorRoute.ChangeResult.NotDone refused -> refuse(request, refused.refusal());
                    }
                },
                failure -> refuse(
                        request,
                        failure instanceof BodyReader.RejectedException refused
                                ? refused.refusal()
                                : new HttpError(400, "The request body could not be read.")));
    }

    /** Compares in constant time, apart from the token's length. */
    private boolean hasToken(HttpServerRequest request) {
        if (address.token() == null) {
            return true;
        }
        List<String> shown = request.headers().getAll(HttpHeaders.AUTHORIZATION);
        return shown.size() == 1
                && shown.getFirst().regionMatches(true, 0, BEARER, 0, BEARER.length())
                && MessageDigest.isEqual(
                        shown.getFirst().substring(BEARER.length()).strip().getBytes(StandardCharsets.UTF_8),
                        address.token().getBytes(StandardCharsets.UTF_8));
    }

    private static void refuse(HttpServerRequest request, HttpError httpError) {
        httpError.headers().forEach(request.response()::putHeader);
        json(request, httpError.status(), httpError.json());
    }

    private void ready(HttpServerRequest request) {
        Readiness now = readiness.get();
        show(request, now.ready() ? 200 : 503, now);
    }

    private static void show(HttpServerRequest request, int status, Readiness now) {
        json(request, status, Json.bytes(now.json()));
    }

    /** Writes the metrics: thousands of lines, so not on the event loop. */
    private void scrape(HttpServerRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        String type =
                accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : PROMETHEUS_TEXT;
        Futures.finish(
                vertx.executeBlocking(() -> metrics.scrape(type), false),
                text -> answer(request, 200, type, Buffer.buffer(text)),
                failure -> json(request, 500, new HttpError(500, "The metrics could not be written.").json()));
    }

    private static void json(HttpServerRequest request, int status, byte[] body) {
        answer(request, status, "application/json", Buffer.buffer(body));
    }

    private static void answer(HttpServerRequest request, int status, String type, Buffer body) {
        if (request.response().closed()) {
            return;
        }
        Map<CharSequence, CharSequence> headers =
                Map.of(HttpHeaders.CONTENT_TYPE, type, HttpHeaders.CACHE_CONTROL, "no-store");
        headers.forEach(request.response()::putHeader);
        request.response().setStatusCode(status).end(body);
    }
}
