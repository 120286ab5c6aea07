package switchboard.embed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.async.HttpConnections;
import switchboard.async.HttpExchange;
import switchboard.call.EngineWords;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Secrets;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
import switchboard.config.Secret;

/**
 * Posts JSON to a provider: one time limit over all attempts, again after 429, 5xx and lost connections as long as the
 * limit allows, a bound on what is read, and no trace of the key in what failures say.
 */
final class EmbeddingHttp {
    /** What every caller can do, whatever tool it called. */
    static final String LATER =
            "Try again in a moment; if it stays so, the operator sees more with `switchboard doctor`.";

    private static final int MAX_ANSWER_BYTES = 64 * 1024 * 1024;
    private static final int MAX_ATTEMPTS = 4;
    private static final long FIRST_PAUSE_MS = 200;
    private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MAX_REASON = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int CONNECTIONS = 8;
    private static final int MAX_WAITING = 256;

    private final Vertx vertx;
    private final FairSemaphore fairSemaphore;
    private final HttpClient client;
    private final String provider;
    private final URI url;
    private final @Nullable Secret key;
    private final Duration limit;

    /**
     * A client of one provider.
     *
     * @param url the full address
     * @param limit for one request with all its attempts
     * @param share how much one team may have under way and waiting
     */
    EmbeddingHttp(Vertx vertx, String provider, URI url, @Nullable Secret key, Duration limit, TeamShare share) {
        this.vertx = vertx;
        this.provider = provider;
        this.url = url;
        this.key = key;
        this.limit = limit;
        this.client = HttpConnections.client(
                vertx,
                new HttpClientOptions().setConnectTimeout((int) Math.min(10_000, limit.toMillis())),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(MAX_WAITING));
        this.fairSemaphore = new FairSemaphore(CONNECTIONS, MAX_WAITING, share);
    }

    /** The name of the kind of provider. */
    String provider() {
        return provider;
    }

    /**
     * The provider's answer to {@code body}; failures are {@link ToolException}.
     *
     * @param tooMuch what to do where it does not take the body
     */
    Future<JsonNode> post(JsonNode body, String tooMuch) {
        return attempt(Buffer.buffer(Json.bytes(body)), tooMuch, 1, System.nanoTime() + limit.toNanos());
    }

    /** The same, asked once, for an answer that nobody waits for. */
    Future<JsonNode> ask(JsonNode body) {
        Duration patience = limit.compareTo(PATIENCE) < 0 ? limit : PATIENCE;
        return attempt(Buffer.buffer(Json.bytes(body)), LATER, MAX_ATTEMPTS, System.nanoTime() + patience.toNanos());
    }

    /** How long one request with all its attempts may take. */
    Duration limit() {
        return limit;
    }

    Future<Void> close() {
        return client.close();
    }

    private Future<JsonNode> attempt(Buffer body, String tooMuch, int number, long deadline) {
        return send(body, deadline)
                .compose(
                        answer -> answer.status() == 200
                                ? Future.succeededFuture(answer.json(provider))
                                : again(
                                        body,
                                        tooMuch,
                                        number,
                                        deadline,
                                        failure(answer, tooMuch),
                                        answer.retryable(),
                                        answer.pauseMs()),
                        lost -> lost instanceof ToolException known
                                ? Future.failedFuture(known)
                                : again(
                                        body,
                                        tooMuch,
                                        number,
                                        deadline,
                                        unreachable(lost),
                                        lost instanceof IOException,
                                        null));
    }

    private Future<JsonNode> again(
            Buffer body,
            String tooMuch,
            int number,
            long deadline,
            ToolReply.Failed failure,
            boolean retryable,
            @Nullable Long wanted) {
        long backOff = FIRST_PAUSE_MS << (number - 1);
        long pause = wanted == null ? ThreadLocalRandom.current().nextLong(backOff / 2, backOff + 1) : wanted;
        if (!retryable || number == MAX_ATTEMPTS || pause >= remainingMs(deadline)) {
            return Future.failedFuture(
                    new ToolException(retryable ? failure.withRetryAfterMs(Math.max(pause, 1)) : failure));
        }
        return vertx.timer(Math.max(1, pause), TimeUnit.MILLISECONDS)
                .compose(waited -> attempt(body, tooMuch, number + 1, deadline));
    }

    private Future<HttpReply> send(Buffer body, long deadline) {
        return fairSemaphore.run(
                () -> remainingMs(deadline) <= 0 ? Future.failedFuture(timeout()) : exchanged(body, deadline),
                this::busy);
    }

