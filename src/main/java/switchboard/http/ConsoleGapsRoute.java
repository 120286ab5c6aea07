package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import switchboard.auth.Principal;
import switchboard.console.ConsoleGaps.GapsQuestion;

/** {@code GET /api/v1/gaps}: what searches did not find, for operators of the whole gateway. */
final class ConsoleGapsRoute {
    private static final int MOST_DAYS = 365;
    private static final HttpError DENIED = new HttpError(
            403, "What people have asked is for operators: those with the verb admin for all of switchboard.");
    private static final HttpError NO_DAYS = new HttpError(400, "days must be a whole number from 1 to 365.");
    private static final HttpError NO_RELEVANCE = new HttpError(400, "min_relevance must be a number from 0 to 1.");

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;

    ConsoleGapsRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
    }

    void on(Router router) {
        router.get("/api/v1/gaps").handler(context -> gaps(context.request()));
    }

    private void gaps(HttpServerRequest request) {
        json.answer(request, routes.person(cookie, request).compose(person -> gaps(request, person)));
    }

    private Future<ConsoleJson.JsonAnswer> gaps(HttpServerRequest request, Principal person) {
        if (!routes.services().operator().test(person)) {
            return ConsoleJson.refused(DENIED);
        }
        double days = written(request, "days", 30);
        double relevance = written(request, "min_relevance", 0.5);
        if (!(days >= 1 && days <= MOST_DAYS && days == Math.rint(days))) {
            return ConsoleJson.refused(NO_DAYS);
        }
        if (!(relevance >= 0 && relevance <= 1)) {
            return ConsoleJson.refused(NO_RELEVANCE);
        }
        String team = request.getParam("team");
        return routes.services()
                .operators()
                .gaps()
                .gaps(new GapsQuestion(team == null || team.isEmpty() ? null : team, (int) days, relevance))
                .map(body -> new ConsoleJson.JsonAnswer(200, body));
    }

    /** A number; not a number if it is something else. */
    private static double written(HttpServerRequest request, String name, double missing) {
        String text = request.getParam(name);
        if (text == null || text.isEmpty()) {
            return missing;
        }
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException _) {
            return Double.NaN;
        }
    }
}
