package switchboard.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.http.HttpMethod;
import java.util.Optional;
import java.util.regex.Pattern;
import switchboard.call.Json;

/** {@code PUT} and {@code DELETE} of {@code /backends/<id>/off}: switches a backend off and on. */
record BackendRoute(BackendAdmin backends) implements OperatorRoute {
    private static final Pattern PATH = Pattern.compile("/backends/([a-z][a-z0-9_-]{0,30})/off");
    private static final int LONGEST_REASON = 200;

    @Override
    public boolean matches(String path) {
        return PATH.matcher(path).matches();
    }

    @Override
    public String usage() {
        return "PUT switches a backend off, DELETE switches it on again.";
    }

    @Override
    public ChangeResult handle(HttpMethod method, String path, byte[] body) {
        String id = path.split("/", -1)[2];
        boolean known;
        if (method.equals(HttpMethod.DELETE)) {
            known = backends.on(id);
        } else {
            Optional<String> reason = reason(body);
            if (reason.isEmpty()) {
                return new ChangeResult.NotDone(
                        400,
                        "The body must be empty or {\"reason\": \"...\"}, of at most " + LONGEST_REASON
                                + " characters.");
            }
            known = backends.off(id, reason.get());
        }
        return known ? new ChangeResult.Done() : new ChangeResult.NotDone(404, "There is no backend \"" + id + "\".");
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
