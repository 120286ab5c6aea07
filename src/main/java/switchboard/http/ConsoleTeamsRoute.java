package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.console.ConsoleTeams.AccessQuestion;

/** {@code GET /api/v1/teams}: the teams that the person may see; {@code GET /api/v1/access}: what one of them may do, and why. */
final class ConsoleTeamsRoute {
    private static final HttpError NO_TEAM = new HttpError(400, "team must be the name of a team.");
    private static final HttpError NO_TOOL = new HttpError(400, "tool must be there if there is a resource.");
    private static final HttpError UNKNOWN =
            new HttpError(404, "There is no such team, view or tool, or you may not see it.");

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;

    ConsoleTeamsRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
    }

    void on(Router router) {
        router.get("/api/v1/teams").handler(context -> teams(context.request()));
        router.get("/api/v1/access").handler(context -> access(context.request()));
    }

    private void teams(HttpServerRequest request) {
        json.answer(
                request,
                routes.person(cookie, request)
                        .compose(routes.services().operators().teams()::teams)
                        .map(body -> new ConsoleJson.JsonAnswer(200, body)));
    }

    private void access(HttpServerRequest request) {
        json.answer(request, routes.person(cookie, request).compose(person -> access(request, person)));
    }

    private static @Nullable String written(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    private Future<ConsoleJson.JsonAnswer> access(HttpServerRequest request, Principal person) {
        String team = request.getParam("team");
        String tool = request.getParam("tool");
        String resource = written(request.getParam("resource"));
        if (team == null || team.isEmpty()) {
            return ConsoleJson.refused(NO_TEAM);
        }
        if (tool == null && resource != null) {
            return ConsoleJson.refused(NO_TOOL);
        }
        return routes.services()
                .operators()
                .teams()
                .access(person, new AccessQuestion(team, request.getParam("view"), tool, resource))
                .compose(found -> found.map(body -> Future.succeededFuture(new ConsoleJson.JsonAnswer(200, body)))
                        .orElseGet(() -> ConsoleJson.refused(UNKNOWN)));
    }
}
