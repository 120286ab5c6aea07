package switchboard.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Refuses requests that the HTTP decoder accepts but that are not well-formed: no host or several, a target that can't
 * be decoded, an unknown transfer coding. It runs before anything else on both ports, so that later code may trust the
 * request. A refused request is the last one of its connection, because the end of its body is unknown (RFC 9112,
 * section 6.3). One instance for each server, used on its event loop only.
 */
final class RequestHeadCheck {
    /** A valid target: visible ASCII, and escapes with two hexadecimal digits. */
    private static final Pattern TARGET = Pattern.compile("(?:[\\x21-\\x24\\x26-\\x7E]|%[0-9A-Fa-f]{2})*+");

    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0A-\\x1F\\x7F]");

    /** Headers that decide what a request is, for proxies, too. */
    private static final List<String> ONCE =
            List.of("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id");

    private static final String CHUNKED = "chunked";
    private static final HttpError UNREADABLE = new HttpError(400, "This is not an HTTP request.");

    /** Connections that are being closed. Entries disappear with their connection. */
    private final Set<HttpConnection> over = Collections.newSetFromMap(new WeakHashMap<>());

    /** Whether {@code request} came on a connection whose last request was refused. It must be ignored. */
    boolean late(HttpServerRequest request) {
        return over.contains(request.connection());
    }

    /** The problem of {@code request}, if there is one. */
    static Optional<HttpError> malformed(HttpServerRequest request) {
        return headers(request)
                .or(() -> host(request))
                .or(() -> once(request))
                .or(() -> target(request))
                .or(() -> transferCoding(request))
                .or(() -> expectation(request));
    }

    /** The answer to bytes that the decoder rejected because of {@code cause}. */
    static HttpError undecodable(Throwable cause, int maxLine, int maxHeader) {
        return switch (cause) {
            case io.netty.handler.codec.http.TooLongHttpLineException _ ->
                new HttpError(414, "The request line is longer than " + maxLine + " bytes.");
            case io.netty.handler.codec.http.TooLongHttpHeaderException _ ->
                new HttpError(431, "The request headers are larger than " + maxHeader + " bytes.");
            case null, default -> UNREADABLE;
        };
    }

    /** Answers {@code request} with {@code httpError}, and closes its connection. */
    void refuse(HttpServerRequest request, HttpError httpError) {
        boolean alone = request.version() != HttpVersion.HTTP_2;
        if (alone) {
            over.add(request.connection());
            request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        request.handler(discarded -> {});
        request.exceptionHandler(gone -> {});
        request.response()
                .setStatusCode(httpError.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(httpError.body(request))
                .onComplete(sent -> {
                    if (alone) {
                        request.connection().close();
                    }
                });
    }

    /** For HTTP/2 only: the decoder checks header values in HTTP/1.1, but not in HTTP/2. */
    private static Optional<HttpError> headers(HttpServerRequest request) {
        if (request.headers().contains("")) {
            return wrong("The request has a header without a name.");
        }
        boolean broken = request.version() == HttpVersion.HTTP_2
                && request.headers().entries().stream()
                        .anyMatch(header -> CONTROL.matcher(header.getValue()).find());
        return broken ? wrong("A header has characters that are not allowed.") : Optional.empty();
    }

    private static Optional<HttpError> host(HttpServerRequest request) {
        List<String> hosts = request.headers().getAll(HttpHeaders.HOST);
        if (hosts.size() > 1) {
            return wrong("The request has more than one Host header.");
        }
        HostAndPort authority = request.authority();
        boolean named = authority != null && !authority.host().isEmpty();
        if (!named && !(hosts.isEmpty() && request.version() == HttpVersion.HTTP_1_0)) {
            return wrong("The request has no Host header of the form name or name:port.");
        }
        boolean twice = request.version() == HttpVersion.HTTP_2 && !hosts.isEmpty();
        return twice && !hosts.getFirst().equalsIgnoreCase(String.valueOf(authority))
                ? wrong("The Host header and :authority differ.")
                : Optional.empty();
    }

    /** Of two values, a proxy might go by one and the gateway by the other. */
    private static Optional<HttpError> once(HttpServerRequest request) {
        return ONCE.stream()
                .filter(name -> request.headers().getAll(name).size() > 1)
                .findFirst()
                .flatMap(name -> wrong("The request has more than one " + name + " header."));
    }

    private static Optional<HttpError> target(HttpServerRequest request) {
        String target = request.uri();
        if (target == null || target.isEmpty() || !TARGET.matcher(target).matches()) {
            return wrong("The request target has characters that are not allowed, or an invalid % escape.");
        }
        if (target.startsWith("/")) {
            return Optional.empty();
        }
        if (target.equals("*") && request.method().name().equals("OPTIONS")) {
            return Optional.of(HttpError.notFound());
        }
        return absolute(request, target) ? Optional.empty() : wrong("The request target is not a path.");
    }

    /**
     * Whether {@code target} is an absolute URL with the host that the request names. Clients send those to proxies;
     * servers must accept them.
     */
    private static boolean absolute(HttpServerRequest request, String target) {
        try {
            URI uri = new URI(target);
            String scheme = uri.getScheme();
            return scheme != null
                    && (scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"))
                    && uri.getRawAuthority() != null
                    && uri.getRawAuthority().equalsIgnoreCase(request.getHeader(HttpHeaders.HOST))
                    && request.path() != null;
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static Optional<HttpError> transferCoding(HttpServerRequest request) {
        List<String> lines = request.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        List<String> codings = lines.stream()
                .flatMap(line -> Stream.of(line.split(",", -1)))
                .map(coding -> coding.strip().toLowerCase(Locale.ROOT))
                .toList();
        if (codings.equals(List.of(CHUNKED))) {
            return Optional.empty();
        }
        return codings.stream().allMatch(CHUNKED::equals)
                ? wrong("The request is chunked more than once.")
                : Optional.of(new HttpError(501, "The only supported Transfer-Encoding is chunked."));
    }

    private static Optional<HttpError> expectation(HttpServerRequest request) {
        String expected = request.getHeader(HttpHeaders.EXPECT);
        return expected == null || expected.strip().equalsIgnoreCase("100-continue")
                ? Optional.empty()
                : Optional.of(new HttpError(417, "The only supported expectation is 100-continue."));
    }

    private static Optional<HttpError> wrong(String message) {
        return Optional.of(new HttpError(400, message));
    }
}
