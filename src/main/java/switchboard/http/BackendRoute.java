package switchboard.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.Json;

/**
 * {@code PUT} and {@code DELETE} of {@code /backends/<id>/off}. The management port has no authentication, so changes
 * are taken from this machine only, and never from a web page: browsers send {@code Origin} with these methods.
 */
final class BackendRoute {
    private static final Pattern PATH = Pattern.compile("/backends/([a-z][a-z0-9_-]{0,30})/off");
    private static final int LONGEST_REASON = 200;

    private final BackendSwitch backends;

    BackendRoute(BackendSwitch backends) {
        this.backends = backends;
    }

    /** Whether {@code request} is for this route. */
    static boolean matches(HttpServerRequest request) {
        return request.path() != null && PATH.matcher(request.path()).matches();
    }

    /** What is wrong with a request that {@link #matches}, before its body is read. */
    static Optional<Refusal> refusal(HttpServerRequest request) {
        if (!request.method().equals(HttpMethod.PUT) && !request.method().equals(HttpMethod.DELETE)) {
            return Optional.of(new Refusal(405, "PUT switches a backend off, DELETE switches it on again."));
        }
        boolean here =
                InetAddress.ofLiteral(request.remoteAddress().hostAddress()).isLoopbackAddress();
        if (!here || request.headers().contains(HttpHeaders.ORIGIN)) {
            return Optional.of(new Refusal(
                    403, "Backends are switched from the machine of the gateway only, and not by web pages."));
        }
        return Optional.empty();
    }

    /** Does what {@code request} says; {@code body} may be empty or hold {@code {"reason": "..."}}. */
    Optional<Refusal> handle(HttpServerRequest request, byte[] body) {
        Matcher path = PATH.matcher(request.path());
        if (!path.matches()) {
            throw new IllegalArgumentException("not a path of this route");
        }
        String id = path.group(1);
        boolean known;
        if (request.method().equals(HttpMethod.DELETE)) {
            known = backends.on(id);
        } else {
            Optional<String> reason = reason(body);
            if (reason.isEmpty()) {
                return Optional.of(new Refusal(
                        400,
                        "The body is empty or {\"reason\": \"...\"}, of at most " + LONGEST_REASON + " characters."));
            }
            known = backends.off(id, reason.get());
        }
        return known ? Optional.empty() : Optional.of(new Refusal(404, "There is no backend \"" + id + "\"."));
    }

    private static Optional<String> reason(byte[] body) {
        if (body.length == 0) {
            return Optional.of("");
        }
        try {
            JsonNode reason = Json.parse(body).path("reason");
            return reason.isTextual() && reason.textValue().length() <= LONGEST_REASON
                    ? Optional.of(reason.textValue().strip())
                    : Optional.empty();
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }
}
