package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.Map;
import switchboard.console.ConsoleEditor;
import switchboard.console.HeldDefinitions;
import switchboard.console.HeldDefinitions.SeenDefinition;

/**
 * {@code /api/v1/definitions}: what operators see of the definitions of other servers' tools that are held back (GET), and one that
 * they approve (POST).
 */
final class ConsoleDefinitionsRoute {
    private static final int MOST_BYTES = 4096;
    private static final HttpError OTHER_METHOD = new HttpError(
            405, "GET lists what is held back, POST approves a definition.", Map.of("Allow", "GET, POST"));
    private static final HttpError NO_OPERATOR = new HttpError(
            403, "Definitions are approved by operators: those with the verb admin for all of switchboard.");
    private static final HttpError NO_BACKEND = new HttpError(400, "backend must be the id of a backend.");
    private static final HttpError NO_TOOL = new HttpError(400, "tool must be the name of a tool at its server.");
    private static final HttpError NO_HASH =
            new HttpError(400, "hash must be that of the definition that is approved, as the list has it.");

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;

    ConsoleDefinitionsRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
    }

    private HeldDefinitions definitions() {
        return routes.services().operators().definitions();
    }

    void on(Router router) {
        router.route("/api/v1/definitions").handler(context -> handle(context.request()));
    }

    private void handle(HttpServerRequest request) {
        json.answer(request, routes.editor(cookie, request).compose(editor -> handle(request, editor)));
    }

    private Future<ConsoleJson.JsonAnswer> handle(HttpServerRequest request, ConsoleEditor editor) {
        boolean operator = definitions().mayApprove(editor.person());
        return switch (request.method().name()) {
            case "GET" ->
                operator
                        ? definitions().list().map(held -> new ConsoleJson.JsonAnswer(200, held))
                        : ConsoleJson.refused(NO_OPERATOR);
            case "POST" -> operator ? approve(request, editor) : denied(editor);
            default -> ConsoleJson.refused(OTHER_METHOD);
        };
    }

    private Future<ConsoleJson.JsonAnswer> denied(ConsoleEditor editor) {
        definitions().denied(editor);
        return ConsoleJson.refused(NO_OPERATOR);
    }

    private Future<ConsoleJson.JsonAnswer> approve(HttpServerRequest request, ConsoleEditor editor) {
        return json.read(request, MOST_BYTES)
                .compose(ConsoleDefinitionsRoute::seen)
                .compose(seen -> definitions().approve(editor, seen))
                .compose(outcome -> ConsoleJson.changed(200, outcome));
    }

    private static Future<SeenDefinition> seen(ObjectNode body) {
        return ConsoleJson.text(body, "backend", NO_BACKEND).compose(backend -> ConsoleJson.text(body, "tool", NO_TOOL)
                .compose(tool ->
                        ConsoleJson.text(body, "hash", NO_HASH).map(hash -> new SeenDefinition(backend, tool, hash))));
    }
}
