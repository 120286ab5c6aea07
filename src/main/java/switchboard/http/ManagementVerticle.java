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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * The port for operators: {@code /health/live}, {@code /health/ready} and {@code /metrics} to look, {@code
 * /backends/<id>/off} to switch a backend off and on, {@code /loggers/<name>} to log more or less. It has no
 * authentication, so changes are taken from this machine only, and never from a web page: browsers send {@code Origin}
 * with these methods. One instance, counted in no metric of its own.
 */
public final class ManagementVerticle extends VerticleBase {
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final int IDLE_SECONDS = 60;
    private static final Refusal NOTHING = new Refusal(
            404, "Served here: /health/live, /health/ready, /metrics, /backends/<id>/off, /loggers/<name>.");
    private static final Refusal NOT_FROM_THERE =
            new Refusal(403, "Changes are taken from the machine of the gateway only, and not from web pages.");
    private static final HttpLimits SMALL = HttpLimits.DEFAULT.withMaxBodyBytes(4096);

    private final String host;
    private final int port;
    private final Supplier<Readiness> readiness;
    private final List<OperatorRoute> changes;
    private final PrometheusMeterRegistry metrics;
    private @Nullable HttpServer server;

    /**
     * A server that is not listening yet.
     *
     * @param port 0 for any free one
     * @param readiness asked on every request for it; answers at once, from what is known
     * @param backends what operators switch
     * @param levels what the gateway logs
     */
    public ManagementVerticle(
            String host,
            int port,
            Supplier<Readiness> readiness,
            BackendSwitch backends,
            LogLevels levels,
            PrometheusMeterRegistry metrics) {
        this.host = host;
        this.port = port;
        this.readiness = readiness;
        this.changes = List.of(new BackendRoute(backends), new LoggerRoute(levels));
        this.metrics = metrics;
    }

    @Override
    public Future<?> start() {
        Deadlines bodies = new Deadlines(vertx, SMALL.bodyTimeout());
        HttpServerOptions options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setHttp2ClearTextEnabled(false)
                .setIdleTimeout(IDLE_SECONDS);
        server = vertx.createHttpServer(options).requestHandler(request -> handle(request, bodies));
        return server.listen();
    }

    @Override
    public Future<?> stop() {
        return server == null ? Future.succeededFuture() : server.shutdown(1, TimeUnit.SECONDS);
    }

    /** The port that is listened on; only after the deployment. */
    public int port() {
        if (server == null) {
            throw new IllegalStateException("not listening");
        }
        return server.actualPort();
    }

    private void handle(HttpServerRequest request, Deadlines bodies) {
        String path = request.path();
        if (path == null) {
            refuse(request, NOTHING);
            return;
        }
        Optional<OperatorRoute> change =
                changes.stream().filter(route -> route.matches(path)).findAny();
        if (change.isPresent()) {
            change(request, path, change.get(), bodies);
            return;
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            json(request, 405, new Refusal(405, "Only GET is served here.").json());
            return;
        }
        switch (path) {
            case "/health/live" -> json(request, 200, Json.bytes(Json.object().put("status", "live")));
            case "/health/ready" -> ready(request);
            case "/metrics" -> scrape(request);
            default -> refuse(request, NOTHING);
        }
    }

    private void change(HttpServerRequest request, String path, OperatorRoute route, Deadlines bodies) {
        HttpMethod method = request.method();
        if (!method.equals(HttpMethod.PUT) && !method.equals(HttpMethod.DELETE)) {
            request.response().putHeader(HttpHeaders.ALLOW, "PUT, DELETE");
            refuse(request, new Refusal(405, route.usage()));
            return;
        }
        boolean here =
                InetAddress.ofLiteral(request.remoteAddress().hostAddress()).isLoopbackAddress();
        if (!here || request.headers().contains(HttpHeaders.ORIGIN)) {
            refuse(request, NOT_FROM_THERE);
            return;
        }
        request.pause();
        BodyReader.read(request, SMALL.maxBodyBytes(), bodies)
                .onSuccess(body -> {
                    switch (route.handle(method, path, body)) {
                        case OperatorRoute.Outcome.Done _ -> show(request, 200, readiness.get());
                        case OperatorRoute.Outcome.Refused refused -> refuse(request, refused.refusal());
                    }
                })
                .onFailure(failure -> refuse(
                        request,
                        failure instanceof BodyReader.Refused refused
                                ? refused.refusal()
                                : new Refusal(400, "The request body could not be read.")));
    }

    private static void refuse(HttpServerRequest request, Refusal refusal) {
        json(request, refusal.status(), refusal.json());
    }

    private void ready(HttpServerRequest request) {
        Readiness now = readiness.get();
        show(request, now.ready() ? 200 : 503, now);
    }

    private static void show(HttpServerRequest request, int status, Readiness now) {
        json(request, status, Json.bytes(now.json()));
    }

    /** Writes thousands of lines, so not on the event loop. */
    private void scrape(HttpServerRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        String type =
                accept != null && accept.contains("application/openmetrics-text") ? OPEN_METRICS : PROMETHEUS_TEXT;
        vertx.executeBlocking(() -> metrics.scrape(type), false)
                .onSuccess(text -> answer(request, 200, type, Buffer.buffer(text)))
                .onFailure(failure -> json(request, 500, new Refusal(500, "The metrics could not be written.").json()));
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
