package switchboard.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.backend.BackendServices;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.OpenTimers;

/** Clients of one test, which must have given everything back when it ends. */
@ExtendWith(VertxExtension.class)
abstract class UpstreamFixture {
    static final UpstreamRequest READ = UpstreamRequest.get("/thing?key=1");
    static final UpstreamRequest WRITE = UpstreamRequest.post("/thing", Json.object());
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofMillis(250);
    /** Enough for a request to be sent by a machine that has other things to do, and soon over for a test. */
    static final Duration SOON = Duration.ofSeconds(2);

    private Vertx vertx;
    final MeterRegistry meters = new SimpleMeterRegistry();
    final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final List<UpstreamClient> clients = new ArrayList<>();

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    @AfterEach
    void nothingIsLeft() throws TimeoutException {
        clients.forEach(client -> assertEquals(0, client.inFlight(), "permits left"));
        Eventually.that(
                () -> OpenTimers.of(vertx).isEmpty(),
                () -> "timers of attempts that are over: " + OpenTimers.of(vertx));
        for (UpstreamClient client : clients) {
            client.close().await(60, TimeUnit.SECONDS);
        }
    }

    UpstreamClient client(URI url, UpstreamSettings settings) {
        return client(UpstreamKind.ENGINE, url, settings);
    }

    UpstreamClient client(UpstreamKind kind, URI url, UpstreamSettings settings) {
        UpstreamClient client = UpstreamClient.of(
                kind,
                "engine",
                url,
                settings,
                Map.of("Authorization", Secret.of("Bearer s3cret-token")),
                services().upstream());
        clients.add(client);
        return client;
    }

    BackendServices services() {
        return new BackendServices(vertx, meters, clock, Path.of("."));
    }

    static UpstreamSettings quick(Duration connect, Duration request) {
        UpstreamSettings defaults = UpstreamSettings.defaults();
        return new UpstreamSettings(
                new UpstreamSettings.Timeouts(connect, request, LONG),
                defaults.pool(),
                defaults.maxResponseSize(),
                1,
                defaults.breaker(),
                defaults.tls(),
                null);
    }

    static UpstreamSettings withSize(Size size) {
        UpstreamSettings d = UpstreamSettings.defaults();
        return new UpstreamSettings(d.timeouts(), d.pool(), size, d.retries(), d.breaker(), d.tls(), null);
    }

    static UpstreamSettings withRetries(int retries) {
        UpstreamSettings d = UpstreamSettings.defaults();
        return new UpstreamSettings(d.timeouts(), d.pool(), d.maxResponseSize(), retries, d.breaker(), d.tls(), null);
    }

    static UpstreamSettings withPool(int size, int waiting) {
        UpstreamSettings d = UpstreamSettings.defaults();
        UpstreamSettings.Pool pool =
                new UpstreamSettings.Pool(size, waiting, d.pool().keepAlive());
        return new UpstreamSettings(d.timeouts(), pool, d.maxResponseSize(), d.retries(), d.breaker(), d.tls(), null);
    }

    double breakerState() {
        return meters.get(MetricNames.UPSTREAM_BREAKER).gauge().value();
    }

    long attempts(String outcome) {
        return meters.get(MetricNames.UPSTREAM_DURATION)
                .tag("outcome", outcome)
                .timer()
                .count();
    }

    static ToolReply.Failed failure(Future<UpstreamResponse> future) {
        ToolException thrown = assertThrows(ToolException.class, future::await);
        return thrown.failed();
    }
}
