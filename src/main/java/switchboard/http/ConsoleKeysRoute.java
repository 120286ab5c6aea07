package switchboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import switchboard.console.ConsoleEditor;
import switchboard.console.ConsoleKeys.WantedKey;

/** {@code /api/v1/keys}: an operator makes a key (POST), which is in the answer this once, or revokes one (DELETE). */
final class ConsoleKeysRoute {
    private static final int MOST_BYTES = 4096;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
    private static final HttpError OTHER_METHOD =
            new HttpError(405, "POST makes a key, DELETE revokes one.", Map.of("Allow", "POST, DELETE"));
    private static final HttpError NO_OPERATOR = new HttpError(
            403, "Keys are made and revoked by operators: those with the verb admin for all of switchboard.");
    private static final HttpError NO_TEAM = new HttpError(400, "team must be the name of a team.");
    private static final HttpError NO_ID = new HttpError(400, "id must be 1 to 64 of A-Z a-z 0-9 _ . -");
    private static final HttpError NO_DAY = new HttpError(400, "expires must be a day such as 2027-01-31.");

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;

    ConsoleKeysRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
    }

    void on(Router router) {
        router.route("/api/v1/keys").handler(context -> handle(context.request()));
    }

    private void handle(HttpServerRequest request) {
        json.answer(request, routes.editor(cookie, request).compose(editor -> handle(request, editor)));
    }

    private Future<ConsoleJson.JsonAnswer> handle(HttpServerRequest request, ConsoleEditor editor) {
        return switch (request.method().name()) {
            case "POST" ->
                operator(editor, true)
                        .compose(_ -> json.read(request, MOST_BYTES))
                        .compose(ConsoleKeysRoute::wanted)
                        .compose(key -> routes.services().operators().keys().create(editor, key))
                        .compose(outcome -> ConsoleJson.changed(201, outcome));
            case "DELETE" ->
                operator(editor, false)
                        .compose(_ -> json.read(request, MOST_BYTES))
                        .compose(body -> ConsoleJson.text(body, "team", NO_TEAM).compose(team -> ConsoleJson.text(
                                        body, "id", NO_ID)
                                .compose(id ->
                                        routes.services().operators().keys().revoke(editor, team, id))))
                        .compose(outcome -> ConsoleJson.changed(200, outcome));
            default -> ConsoleJson.refused(OTHER_METHOD);
        };
    }

    private Future<ConsoleEditor> operator(ConsoleEditor editor, boolean create) {
        if (routes.services().operators().keys().mayChange(editor.person())) {
            return Future.succeededFuture(editor);
        }
        routes.services().operators().keys().denied(editor, create);
        return ConsoleJson.refused(NO_OPERATOR);
    }

    private static Future<WantedKey> wanted(ObjectNode body) {
        return ConsoleJson.text(body, "team", NO_TEAM).compose(team -> id(body).compose(
                        id -> day(body).map(day -> new WantedKey(team, id.orElse(null), day.orElse(null)))));
    }

    private static Future<Optional<String>> id(ObjectNode body) {
        JsonNode id = body.path("id");
        if (id.isMissingNode() || id.isNull()) {
            return Future.succeededFuture(Optional.empty());
        }
        return id.isTextual() && ID.matcher(id.asText()).matches()
                ? Future.succeededFuture(Optional.of(id.asText()))
                : ConsoleJson.refused(NO_ID);
    }

    private static Future<Optional<LocalDate>> day(ObjectNode body) {
        JsonNode expires = body.path("expires");
        if (expires.isMissingNode() || expires.isNull()) {
            return Future.succeededFuture(Optional.empty());
        }
        try {
            return expires.isTextual()
                    ? Future.succeededFuture(Optional.of(LocalDate.parse(expires.asText())))
                    : ConsoleJson.refused(NO_DAY);
        } catch (DateTimeException _) {
            return ConsoleJson.refused(NO_DAY);
        }
    }
}
