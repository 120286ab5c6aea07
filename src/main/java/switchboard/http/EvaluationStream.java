package switchboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.call.Json;
import switchboard.console.Evaluations;
import switchboard.console.JudgedRun;
import switchboard.console.JudgedRun.JudgedSearch;
import switchboard.console.SignInUnavailableException;
import switchboard.protocol.MetaKeys;

/**
 * One evaluation and the page that waits for it: it makes the searches one after the other, and says what each gave. Who
 * closes the stream cancels it. Used on one event loop only.
 */
final class EvaluationStream {
    private static final Logger LOG = LoggerFactory.getLogger(EvaluationStream.class);
    private static final String TOOL = "search_everywhere";
    private static final long LONGEST_WAIT_MS = Duration.ofMinutes(1).toMillis();
    private static final long UNKNOWN_PAUSE_MS = 1000;
    private static final long SHORTEST_PAUSE_MS = 50;
    private static final int MOST_FAILURES_IN_A_ROW = 10;

    /** If the first search of a configuration ends so, all will. */
    private static final List<String> OF_THE_CONFIGURATION =
            List.of("INVALID_ARGUMENT", "NOT_FOUND", "DENIED", "PROTOCOL");

    private final Vertx vertx;
    private final HttpServerRequest request;
    private final EvaluationParts parts;
    private final EventStream events;
    private final Runnable closed;
    private @Nullable CollectedReply current;
    private int failuresInARow;
    private boolean over;

    /**
     * What it works with.
     *
     * @param person who searches, as of now; empty for who may not any more; fails if that can't be known
     */
    record EvaluationParts(
            Supplier<Future<Optional<PersonCalls.CallingPerson>>> person,
            PersonCalls calls,
            Evaluations evaluations,
            Evaluations.Evaluator evaluator,
            JudgedRun run) {}

    /** Ends an evaluation before its end; has what its page is told. It has no stack trace, because this is expected. */
    private static final class EndedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient ObjectNode why;

