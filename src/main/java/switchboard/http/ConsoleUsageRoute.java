package switchboard.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import switchboard.console.CallAudience;
import switchboard.console.UsageQuery;
import switchboard.console.UsageReport;
import switchboard.console.UsageUnit;
import switchboard.console.WatchedCalls;

/** {@code GET /api/v1/usage}: what was called, how often and how fast, as the person may see it; as CSV at {@code usage.csv}. */
final class ConsoleUsageRoute {
    private static final HttpError NO_UNIT = new HttpError(400, "by must be hour, day or week.");
    private static final String NO_TIME =
            " must be a time such as 2026-11-28T10:00:00Z, or a day such as 2026-11-28, which begins at 0:00 UTC.";
    private static final HttpError NO_FROM = new HttpError(400, "from" + NO_TIME);
    private static final HttpError NO_TO = new HttpError(400, "to" + NO_TIME);
    private static final HttpError NO_RANGE =
            new HttpError(400, "from must be before to, which is now if it is missing.");

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;

    /** A file to keep. */
    private record CsvFile(String name, String text) {}

    ConsoleUsageRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
    }

    void on(Router router) {
        router.get("/api/v1/usage").handler(context -> json(context.request()));
        router.get("/api/v1/usage.csv").handler(context -> csv(context.request()));
    }

    private void json(HttpServerRequest request) {
        json.answer(
                request, report(request, ConsoleUsageRoute::shown).map(body -> new ConsoleJson.JsonAnswer(200, body)));
    }

    private void csv(HttpServerRequest request) {
        json.answer(
                request,
                report(request, (report, _) -> new CsvFile(report.fileName(), report.csv())),
                file -> send(request, file));
    }

    private static ObjectNode shown(UsageReport report, CallAudience audience) {
        return report.json().put("sees", audience.word());
    }

    private static void send(HttpServerRequest request, CsvFile file) {
        request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/csv; charset=utf-8; header=present")
                .putHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + file.name() + "\"")
                .end(file.text());
    }

    private WatchedCalls calls() {
        return routes.services().calls();
    }

    /** Makes something of a report and of what the person sees. */
    private interface Shown<T> {
        T of(UsageReport report, CallAudience audience);
    }

    private <T> Future<T> report(HttpServerRequest request, Shown<T> shown) {
        return routes.person(cookie, request).compose(person -> query(request).compose(query -> {
            CallAudience audience = calls().audience().apply(person);
            return calls().usage().report(person.team(), query, audience, report -> shown.of(report, audience));
        }));
    }

    private Future<UsageQuery> query(HttpServerRequest request) {
        UsageUnit by = UsageUnit.of(written(request, "by", "hour")).orElse(null);
        if (by == null) {
            return ConsoleJson.refused(NO_UNIT);
        }
        return time(request, "from", NO_FROM)
                .compose(from -> time(request, "to", NO_TO).compose(to -> query(request, by, from.time(), to.time())));
    }

    private Future<UsageQuery> query(
            HttpServerRequest request, UsageUnit by, @Nullable Instant from, @Nullable Instant to) {
        Instant end = Objects.requireNonNullElseGet(to, calls().clock()::instant);
        return from != null && !from.isBefore(end)
                ? ConsoleJson.refused(NO_RANGE)
                : Future.succeededFuture(
                        new UsageQuery(by, from, to, written(request, "team", ""), written(request, "tool", "")));
    }

    /** A time that may be missing. */
    private record WrittenTime(@Nullable Instant time) {}

    private static Future<WrittenTime> time(HttpServerRequest request, String name, HttpError none) {
        String text = written(request, name, "");
        if (text.isEmpty()) {
            return Future.succeededFuture(new WrittenTime(null));
        }
        try {
            Instant time = text.contains("T")
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
            return time.equals(Instant.MIN) // nothing can end before it
                    ? ConsoleJson.refused(none)
                    : Future.succeededFuture(new WrittenTime(time));
        } catch (DateTimeParseException _) {
            return ConsoleJson.refused(none);
        }
    }

    private static String written(HttpServerRequest request, String name, String missing) {
        String text = request.getParam(name);
        return text == null || text.isEmpty() ? missing : text;
    }
}
