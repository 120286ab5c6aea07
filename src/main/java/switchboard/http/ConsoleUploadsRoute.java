package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import switchboard.call.Json;
import switchboard.console.Uploads;
import switchboard.files.UploadedFiles;
import switchboard.files.UploadedFiles.UploadedFile;

/**
 * {@code /api/v1/uploads}: takes a file, which goes to the disk as it comes, and answers with the path that {@code
 * ingest_file} takes. So ingestion, its progress and its checks are those of that tool.
 */
final class ConsoleUploadsRoute {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(10);
    private static final String TYPE = "application/octet-stream";

    private static final HttpError OTHER_METHOD =
            new HttpError(405, "POST uploads a file, DELETE removes one.", Map.of("Allow", "POST, DELETE"));
    private static final HttpError OTHER_TYPE = new HttpError(415, "The Content-Type must be " + TYPE + ".");
    private static final HttpError NO_NAME = new HttpError(
            400, "name must be the name of the file: 1 to 255 characters without slashes and control characters.");
    private static final HttpError NO_LENGTH = new HttpError(411, "The request must have a Content-Length.");
    private static final HttpError FULL = new HttpError(
            429,
            "Your team has uploaded too much that is not ingested yet. Ingest it, or wait: it is kept for an hour.",
            Map.of("Retry-After", "60"));

    private static final HttpError NOT_ALLOWED =
            new HttpError(403, "Files are uploaded by those who may use ingest_file, which has the verb files.");

    private final ConsoleRoutes routes;
    private final ConsoleCookie cookie;
    private final ConsoleJson json;
    private final Vertx vertx;
    private final DeadlineQueue deadlines;

    ConsoleUploadsRoute(ConsoleRoutes routes, ConsoleCookie cookie, ConsoleJson json, Vertx vertx) {
        this.routes = routes;
        this.cookie = cookie;
        this.json = json;
        this.vertx = vertx;
        this.deadlines = new DeadlineQueue(vertx, LONGEST);
        Uploads uploads = routes.services().sources().uploads();
        uploads.sweep();
        vertx.setPeriodic(BETWEEN_SWEEPS.toMillis(), _ -> uploads.sweep());
    }

    void on(Router router) {
        router.route("/api/v1/uploads").handler(context -> handle(context.request()));
    }

    private void handle(HttpServerRequest request) {
        request.pause();
        json.answer(
                request,
                routes.person(cookie, request)
                        .compose(person ->
                                routes.services().sources().mayUpload().test(person)
                                        ? handle(request, person.team())
                                        : ConsoleJson.refused(NOT_ALLOWED)));
    }

    private Future<ConsoleJson.JsonAnswer> handle(HttpServerRequest request, String team) {
        return switch (request.method().name()) {
            case "POST" -> taken(request, team);
            case "DELETE" -> removed(request, team);
            default -> ConsoleJson.refused(OTHER_METHOD);
        };
    }

    private Future<ConsoleJson.JsonAnswer> taken(HttpServerRequest request, String team) {
        if (!RequestPreconditions.mediaType(request).equals(TYPE)) {
            return ConsoleJson.refused(OTHER_TYPE);
        }
        String name = request.getParam("name");
        if (name == null || !UploadedFiles.isName(name)) {
            return ConsoleJson.refused(NO_NAME);
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? ConsoleJson.refused(NO_LENGTH) : taken(request, team, name, Long.parseLong(length));
    }

    private Future<ConsoleJson.JsonAnswer> taken(HttpServerRequest request, String team, String name, long bytes) {
        if (bytes > UploadedFiles.MOST_BYTES) {
            return ConsoleJson.refused(HttpError.bodyTooLarge((int) UploadedFiles.MOST_BYTES));
        }
        Uploads uploads = routes.services().sources().uploads();
        return uploads.reserve(team, name, bytes).compose(reserved -> reserved.map(
                        upload -> written(request, upload).recover(failure -> uploads.remove(team, upload.reference())
                                .transform(_ -> Future.failedFuture(failure))))
                .orElseGet(() -> ConsoleJson.refused(FULL)));
    }

    private Future<ConsoleJson.JsonAnswer> written(HttpServerRequest request, UploadedFile upload) {
        return vertx.fileSystem()
                .open(upload.file().toString(), new OpenOptions().setCreate(false))
                .compose(file -> UploadWriter.write(request, file, deadlines))
                .map(_ -> new ConsoleJson.JsonAnswer(
                        201, Json.object().put("path", upload.reference()).put("name", upload.name())));
    }

    /** For who does not ingest a file; it needs its room no longer. */
    private Future<ConsoleJson.JsonAnswer> removed(HttpServerRequest request, String team) {
        String path = Objects.requireNonNullElse(request.getParam("path"), "");
        return routes.services().sources().uploads().remove(team, path).map(_ -> new ConsoleJson.JsonAnswer(204, null));
    }
}
