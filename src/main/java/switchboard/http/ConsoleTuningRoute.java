package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.Map;
import java.util.function.BiFunction;
import switchboard.console.ChangeOutcome;
import switchboard.console.ConsoleEditor;
import switchboard.console.ConsoleTuning;
import switchboard.console.ConsoleTuning.TuningAction;

/**
 * {@code /api/v1/tuning}: what operators see of proposed and approved weights (GET), a proposal that they approve (POST), and an
 * approval that they undo (DELETE). {@code /api/v1/tuning/trial}: a trial that they end (DELETE).
 */
final class ConsoleTuningRoute {
    private static final int MOST_BYTES = 4096;
    private static final HttpError OTHER_METHOD = new HttpError(
            405,
            "GET lists proposals and approvals, POST approves a proposal, DELETE undoes an approval.",
            Map.of("Allow", "GET, POST, DELETE"));
    private static final HttpError NO_DELETE = new HttpError(405, "DELETE ends a trial.", Map.of("Allow", "DELETE"));
    private static final HttpError NO_OPERATOR = new HttpError(
            403, "Weights are seen and approved by operators: those with the verb admin for all of switchboard.");
    private static final HttpError NO_TEAM =
            new HttpError(400, "team must be the name of a team; in a gateway without teams, an empty text.");
    private static final HttpError NO_ID = new HttpError(400, "id must be that of a proposal.");
    private static final HttpError NO_HASH =
            new HttpError(400, "hash must be that of the proposal that is approved, as the list has it.");
    private static final HttpError NO_PROPOSAL =
            new HttpError(400, "proposal must be the id of the proposal whose approval is undone, or trial ended.");
    private static final HttpError NO_TIME =
            new HttpError(400, "at must be the time of the approval that is undone, as the list has it.");

    private static final HttpError NO_TRIAL =
            new HttpError(400, "trial must be the id of the trial that is ended, as the list has it.");

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;

    ConsoleTuningRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
    }

    private ConsoleTuning tuning() {
        return routes.services().operators().tuning();
    }

    void on(Router router) {
        router.route("/api/v1/tuning").handler(context -> answer(context.request(), this::handle));
        router.route("/api/v1/tuning/trial").handler(context -> answer(context.request(), this::handleTrial));
    }

    private void answer(
            HttpServerRequest request,
            BiFunction<HttpServerRequest, ConsoleEditor, Future<ConsoleJson.JsonAnswer>> handler) {
        json.answer(request, routes.editor(cookie, request).compose(editor -> handler.apply(request, editor)));
    }

    private Future<ConsoleJson.JsonAnswer> handle(HttpServerRequest request, ConsoleEditor editor) {
        return switch (request.method().name()) {
            case "GET" ->
                tuning().mayDecide(editor.person())
                        ? tuning().list().map(all -> new ConsoleJson.JsonAnswer(200, all))
                        : ConsoleJson.refused(NO_OPERATOR);
            case "POST" -> decided(request, editor, TuningAction.APPROVE);
            case "DELETE" -> decided(request, editor, TuningAction.UNDO);
            default -> ConsoleJson.refused(OTHER_METHOD);
        };
    }

    private Future<ConsoleJson.JsonAnswer> handleTrial(HttpServerRequest request, ConsoleEditor editor) {
        return request.method().equals(HttpMethod.DELETE)
                ? decided(request, editor, TuningAction.END_TRIAL)
                : ConsoleJson.refused(NO_DELETE);
    }

    private Future<ConsoleJson.JsonAnswer> decided(
            HttpServerRequest request, ConsoleEditor editor, TuningAction action) {
        if (!tuning().mayDecide(editor.person())) {
            tuning().denied(editor, action);
            return ConsoleJson.refused(NO_OPERATOR);
        }
        return json.read(request, MOST_BYTES)
                .compose(body -> switch (action) {
                    case APPROVE -> approve(editor, body);
                    case UNDO -> undo(editor, body);
                    case END_TRIAL -> endTrial(editor, body);
                })
                .compose(outcome -> ConsoleJson.changed(200, outcome));
    }

    private Future<ChangeOutcome> approve(ConsoleEditor editor, ObjectNode body) {
        return team(body).compose(team -> ConsoleJson.text(body, "id", NO_ID)
                .compose(id -> ConsoleJson.text(body, "hash", NO_HASH)
                        .compose(hash -> tuning().approve(editor, new ConsoleTuning.SeenProposal(team, id, hash)))));
    }

    private Future<ChangeOutcome> undo(ConsoleEditor editor, ObjectNode body) {
        return team(body).compose(team -> ConsoleJson.text(body, "proposal", NO_PROPOSAL)
                .compose(proposal -> ConsoleJson.text(body, "at", NO_TIME)
                        .compose(at -> tuning().undo(editor, new ConsoleTuning.SeenApproval(team, proposal, at)))));
    }

    private Future<ChangeOutcome> endTrial(ConsoleEditor editor, ObjectNode body) {
        return team(body).compose(team -> ConsoleJson.text(body, "proposal", NO_PROPOSAL)
                .compose(proposal -> ConsoleJson.text(body, "trial", NO_TRIAL).compose(trial -> tuning().endTrial(
                                editor, new ConsoleTuning.SeenTrial(team, proposal, trial)))));
    }

    private static Future<String> team(ObjectNode body) {
        String team = body.path("team").textValue();
        return team == null ? ConsoleJson.refused(NO_TEAM) : Future.succeededFuture(team);
    }
}
