package switchboard.embed;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.FairSemaphore;
import switchboard.concurrent.TeamShare;
import switchboard.config.EmbedderConfig;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.telemetry.MetricNames;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamKind;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamServices;
import switchboard.upstream.UpstreamSettings;

/**
 * The server that computes one model's vectors. Teams share its connections. One that fails or hangs is not called for a
 * while: requests are refused at once, and the gateway itself checks from time to time whether the server is back, so
 * that no caller has to wait. All failures are a {@link ToolException}. Thread-safe; never blocks.
 */
final class EmbeddingProvider {
    /** Advice for every caller, whatever tool it called. */
    static final String LATER =
            "Try again in a moment; if it fails again, the operator finds out more with `switchboard doctor`.";

    private static final Size MAX_ANSWER = Size.ofMiB(64);
    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(1);
    private static final int RETRIES = 3;
    private static final int CONNECTIONS = 8;
    private static final int MAX_WAITING = 256;
    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(2);
    private static final Duration LONGEST_CHECK = Duration.ofSeconds(5);

    /** Normally a check ends the pause; this is the limit in case that none does. */
    private static final UpstreamSettings.Breaker BREAKER = new UpstreamSettings.Breaker(50, 20, Duration.ofHours(1));

    private final Vertx vertx;
    private final UpstreamClient client;
    private final FairSemaphore fairSemaphore;
    private final EmbeddingAnswers answers;
    private final EmbeddingFailures failures;
    private final String provider;
    private final String path;
    private final JsonNode question;
    private final Duration limit;
    private volatile long nextCheck = -1;
    private volatile boolean closed;
    private volatile boolean keyRefused;

    /**
     * A server that is not connected yet.
     *
     * @param id the embedder's name in the configuration, for metrics and the log
     * @param url the full address
     * @param share how much one team may have under way and waiting
     */
    EmbeddingProvider(
            String id,
            EmbeddingWire wire,
            URI url,
            RemoteModel model,
            EmbedderConfig config,
            TeamShare share,
            UpstreamServices services) {
        this.vertx = services.vertx();
        this.provider = wire.provider();
        this.path = url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
        this.question = wire.request(List.of("."), EmbeddingWire.InputType.QUERY);
        this.limit = config.timeout();
        this.answers = new EmbeddingAnswers(provider, config.apiKey());
        this.failures = new EmbeddingFailures(services.meters(), provider, model.name());
        this.fairSemaphore = new FairSemaphore(CONNECTIONS, MAX_WAITING, share);
        this.client = UpstreamClient.of(
                UpstreamKind.PROVIDER, id, url.resolve("/"), settings(limit), Secret.bearer(config.apiKey()), services);
        client.onPause(this::checkLater);
        Gauge.builder(MetricNames.EMBEDDING_UP, client, one -> one.paused() ? 0 : 1)
                .description("Whether the provider is called; 0 while it is not called after failures")
                .tag("backend", id)
                .tag("model", model.name())
                .strongReference(true)
                .register(services.meters());
    }

    private static UpstreamSettings settings(Duration limit) {
        UpstreamSettings usual = UpstreamSettings.defaults();
        return new UpstreamSettings(
                new UpstreamSettings.Timeouts(Collections.min(List.of(limit, LONGEST_CONNECT)), limit, limit),
                new UpstreamSettings.Pool(CONNECTIONS, MAX_WAITING, KEEP_ALIVE),
                MAX_ANSWER,
                RETRIES,
                BREAKER,
                usual.tls(),
                null);
    }

    /** Whether requests are refused until the server answers again. */
    boolean paused() {
        return client.paused();
    }

    /** Whether the server refused the key of the last request that it answered. */
    boolean keyRefused() {
        return keyRefused;
    }

    /**
     * The answer to {@code body}. The time limit counts from when it is sent, over all attempts.
     *
     * @param tooMuch advice if the server refuses the body
     */
    Future<JsonNode> post(JsonNode body, String tooMuch) {
        if (client.paused()) {
            failures.refused();
            return Future.failedFuture(pausing());
        }
        return fairSemaphore
                .run(() -> client.send(request(body), Lifetime.within(limit)), this::busy)
                .onFailure(this::pauseIfHung)
                .recover(failure -> Future.failedFuture(explained(failure, limit)))
                .map(answer -> answers.read(answer, tooMuch))
                .map(also(_ -> keyRefused = false))
                .onFailure(this::note);
    }

    /** The answer to a check, with one attempt, even while requests are refused. */
    Future<JsonNode> check() {
        Duration within = Collections.min(List.of(limit, LONGEST_CHECK));
        return client.once(request(question), within)
                .recover(failure -> Future.failedFuture(explained(failure, within)))
                .map(answer -> answers.read(answer, LATER));
    }

    /** Pauses a server that hangs, so that later callers do not wait for it, too. */
    private void pauseIfHung(Throwable failure) {
        if (kind(failure) == FailureKind.TIMEOUT) {
            client.pause();
        }
    }

    private UpstreamRequest request(JsonNode body) {
        return UpstreamRequest.query(path, body).header("accept", "application/json");
    }

    private void note(Throwable failure) {
        FailureKind kind = kind(failure);
        failures.failed(kind);
        if (kind != FailureKind.UNAVAILABLE) {
            keyRefused = kind == FailureKind.DENIED_UPSTREAM;
        }
    }

    private static FailureKind kind(Throwable failure) {
        return failure instanceof ToolException known ? known.failed().kind() : FailureKind.UNAVAILABLE;
    }

    private ToolException explained(Throwable failure, Duration within) {
        FailureKind kind = kind(failure);
        if (kind == FailureKind.OVERLOADED) {
            return busy();
        }
        if (kind == FailureKind.TIMEOUT) {
            return unavailable(" did not answer within " + within.toMillis() + " ms. ");
        }
        if (UpstreamClient.answeredTooMuch(failure)) {
            return unavailable(" answered more than " + MAX_ANSWER.bytes() + " bytes. ");
        }
        return unavailable(" can't be reached. ");
    }

    private ToolException unavailable(String problem) {
        return new ToolException(FailureKind.UNAVAILABLE, "The embedding provider " + provider + problem + LATER);
    }

    private static ToolException pausing() {
        return new ToolException(ToolReply.failed(
                        FailureKind.UNAVAILABLE,
                        "The embedding provider does not answer, so it is not called for a while. Search by keyword, or try"
                                + " again later.")
                .withRetryAfterMs(BETWEEN_CHECKS.toMillis()));
    }

    private ToolException busy() {
        return new ToolException(
                FailureKind.OVERLOADED,
                "Too many texts wait for the embedding provider " + provider + ". Try again in a moment.");
    }

    private void checkLater() {
        if (!closed) {
            nextCheck = vertx.setTimer(
                    BETWEEN_CHECKS.toMillis(),
                    _ -> Futures.finish(check(), _ -> client.forgetFailures(), failure -> {
                        if (kind(failure) == FailureKind.UNAVAILABLE) {
                            checkLater();
                        } else {
                            // A refused request shows that the server works.
                            client.forgetFailures();
                        }
                    }));
        }
    }

    Future<Void> close() {
        closed = true;
        vertx.cancelTimer(nextCheck);
        return client.close();
    }
}
