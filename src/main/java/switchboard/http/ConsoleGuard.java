package switchboard.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pages of other origins away from the console: by {@code Host} (DNS rebinding), by {@code Origin}, and by {@code
 * Sec-Fetch-Site} (Fetch Metadata, W3C), because cookies with {@code SameSite} are also sent from another port of the same
 * machine. Its own pages may load only what the console serves, and nothing may frame them. Immutable.
 */
final class ConsoleGuard {
    static final String POLICY = "Content-Security-Policy";

    private static final String SITE = "Sec-Fetch-Site";
    private static final String SAME_ORIGIN = "same-origin";
    private static final String API = "/api/";
    private static final List<HttpMethod> READING = List.of(HttpMethod.GET, HttpMethod.HEAD);

    private static final String REST = "; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
            + " require-trusted-types-for 'script'; trusted-types lit-html; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final HttpError OTHER_HOST = new HttpError(
            403,
            "The Host of the request is not allowed. Open the console as 127.0.0.1 or localhost with its port, or set"
                    + " console.publicUrl.");
    private static final HttpError OTHER_ORIGIN = new HttpError(403, "Pages of this Origin may not call the console.");
    private static final HttpError NOT_FROM_HERE = new HttpError(
            403,
            "Only the console's own pages may call this: the request lacks Sec-Fetch-Site: same-origin, which browsers send"
                    + " by themselves.");

    private final OriginGuard names;

    ConsoleGuard(HttpSettings settings) {
        this.names = new OriginGuard(settings);
    }

    /** The policy for a page whose import map has the hash {@code importMap}. */
    static String policy(String importMap) {
        return "default-src 'none'; script-src 'self' 'sha256-" + importMap + "'" + REST;
    }

    /**
     * Whether a path is written as the router reads it. What is checked here and what the router finds is the same path then:
     * no escapes of plain letters, no empty or dotted parts, no slash at the end.
     *
     * @param normalized the path as the router reads it
     */
    static boolean isPlain(@Nullable String path, String normalized) {
        return normalized.equals(path) && (normalized.equals("/") || !normalized.endsWith("/"));
    }

    /** Adds the headers of every answer. */
    static void protect(HttpServerResponse response) {
        response.putHeader(POLICY, "default-src 'none'; script-src 'self'" + REST)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("X-Frame-Options", "DENY")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", SAME_ORIGIN)
                .putHeader("Cross-Origin-Resource-Policy", SAME_ORIGIN)
                .putHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    /** Why {@code request} is refused; empty if it is not. */
    Optional<HttpError> refusal(HttpServerRequest request) {
        int port = request.localAddress().port();
        if (!names.hostAllowed(request.authority(), port)) {
            return Optional.of(OTHER_HOST);
        }
        if (!names.originAllowed(request.getHeader(HttpHeaders.ORIGIN), port)) {
            return Optional.of(OTHER_ORIGIN);
        }
        boolean api = String.valueOf(request.path()).startsWith(API);
        return api && !fromOwnPage(request) ? Optional.of(NOT_FROM_HERE) : Optional.empty();
    }

    /** Whether a page of the console has sent it; reading is also for who has no browser. */
    private static boolean fromOwnPage(HttpServerRequest request) {
        String site = request.getHeader(SITE);
        return SAME_ORIGIN.equals(site)
                || (READING.contains(request.method()) && (site == null || site.equals("none")));
    }
}
