package switchboard.embed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import switchboard.call.EngineWords;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Secrets;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.upstream.Transport;
import switchboard.upstream.UpstreamFault;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;
import switchboard.upstream.UpstreamSettings;

/**
 * Posts JSON to a provider: one time limit over all attempts, again after 429, 5xx and lost connections as long as the
 * limit allows, a bound on what is read, and no trace of the key in what failures say. The connections are those of {@link
 * Transport}, as to engines. Its retries are not those of engines: a provider is waited for as long as it asks, because a
 * text without its vector can't be stored, and the bulkhead is shared by teams.
 */
final class EmbeddingHttp {
    /** Advice for every caller, whatever tool it called. */
    static final String LATER =
            "Try again in a moment; if it stays so, the operator sees more with `switchboard doctor`.";

    private static final Size MAX_ANSWER = Size.ofMiB(64);
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(1);
    private static final int MAX_ATTEMPTS = 4;
    private static final long FIRST_PAUSE_MS = 200;
    private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MAX_REASON = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int CONNECTIONS = 8;
    private static final int MAX_WAITING = 256;

    private final Vertx vertx;
    private final FairSemaphore fairSemaphore;
    private final Transport transport;
    private final String provider;
    private final String path;
    private final @Nullable Secret key;
    private final Duration limit;

    /**
     * A client of one provider.
     *
     * @param url the full address
     * @param limit for one request with all its attempts
     * @param share how much one team may have under way and waiting
     * @param clock the time that a {@code Retry-After} with a date counts from
     */
    EmbeddingHttp(
            Vertx vertx, String provider, URI url, @Nullable Secret key, Duration limit, TeamShare share, Clock clock) {
        this.vertx = vertx;
        this.provider = provider;
        this.path = url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
        this.key = key;
        this.limit = limit;
        this.transport = new Transport(
                provider,
                url.resolve("/"),
                settings(limit),
                key == null ? Map.of() : Map.of("Authorization", key.after("Bearer ")),
                vertx,
                clock);
        this.fairSemaphore = new FairSemaphore(CONNECTIONS, MAX_WAITING, share);
    }

    /** Without retries and breaker, which are those of this class and of {@link ProviderGuard}. */
    private static UpstreamSettings settings(Duration limit) {
        UpstreamSettings usual = UpstreamSettings.defaults();
        Duration connect = limit.compareTo(LONGEST_CONNECT) < 0 ? limit : LONGEST_CONNECT;
        return new UpstreamSettings(
                new UpstreamSettings.Timeouts(connect, limit, limit),
                new UpstreamSettings.Pool(CONNECTIONS, MAX_WAITING, KEEP_ALIVE),
                MAX_ANSWER,
                0,
                usual.breaker(),
                usual.tls(),
                null);
    }

    /** The name of the kind of provider. */
    String provider() {
        return provider;
    }

    /**
     * The provider's answer to {@code body}; failures are {@link ToolException}.
     *
     * @param tooMuch advice if it refuses the body
     */
    Future<JsonNode> post(JsonNode body, String tooMuch) {
        return attempt(request(body), tooMuch, 1, System.nanoTime() + limit.toNanos());
    }

    /** The same with one attempt, for a check that no caller waits for. */
    Future<JsonNode> ask(JsonNode body) {
        Duration patience = limit.compareTo(PATIENCE) < 0 ? limit : PATIENCE;
        return attempt(request(body), LATER, MAX_ATTEMPTS, System.nanoTime() + patience.toNanos());
    }

    /** The time limit of one request with all its attempts. */
    Duration limit() {
        return limit;
    }

    Future<Void> close() {
        return transport.close();
    }

    private Future<JsonNode> attempt(UpstreamRequest request, String tooMuch, int number, long deadline) {
        return send(request, deadline)
                .compose(
                        answer -> answer.status() == 200
                                ? Future.succeededFuture(json(answer))
                                : again(
                                        request,
                                        tooMuch,
                                        number,
                                        deadline,
                                        failure(answer, tooMuch),
                                        answer.status() == 429 || answer.status() >= 500,
                                        answer.retryAfterMs()),
                        lost -> lost instanceof UpstreamFault fault
                                ? again(request, tooMuch, number, deadline, lost(fault), fault.passing(), null)
                                : Future.failedFuture(lost));
    }

    private Future<JsonNode> again(
            UpstreamRequest request,
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
                .compose(waited -> attempt(request, tooMuch, number + 1, deadline));
    }

    private UpstreamRequest request(JsonNode body) {
        return UpstreamRequest.query(path, body).header("accept", "application/json");
    }

    private Future<UpstreamResponse> send(UpstreamRequest request, long deadline) {
        return fairSemaphore.run(
                () -> remainingMs(deadline) <= 0
                        ? Future.failedFuture(new ToolException(late()))
                        : transport.send(request, Duration.ofMillis(remainingMs(deadline))),
                this::busy);
    }

    private ToolException busy() {
        return new ToolException(
                FailureKind.OVERLOADED,
                "Too many texts wait for the embedding provider " + provider + ". Try again in a moment.");
    }

    private ToolReply.Failed failure(UpstreamResponse answer, String tooMuch) {
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
    private String reason(UpstreamResponse answer) {
        JsonNode told = tree(answer);
        JsonNode error = told.path("error");
        String text = error.isTextual() ? error.asText() : error.path("message").asText("");
        if (text.isEmpty()) {
            text = told.path("detail").asText("no reason given");
        }
        for (String secret : key == null ? List.<String>of() : key.known()) {
            text = Secrets.of(List.of(secret)).scrub(text);
            String start = secret.substring(0, Math.min(6, secret.length()));
            text = text.replaceAll(java.util.regex.Pattern.quote(start) + "\\S*", "******");
        }
        text = EngineWords.plain(text);
        return text.length() > MAX_REASON ? text.substring(0, MAX_REASON) + "..." : text;
    }

    private ToolReply.Failed lost(UpstreamFault fault) {
        return switch (fault.reason()) {
            case TIMEOUT -> late();
            case TOO_LARGE ->
                ToolReply.failed(
                        FailureKind.UNAVAILABLE,
                        provider + " answered more than " + MAX_ANSWER.bytes() + " bytes. " + LATER);
            case REFUSED, UNKNOWN_HOST, CONNECT_TIMEOUT, TLS, PROXY, LOST, MALFORMED, BUSY, CLOSED, CANCELLED ->
                ToolReply.failed(
                        FailureKind.UNAVAILABLE, "The embedding provider " + provider + " can't be reached. " + LATER);
        };
    }

    private ToolReply.Failed late() {
        return ToolReply.failed(
                FailureKind.UNAVAILABLE,
                "The embedding provider " + provider + " did not answer within " + limit.toMillis() + " ms. " + LATER);
    }

    /** Rounded up, so that a provider has all of its time before it counts as hanging. */
    private static long remainingMs(long deadline) {
        return Math.ceilDiv(deadline - System.nanoTime(), NANOS_PER_MS);
    }

    private static JsonNode tree(UpstreamResponse answer) {
        try {
            return Json.parse(answer.body().getBytes());
        } catch (JsonProcessingException _) {
            return Json.object();
        }
    }

    private JsonNode json(UpstreamResponse answer) {
        try {
            return Json.parse(answer.body().getBytes());
        } catch (JsonProcessingException _) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE, provider + " answered something that is not JSON. " + LATER);
        }
    }
}