        EndedException(ObjectNode why) {
            super(null, null, false, false);
            this.why = why;
        }
    }

    /** Starts a stream; {@code closed} is called once when it has ended, for whatever reason. */
    EvaluationStream(
            Vertx vertx, HttpServerRequest request, HttpLimits limits, EvaluationParts parts, Runnable closed) {
        this.vertx = vertx;
        this.request = request;
        this.parts = parts;
        this.closed = closed;
        this.events = EventStream.toPage(vertx, request, limits, this::leave, this::cut);
    }

    /** Makes the searches. */
    void begin() {
        send("begin", parts.run().outline());
        Future<ObjectNode> figures = Futures.oneByOne(parts.run().searches(), search -> make(search, 0))
                .compose(_ -> parts.evaluations().figures(parts.evaluator(), parts.run()));
        Futures.finish(figures, found -> end("result", found), this::failed);
    }

    /** Tells the page that the gateway stops, and ends. */
    void stop() {
        end("over", Json.object().put("reason", "stopping"));
    }

    private Future<Void> make(JudgedSearch search, long waited) {
        return person().compose(person -> {
            long start = System.nanoTime();
            CollectedReply reply = parts.calls().call(person, TOOL, search.arguments());
            current = reply;
            return reply.answer().compose(answer -> {
                double ms = (System.nanoTime() - start) / 1e6;
                return person().compose(_ -> take(search, answer, waited, ms));
            });
        });
    }

    private Future<PersonCalls.CallingPerson> person() {
        return over
                ? signedOut()
                : parts.person().get().compose(found -> found.filter(_ -> !over)
                        .map(Future::succeededFuture)
                        .orElseGet(EvaluationStream::signedOut));
    }

    private static <T> Future<T> signedOut() {
        return Future.failedFuture(new EndedException(Json.object().put("reason", "signed_out")));
    }

    private Future<Void> take(JudgedSearch search, JsonNode answer, long waited, double ms) {
        JsonNode result = answer.path("result");
        if (!result.isObject() || result.path("isError").asBoolean()) {
            Optional<Future<Void>> instead = insteadOf(search, failure(answer), waited);
            if (instead.isPresent()) {
                return instead.get();
            }
        } else {
            failuresInARow = 0;
        }
        parts.run().add(search, result, ms).ifPresent(query -> send("query", query));
        return Future.succeededFuture();
    }

    private static ObjectNode failure(JsonNode answer) {
        if (answer.path("result").path("_meta").path(MetaKeys.ERROR) instanceof ObjectNode told) {
            return told;
        }
        ObjectNode refused =
                Json.object().put("message", answer.at("/error/message").asText());
        JsonNode wait = answer.at("/error/data/retryAfterMs"); // a rate limit, before any tool
        return wait.isNumber()
                ? refused.put("kind", "OVERLOADED").put("retryAfterMs", wait.asLong())
                : refused.put("kind", "PROTOCOL");
    }

    /**
     * What happens to a search that has failed, if it does not just count as one without hits.
     *
     * @param waited how many milliseconds it has waited for limits
     */
    private Optional<Future<Void>> insteadOf(JudgedSearch search, ObjectNode failure, long waited) {
        String kind = failure.path("kind").asText();
        if (kind.equals("OVERLOADED")) {
            long pause =
                    Math.max(SHORTEST_PAUSE_MS, failure.path("retryAfterMs").asLong(UNKNOWN_PAUSE_MS));
            return Optional.of(
                    waited + pause <= LONGEST_WAIT_MS
                            ? again(search, waited, pause, failure)
                            : ended("limited", search, failure));
        }
        if (OF_THE_CONFIGURATION.contains(kind) && !parts.run().hasAnswered(search)) {
            return Optional.of(ended("refused", search, failure));
        }
        failuresInARow++;
        return failuresInARow >= MOST_FAILURES_IN_A_ROW
                ? Optional.of(ended("failing", search, failure))
                : Optional.empty();
    }

    /** A limit is there for all calls of the team; this one waits for it. */
    private Future<Void> again(JudgedSearch search, long waited, long pause, ObjectNode failure) {
        send(
                "waiting",
                Json.object()
                        .put("ms", pause)
                        .put("message", failure.path("message").asText()));
        Promise<Void> end = Promise.promise();
        vertx.setTimer(pause, _ -> end.complete());
        return end.future().compose(_ -> make(search, waited + pause));
    }

    private static Future<Void> ended(String reason, JudgedSearch search, ObjectNode failure) {
        return Future.failedFuture(new EndedException(Json.object()
                .put("reason", reason)
                .put("configuration", search.configuration())
                .put("kind", failure.path("kind").asText())
                .put("message", failure.path("message").asText())));
    }

    private void failed(Throwable failure) {
        if (failure instanceof EndedException ended) {
            end("over", ended.why);
        } else if (failure instanceof SignInUnavailableException) {
            end("over", Json.object().put("reason", "failing").put("message", failure.getMessage()));
        } else if (!over) {
            LOG.error("an evaluation failed", failure);
            end("over", Json.object().put("reason", "failing").put("message", "Internal error."));
        }
    }

    private void send(String name, ObjectNode data) {
        if (!over) {
            events.sendFramed(CallBatches.event(name, data, ""));
        }
    }

    private void end(String name, ObjectNode last) {
        if (!over) {
            send(name, last);
            finish();
            events.finish("", new byte[0]).onComplete(_ -> events.release());
        }
    }

    /** Its reader takes nothing any more. */
    private void cut() {
        leave();
        Http2Streams.endExchange(request);
    }

    private void leave() {
        events.release();
        finish();
    }

    /** No more searches; the one that is under way is cancelled. */
    private void finish() {
        if (!over) {
            over = true;
            if (current != null) {
                current.leave();
            }
            closed.run();
        }
    }
}