    private Future<HttpReply> exchanged(Buffer body, long deadline) {
        long remaining = Math.max(1, remainingMs(deadline));
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(url.toString())
                .setTimeout(remaining)
                .putHeader("content-type", "application/json")
                .putHeader("accept", "application/json");
        if (key != null) {
            options.putHeader("authorization", "Bearer " + key.reveal());
        }
        return client.request(options)
                .compose(request -> {
                    long timer = vertx.setTimer(remaining, id -> request.reset(8, timeout()));
                    return HttpExchange.send(request, body, this::read).onComplete(_ -> vertx.cancelTimer(timer));
                })
                .recover(lost -> Future.failedFuture(lost.getCause() instanceof ToolException late ? late : lost));
    }

    private ToolException busy() {
        return new ToolException(
                FailureKind.OVERLOADED,
                "Too many texts wait for the embedding provider " + provider + ". Try again in a moment.");
    }

    private HttpExchange.Body<HttpReply> read(HttpClientResponse response) {
        return HttpExchange.Body.collect(
                MAX_ANSWER_BYTES,
                () -> new ToolException(
                        FailureKind.UNAVAILABLE,
                        provider + " answered more than " + MAX_ANSWER_BYTES + " bytes. " + LATER),
                bytes -> new HttpReply(response.statusCode(), response.getHeader("retry-after"), bytes));
    }

    private ToolReply.Failed failure(HttpReply answer, String tooMuch) {
        String status = provider + " answered " + answer.status();
        return switch (answer.status()) {
            // Providers repeat parts of the key here.
            case 401, 403 ->
                ToolReply.failed(
                        FailureKind.DENIED_UPSTREAM,
                        status + ": it refuses the gateway's key. The operator has to check apiKey of the embedder.");
            case 429 -> ToolReply.failed(FailureKind.OVERLOADED, status + ": too many requests. Try again later.");
            case 400, 413, 422 ->
                ToolReply.failed(
                        FailureKind.INVALID_ARGUMENT, status + ": " + EngineWords.then(reason(answer), tooMuch));
            default ->
                ToolReply.failed(FailureKind.UNAVAILABLE, status + ": " + EngineWords.then(reason(answer), LATER));
        };
    }

    /** What the provider says is wrong, shortened and without the key. */
    private String reason(HttpReply answer) {
        JsonNode error = answer.tree().path("error");
        String text = error.isTextual() ? error.asText() : error.path("message").asText("");
        if (text.isEmpty()) {
            text = answer.tree().path("detail").asText("no reason given");
        }
        for (String secret : key == null ? List.<String>of() : key.known()) {
            text = Secrets.of(List.of(secret)).scrub(text);
            String start = secret.substring(0, Math.min(6, secret.length()));
            text = text.replaceAll(java.util.regex.Pattern.quote(start) + "\\S*", "******");
        }
        text = EngineWords.plain(text);
        return text.length() > MAX_REASON ? text.substring(0, MAX_REASON) + "..." : text;
    }

    private ToolReply.Failed unreachable(Throwable cause) {
        String what =
                cause instanceof java.util.concurrent.TimeoutException ? "did not answer in time" : "can't be reached";
        return ToolReply.failed(
                FailureKind.UNAVAILABLE, "The embedding provider " + provider + " " + what + ". " + LATER);
    }

    private ToolException timeout() {
        return new ToolException(ToolReply.failed(
                FailureKind.UNAVAILABLE,
                "The embedding provider " + provider + " did not answer within " + limit.toMillis() + " ms. " + LATER));
    }

    /** Rounded up: a provider has all of its time before it counts as one that hangs. */
    private static long remainingMs(long deadline) {
        return Math.ceilDiv(deadline - System.nanoTime(), NANOS_PER_MS);
    }

    /** A complete answer. */
    private record HttpReply(int status, @Nullable String retryAfter, Buffer body) {
        boolean retryable() {
            return status == 429 || status >= 500;
        }

        /** The pause the provider asks for, if it says it in seconds. */
        @Nullable
        Long pauseMs() {
            return retryAfter != null && retryAfter.matches("\\d{1,6}") ? Long.parseLong(retryAfter) * 1000 : null;
        }

        JsonNode tree() {
            try {
                return Json.parse(body.getBytes());
            } catch (JsonProcessingException _) {
                return Json.object();
            }
        }

        JsonNode json(String provider) {
            try {
                return Json.parse(body.getBytes());
            } catch (JsonProcessingException _) {
                throw new ToolException(
                        FailureKind.UNAVAILABLE, provider + " answered something that is not JSON. " + LATER);
            }
        }
    }
}
