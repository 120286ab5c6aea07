package switchboard.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.console.ChangeOutcome;
import switchboard.console.SignInUnavailableException;

/** Reads and answers JSON on the console's own endpoints. Used on one event loop only. */
final class ConsoleJson {
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleJson.class);
    private static final HttpError OTHER_TYPE = new HttpError(415, "The Content-Type must be application/json.");
    private static final HttpError NO_OBJECT = new HttpError(400, "The body must be a JSON object.");

    private final RequestPreconditions requestPreconditions;
    private final DeadlineQueue bodies;

    /**
     * An answer.
     *
     * @param body null for none
     */
    record JsonAnswer(int status, @Nullable ObjectNode body) {}

    ConsoleJson(Vertx vertx, RequestPreconditions requestPreconditions) {
        this.requestPreconditions = requestPreconditions;
        this.bodies = new DeadlineQueue(vertx, HttpLimits.DEFAULT.bodyTimeout());
    }

    /** A failure that is answered with {@code httpError}. */
    static <T> Future<T> refused(HttpError httpError) {
        return Future.failedFuture(new BodyReader.RejectedException(httpError));
    }

    /** The object that {@code request} has, of {@code mostBytes} at most. */
    Future<ObjectNode> read(HttpServerRequest request, int mostBytes) {
        if (!RequestPreconditions.mediaType(request).equals("application/json")) {
            return refused(OTHER_TYPE);
        }
        request.pause();
        return BodyReader.read(request, mostBytes, bodies).compose(ConsoleJson::object);
    }

    private static Future<ObjectNode> object(byte[] body) {
        try {
            return Json.parse(body) instanceof ObjectNode object ? Future.succeededFuture(object) : refused(NO_OBJECT);
        } catch (JsonProcessingException _) {
            return refused(NO_OBJECT);
        }
    }

    /** The text {@code field} of {@code body}, which is not empty; {@code none} is the answer if there is none. */
    static Future<String> text(ObjectNode body, String field, HttpError none) {
        String value = body.path(field).textValue();
        return value == null || value.isEmpty() ? refused(none) : Future.succeededFuture(value);
    }

    /** The answer to a change, which has {@code status} if it is made. */
    static Future<JsonAnswer> changed(int status, ChangeOutcome outcome) {
        return switch (outcome) {
            case ChangeOutcome.Changed(ObjectNode body) -> Future.succeededFuture(new JsonAnswer(status, body));
            case ChangeOutcome.Unchanged(ChangeOutcome.Problem reason, String message) ->
                refused(new HttpError(
                        switch (reason) {
                            case INVALID -> 400;
                            case UNKNOWN -> 404;
                            case CONFLICT -> 409;
                            case UNAVAILABLE -> 503;
                        },
                        message));
        };
    }

    /** Sends {@code answer} when it is there. */
    void answer(HttpServerRequest request, Future<JsonAnswer> answer) {
        answer(request, answer, known -> send(request, known));
    }

    /** Sends {@code answer} with {@code sending} when it is there, if the client is still there, too. */
    <T> void answer(HttpServerRequest request, Future<T> answer, Consumer<T> sending) {
        Futures.finish(
                answer,
                known -> {
                    if (!request.response().closed()) {
                        sending.accept(known);
                    }
                    if (!request.isEnded()) { // its body has waited until it was known who sends it
                        request.resume();
                    }
                },
                failure -> requestPreconditions.refuse(request, refusal(failure)));
    }

    /** What is answered instead of {@code failure}. */
    static HttpError refusal(Throwable failure) {
        if (failure instanceof BodyReader.RejectedException refused) {
            return refused.refusal();
        }
        if (failure instanceof SignInUnavailableException unavailable) {
            return new HttpError(
                    503,
                    String.valueOf(unavailable.getMessage()),
                    Map.of("Retry-After", Integer.toString(SignInUnavailableException.RETRY_SECONDS)));
        }
        if (failure instanceof ToolException told) {
            return new HttpError(503, told.failed().message());
        }
        LOG.error("a request to the console failed", failure);
        return new HttpError(500, "Internal error.");
    }

    private static void send(HttpServerRequest request, JsonAnswer answer) {
        request.response().setStatusCode(answer.status());
        if (answer.body() == null) {
            request.response().end();
        } else {
            request.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(Buffer.buffer(Json.bytes(answer.body())));
        }
    }
}
