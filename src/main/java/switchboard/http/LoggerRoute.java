package switchboard.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Optional;
import java.util.regex.Pattern;
import switchboard.call.Json;

/** {@code PUT} and {@code DELETE} of {@code /loggers/<name>}: changes and resets a log level. */
record LoggerRoute(LogLevels levels) implements OperatorRoute {
    private static final String PREFIX = "/loggers/";
    private static final Pattern PATH = Pattern.compile(PREFIX + "[A-Za-z0-9_.$-]{1,200}");

    @Override
    public boolean matches(String path) {
        return PATH.matcher(path).matches();
    }

    @Override
    public String usage() {
        return "PUT sets the level of a logger, DELETE resets it to that of the start.";
    }

    @Override
    public Future<ChangeResult> handle(HttpMethod method, String path, byte[] body) {
        return Future.succeededFuture(change(method, path, body));
    }

    private ChangeResult change(HttpMethod method, String path, byte[] body) {
        String logger = path.substring(PREFIX.length());
        boolean known;
        if (method.equals(HttpMethod.DELETE)) {
            known = levels.reset(logger);
        } else {
            Optional<LogLevels.Level> level = level(body);
            if (level.isEmpty()) {
                return new ChangeResult.NotDone(
                        400,
                        "The body must be {\"level\": \"OFF\"}, or ERROR, WARN, INFO, DEBUG, TRACE instead of OFF.");
            }
            known = levels.set(logger, level.get());
        }
        return known
                ? new ChangeResult.Done()
                : new ChangeResult.NotDone(404, "There is no logger \"" + logger + "\"; ROOT is the root logger.");
    }

    private static Optional<LogLevels.Level> level(byte[] body) {
        try {
            String text = Json.parse(body).path("level").asText();
            return LogLevels.Level.of(text);
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }
}
