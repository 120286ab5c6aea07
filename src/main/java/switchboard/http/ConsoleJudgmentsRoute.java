package switchboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.console.JudgmentSets;
import switchboard.console.JudgmentSets.Judgment;

/**
 * {@code /api/v1/judgments}: what the person's team has said of the answers to a query (GET), that an answer is one or is
 * none (POST), and that nothing is said of it any more (DELETE).
 */
final class ConsoleJudgmentsRoute {
    private static final int MOST_BYTES = 256 * 1024;
    private static final HttpError OTHER_METHOD = new HttpError(
            405, "GET reads judgments, POST adds one, DELETE removes one.", Map.of("Allow", "GET, POST, DELETE"));
    private static final HttpError NO_ANSWERS = new HttpError(400, "answers must be true or false.");
    private static final HttpError FULL = new HttpError(
            409,
            "The set has " + JudgmentSets.MOST + " judgments, which is the most. Take some back, or ask the operator to"
                    + " move the set away.");

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;

    ConsoleJudgmentsRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
    }

    void on(Router router) {
        router.route("/api/v1/judgments").handler(context -> handle(context.request()));
    }

    private void handle(HttpServerRequest request) {
        json.answer(request, routes.person(cookie, request).compose(person -> handle(request, person.team())));
    }

    private Future<ConsoleJson.JsonAnswer> handle(HttpServerRequest request, String team) {
        return switch (request.method().name()) {
            case "GET" ->
                text("query", request.getParam("query"), JudgmentSets.LONGEST_QUERY)
                        .compose(
                                query -> routes.services().judging().judgments().of(team, query))
                        .map(ConsoleJudgmentsRoute::listed);
            case "POST" -> json.read(request, MOST_BYTES).compose(body -> add(team, body));
            case "DELETE" -> json.read(request, MOST_BYTES).compose(body -> remove(team, body));
            default -> ConsoleJson.refused(OTHER_METHOD);
        };
    }

    private Future<ConsoleJson.JsonAnswer> add(String team, ObjectNode body) {
        JsonNode answers = body.path("answers");
        if (!answers.isBoolean()) {
            return ConsoleJson.refused(NO_ANSWERS);
        }
        return query(body).compose(query -> address(body).compose(address -> routes.services()
                .judging()
                .judgments()
                .add(
                        team,
                        new Judgment(
                                query,
                                address,
                                body.path("title").asText(),
                                body.path("text").asText(),
                                answers.asBoolean()))
                .compose(judged -> judged.isEmpty()
                        ? ConsoleJson.refused(FULL)
                        : Future.succeededFuture(new ConsoleJson.JsonAnswer(
                                200,
                                body(team, query, address)
                                        .put("answers", answers.asBoolean())
                                        .put("judged", judged.getAsInt()))))));
    }

    private Future<ConsoleJson.JsonAnswer> remove(String team, ObjectNode body) {
        return query(body).compose(query -> address(body).compose(address -> routes.services()
                .judging()
                .judgments()
                .remove(team, query, address)
                .map(judged -> new ConsoleJson.JsonAnswer(
                        200, body(team, query, address).put("judged", judged)))));
    }

    private ObjectNode body(String team, String query, String address) {
        return Json.object()
                .put("query", query)
                .put("address", address)
                .put("set", routes.services().judging().judgments().set(team));
    }

    private static Future<String> query(ObjectNode body) {
        return text("query", body.path("query").textValue(), JudgmentSets.LONGEST_QUERY);
    }

    private static Future<String> address(ObjectNode body) {
        return text("address", body.path("address").textValue(), JudgmentSets.LONGEST_ADDRESS);
    }

    private static Future<String> text(String field, @Nullable String value, int longest) {
        return value != null && !value.isBlank() && value.length() <= longest && !hasControls(value, field)
                ? Future.succeededFuture(value)
                : ConsoleJson.refused(
                        new HttpError(400, field + " must be a text of 1 to " + longest + " characters."));
    }

    /** An address is a column of a file. */
    private static boolean hasControls(String value, String field) {
        return field.equals("address") && value.chars().anyMatch(Character::isISOControl);
    }

    private static ConsoleJson.JsonAnswer listed(List<Judgment> judgments) {
        ObjectNode body = Json.object();
        ArrayNode all = body.putArray("judgments");
        judgments.forEach(
                judgment -> all.addObject().put("address", judgment.address()).put("answers", judgment.answers()));
        return new ConsoleJson.JsonAnswer(200, body);
    }
}
