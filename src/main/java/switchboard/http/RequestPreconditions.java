package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;

/**
 * Checks that need only the head of a request. Before authentication: {@code Host} and {@code Origin}, CORS (Fetch
 * standard), and that the URL contains no credential, because logs and proxies store URLs. After it: method and media type.
 */
final class RequestPreconditions {
    static final String METHODS = "POST, GET, DELETE, OPTIONS";

    private static final String EXPOSED = "Mcp-Session-Id, WWW-Authenticate, Retry-After";
    private static final String DEFAULT_ALLOWED_HEADERS =
            "Content-Type, Accept, Authorization, DPoP, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name,"
                    + " Mcp-Session-Id, Last-Event-ID";
    private static final String PREFLIGHT_SECONDS = "600";
    /**
     * How long, in milliseconds, an unread body is discarded after a refusal, so that the caller can read the answer.
     */
    private static final long LINGER_MS = 1_000;

    /** How long, in milliseconds, a caller of HTTP/2 may take to read a refusal. */
    private static final long READ_MS = 10_000;

    private static final Set<String> CREDENTIAL_PARAMETERS = Set.of(
            "access_token",
            "api-key",
            "api_key",
            "apikey",
            "auth",
            "authorization",
            "bearer",
            "key",
            "token",
            "x-api-key");

    private final Vertx vertx;
    private final OriginGuard origins;
    private final HttpMeters meters;

    RequestPreconditions(Vertx vertx, HttpSettings settings, HttpMeters meters) {
        this.vertx = vertx;
        this.origins = new OriginGuard(settings);
        this.meters = meters;
    }

    /** Checks the origin of {@code request}, and allows permitted pages to read the answer. */
    Optional<HttpError> origin(HttpServerRequest request) {
        int port = request.localAddress().port();
        if (!origins.hostAllowed(request.authority(), port)) {
            return Optional.of(new HttpError(
                    403,
                    "The Host of the request is not allowed. Call this server as 127.0.0.1 or localhost with"
                            + " its port, or set server.publicUrl."));
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (!origins.originAllowed(origin, port)) {
            return Optional.of(new HttpError(
                    403, "Pages of this Origin may not call. The operator can add it to server.allowedOrigins."));
        }
        if (origin != null) {
            request.response()
                    .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
                    .putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED)
                    .putHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
        }
        return Optional.empty();
    }

    /** Checks the headers of a request to the endpoint. */
    static Optional<HttpError> head(HttpServerRequest request) {
        String parameter = credentialParameter(request.query());
        if (parameter != null) {
            return Optional.of(new HttpError(
                    400,
                    "The URL has a parameter \"" + parameter
                            + "\". Keys do not belong in URLs: send Authorization: Bearer <key>, or X-API-Key."));
        }
        return Optional.empty();
    }

    /** Checks that the method is one of {@code taken}, and that the media type of a posted message is correct. */
    static Optional<HttpError> method(HttpServerRequest request, List<HttpMethod> taken) {
        HttpMethod method = request.method();
        if (!taken.contains(method)) {
            String names = taken.stream().map(HttpMethod::name).collect(Collectors.joining(", "));
            return Optional.of(
                    new HttpError(405, "This address accepts " + names + ".", Map.of("Allow", names + ", OPTIONS")));
        }
        if (!method.equals(HttpMethod.POST)) {
            return Optional.empty();
        }
        if (!mediaType(request).equals("application/json")) {
            return Optional.of(new HttpError(415, "The Content-Type of an MCP message must be application/json."));
        }
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.strip().equalsIgnoreCase("identity")) {
            return Optional.of(new HttpError(415, "Send the message without a Content-Encoding."));
        }
        return Optional.empty();
    }

    /** Answers {@code OPTIONS}: a CORS preflight, or a request for the methods. */
    void preflight(HttpServerRequest request) {
        HttpServerResponse response = request.response().setStatusCode(204);
        if (request.getHeader(HttpHeaders.ORIGIN) == null) {
            response.putHeader(HttpHeaders.ALLOW, METHODS);
        } else {
            String wanted = request.getHeader(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS);
            response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
                    .putHeader(
                            HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, wanted == null ? DEFAULT_ALLOWED_HEADERS : wanted)
                    .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS)
                    .putHeader(
                            HttpHeaders.VARY, "Origin, Access-Control-Request-Headers, Access-Control-Request-Method");
        }
        response.end();
        request.resume();
    }

    /** Refuses {@code request} without waiting for the rest of its body. */
    void refuse(HttpServerRequest request, HttpError httpError) {
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        }
        meters.refused(httpError.status());
        httpError.headers().forEach(response::putHeader);
        response.setStatusCode(httpError.status()).putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        boolean unread = !request.isEnded();
        boolean http2 = request.version() == HttpVersion.HTTP_2;
        if (unread && !http2) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        Future<Void> written = response.end(httpError.body(request));
        if (http2) {
            Future<Void> read = resetUnlessWritten(request, written);
            if (unread) {
                discardStream(request, read);
            }
        } else if (unread) {
            discardConnection(request);
        }
        if (unread) { // a body that was taken back has ended, too, and can't be resumed
            request.resume();
        }
    }

    /** Discards the rest of {@code request} for a while, then closes the connection. */
    private void discardConnection(HttpServerRequest request) {
        long linger = vertx.setTimer(LINGER_MS, _ -> request.connection().close());
        request.handler(_ -> {});
        request.exceptionHandler(_ -> vertx.cancelTimer(linger));
        request.endHandler(_ -> {
            vertx.cancelTimer(linger);
            request.connection().close();
        });
    }

    /** Resets the stream of {@code request} if nobody reads the answer in time; fails then. */
    private static Future<Void> resetUnlessWritten(HttpServerRequest request, Future<Void> written) {
        Future<Void> inTime = written.timeout(READ_MS, TimeUnit.MILLISECONDS);
        Futures.finish(inTime, _ -> {}, _ -> Http2Streams.cancel(request));
        return inTime;
    }

    /**
     * Discards the rest of {@code request} for a while, then resets its stream, so that other streams of the connection go on
     * (RFC 9113, section 8.1), but not before the answer is written: a reset takes away what is not.
     */
    private void discardStream(HttpServerRequest request, Future<Void> written) {
        Runnable reset = () -> request.response().reset();
        long linger = vertx.setTimer(LINGER_MS, _ -> Futures.finish(written, _ -> reset.run(), _ -> {}));
        request.handler(_ -> {});
        request.exceptionHandler(_ -> vertx.cancelTimer(linger));
        request.endHandler(_ -> vertx.cancelTimer(linger));
    }

    /** The media type of the body of {@code request}, in lower case; empty unless there is exactly one. */
    static String mediaType(HttpServerRequest request) {
        List<String> types = request.headers().getAll(HttpHeaders.CONTENT_TYPE);
        if (types.size() != 1) {
            return "";
        }
        String type = types.getFirst();
        int parameters = type.indexOf(';');
        return (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
    }

    private static @Nullable String credentialParameter(@Nullable String query) {
        if (query == null) {
            return null;
        }
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = URLDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), StandardCharsets.UTF_8)
                    .toLowerCase(Locale.ROOT);
            if (CREDENTIAL_PARAMETERS.contains(name)) {
                return name;
            }
        }
        return null;
    }
}
