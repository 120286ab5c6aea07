package switchboard.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.auth.ProtectedResource;
import switchboard.call.Json;

/**
 * OAuth 2.0 protected resource metadata (RFC 9728). The default view is at the well-known path itself and with {@code
 * /mcp}, others at {@code /mcp/<view>}. Requests are not authenticated, so every valid view name gets an answer, which
 * reveals only that tokens are accepted here.
 */
final class MetadataRoute {
    private static final Pattern VIEW = Pattern.compile("(/mcp(/([a-z][a-z0-9_-]{0,30}))?)?");

    private final RequestPreconditions requestPreconditions;
    private final Optional<ProtectedResource> resource;

    MetadataRoute(RequestPreconditions requestPreconditions, Optional<ProtectedResource> resource) {
        this.requestPreconditions = requestPreconditions;
        this.resource = resource;
    }

    /** Serves a request whose path begins with the well-known one. */
    void handle(HttpServerRequest request) {
        Optional<HttpError> httpError = requestPreconditions.origin(request);
        if (httpError.isPresent()) {
            requestPreconditions.refuse(request, httpError.get());
            return;
        }
        String path = Objects.requireNonNullElse(request.path(), "");
        String prefix = resource.map(ProtectedResource::prefix).orElse("");
        String before = ProtectedResource.WELL_KNOWN + prefix;
        String usual = path.startsWith(before) ? before : ProtectedResource.WELL_KNOWN;
        String local = path.startsWith(usual) ? path.substring(usual.length()) : "/";
        Matcher view = VIEW.matcher(local);
        if (resource.isEmpty() || !view.matches()) {
            requestPreconditions.refuse(request, new HttpError(404, "No OAuth metadata are published here."));
        } else if (request.method().equals(HttpMethod.OPTIONS)) {
            requestPreconditions.preflight(request);
        } else if (!request.method().equals(HttpMethod.GET)) {
            requestPreconditions.refuse(
                    request, new HttpError(405, "Metadata can only be read.", Map.of("Allow", "GET, OPTIONS")));
        } else {
            String name = view.group(3) == null ? "" : view.group(3);
            request.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "max-age=300")
                    .end(Buffer.buffer(Json.bytes(resource.get().metadata(name))));
            request.resume();
        }
    }
}
