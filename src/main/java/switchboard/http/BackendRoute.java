package switchboard.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import switchboard.call.Json;

/** {@code PUT} and {@code DELETE} of {@code /backends/<id>/off}: switches a backend off and on. */
record BackendRoute(BackendAdmin backends) implements OperatorRoute {
    private static final Pattern PATH = Pattern.compile("/backends/([a-z][a-z0-9_-]{0,30})/off");
    private static final int LONGEST_REASON = 200;
    private static final HttpError UNAVAILABLE = new HttpError(
            503,
            "UNAVAILABLE: the database that the gateways share can't be reached, so the change may not have been made. Try again when"
                    + " /health/ready shows the cluster as up; to repeat a change does no harm.",
            Map.of("Retry-After", "2"));

    @Override
    public boolean matches(String path) {
        return PATH.matcher(path).matches();
    }

    @Override
    public String usage() {
        return "PUT switches a backend off, DELETE switches it on again.";
    }

    @Override
    public Future<ChangeResult> handle(HttpMethod method, String path, byte[] body) {
        String id = path.split("/", -1)[2];
        if (method.equals(HttpMethod.DELETE)) {
            return backends.on(id).map(change -> result(id, change));
        }
        Optional<String> reason = reason(body);
        return reason.isEmpty()
                ? Future.succeededFuture(new ChangeResult.NotDone(
                        400,
                        "The body must be empty or {\"reason\": \"...\"}, of at most " + LONGEST_REASON
                                + " characters."))
                : backends.off(id, reason.get()).map(change -> result(id, change));
    }

    private static ChangeResult result(String id, BackendAdmin.Switching change) {
        return switch (change) {
            case MADE -> new ChangeResult.Done();
            case NO_SUCH_BACKEND -> new ChangeResult.NotDone(404, "There is no backend \"" + id + "\".");
            case UNAVAILABLE -> new ChangeResult.NotDone(UNAVAILABLE);
        };
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
