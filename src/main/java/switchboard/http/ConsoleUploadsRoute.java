package switchboard.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Map;
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
    private static final String TYPE = "application/octet-stream";

    private static final HttpError OTHER_METHOD = new HttpError(405, "POST uploads a file.", Map.of("Allow", "POST"));
    private static final HttpError OTHER_TYPE = new HttpError(415, "The Content-Type must be " + TYPE + ".");
    private static final HttpError NO_NAME = new HttpError(
            400, "name must be the name of the file: 1 to 255 characters without slashes and control characters.");
    private static final HttpError NO_LENGTH = new HttpError(411, "The request must have a Content-Length.");
    private static final HttpError FULL = new HttpError(
            429,
            "Your team has uploaded too much that is not ingested yet. Ingest it, or wait: it is kept for an hour.",
            Map.of("Retry-After", "60"));
    private static final HttpError BROKEN = new HttpError(400, "The upload was broken off.");

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
    }

    void handle(HttpServerRequest request) {
        request.pause();
        json.answer(request, routes.person(cookie, request).compose(person -> taken(request, person.team())));
    }

    private Future<ConsoleJson.JsonAnswer> taken(HttpServerRequest request, String team) {
        if (!request.method().name().equals("POST")) {
            return ConsoleJson.refused(OTHER_METHOD);
        }
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
        Uploads uploads = routes.services().uploads();
        return uploads.reserve(team, name, bytes).compose(reserved -> reserved.map(upload -> written(request, upload)
                        .recover(failure -> uploads.remove(team, upload).transform(_ -> Future.failedFuture(failure))))
                .orElseGet(() -> ConsoleJson.refused(FULL)));
    }

    private Future<ConsoleJson.JsonAnswer> written(HttpServerRequest request, UploadedFile upload) {
        return vertx.fileSystem()
                .open(upload.file().toString(), new OpenOptions().setCreate(false))
                .compose(file -> content(request, file).eventually(file::close))
                .map(_ -> new ConsoleJson.JsonAnswer(
                        201, Json.object().put("path", upload.reference()).put("name", upload.name())));
    }

    /** Fails if the body ends early or takes too long; the connection is of no use then. */
    private Future<Void> content(HttpServerRequest request, AsyncFile file) {
        if (request.response().closed()) {
            return ConsoleJson.refused(BROKEN);
        }
        Promise<Void> arrived = Promise.promise();
        DeadlineQueue.Deadline deadline = deadlines.begin(() -> arrived.tryFail(late()));
        request.pipe().endOnComplete(false).to(file).onComplete(end -> {
            if (end.succeeded()) {
                arrived.tryComplete();
            } else {
                arrived.tryFail(new BodyReader.RejectedException(BROKEN));
            }
        });
        return arrived.future().onComplete(_ -> deadline.met());
    }

    private static BodyReader.RejectedException late() {
        return new BodyReader.RejectedException(
                new HttpError(408, "The file did not arrive within " + LONGEST.toMinutes() + " minutes."));
    }
}
