package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.Objects;
import switchboard.call.ToolException;
import switchboard.console.ConsoleEditor;
import switchboard.console.ConsoleSchedules;
import switchboard.console.ConsoleSchedules.ScheduledCollection;

/**
 * {@code /api/v1/schedules}: when collections are updated; below it, by backend and collection, a schedule is set (PUT) or removed
 * (DELETE).
 */
final class ConsoleSchedulesRoute {
    private static final String PATH = "/api/v1/schedules";
    private static final int MOST_BYTES = 4096;
    private static final HttpError OTHER_METHOD =
            new HttpError(405, "PUT sets the schedule, DELETE removes it.", Map.of("Allow", "PUT, DELETE"));

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;

    ConsoleSchedulesRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
    }

    void on(Router router) {
        router.get(PATH).handler(context -> list(context.request()));
        router.route(PATH + "/:backend/:collection").handler(this::one);
    }

    private void list(HttpServerRequest request) {
        json.answer(
                request,
                routes.person(cookie, request)
                        .compose(person -> schedules().list(person))
                        .map(body -> new ConsoleJson.JsonAnswer(200, body)));
    }

    private void one(RoutingContext context) {
        HttpServerRequest request = context.request();
        ScheduledCollection collection = new ScheduledCollection(part(context, "backend"), part(context, "collection"));
        json.answer(
                request,
                routes.editor(cookie, request)
                        .compose(editor -> changed(request, editor, collection))
                        .recover(ConsoleSchedulesRoute::refused)
                        .map(body -> new ConsoleJson.JsonAnswer(200, body)));
    }

    private Future<ObjectNode> changed(
            HttpServerRequest request, ConsoleEditor editor, ScheduledCollection collection) {
        return switch (request.method().name()) {
            case "PUT" ->
                json.read(request, MOST_BYTES).compose(body -> schedules().set(editor, collection, body));
            case "DELETE" -> schedules().remove(editor, collection);
            default -> ConsoleJson.refused(OTHER_METHOD);
        };
    }

    private ConsoleSchedules schedules() {
        return routes.services().sources().schedules();
    }

    private static String part(RoutingContext context, String name) {
        return Objects.requireNonNullElse(context.pathParam(name), "");
    }

    private static Future<ObjectNode> refused(Throwable failure) {
        return failure instanceof ToolException told
                ? ConsoleJson.refused(new HttpError(status(told), told.failed().message()))
                : Future.failedFuture(failure);
    }

    private static int status(ToolException told) {
        return switch (told.failed().kind()) {
            case INVALID_ARGUMENT -> 400;
            case DENIED, DENIED_UPSTREAM -> 403;
            case NOT_FOUND -> 404;
            case CONFLICT -> 409;
            case UNAVAILABLE, TIMEOUT, OVERLOADED, CANCELLED, INTERNAL -> 503;
        };
    }
}
