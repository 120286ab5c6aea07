package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import switchboard.backend.Backend;
import switchboard.backend.ToolHandler;
import switchboard.call.Health;
import switchboard.dispatch.DisabledBackends;
import switchboard.http.Readiness;
import switchboard.telemetry.GatewayMeters;
import switchboard.testing.Eventually;

/** A backend that is starting keeps the gateway from being ready, until it was ready once. */
class StartingBackendTest {
    private static final Health STARTING = Health.starting("builds its files");

    private final Vertx vertx = Vertx.vertx();
    private final Engine files = new Engine(STARTING);
    private final Engine other = new Engine(Health.down("no engine"));
    private final DisabledBackends off = new DisabledBackends();
    private final BackendHealth health = new BackendHealth(
            List.of(loaded("files", files), loaded("other", other)),
            off,
            new GatewayMeters(new SimpleMeterRegistry()),
            Clock.systemUTC(),
            Duration.ofMillis(500));

    /** A backend that is as it is told. */
    private static class Engine implements Backend {
        private volatile Health now;

        Engine(Health now) {
            this.now = now;
        }

        @Override
        public Future<Health> health() {
            return Future.succeededFuture(now);
        }

        @Override
        public List<ToolHandler<?>> tools() {
            return List.of();
        }
    }

    private static LoadedBackend loaded(String id, Backend backend) {
        return new LoadedBackend(id, "toy", false, backend, List.of());
    }

    @BeforeEach
    void watch() throws TimeoutException {
        health.watch(vertx).await(10, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws TimeoutException {
        health.stop();
        vertx.close().await(10, TimeUnit.SECONDS);
    }

    private Readiness.Part part(int index) {
        return health.parts().get(index);
    }

    private void becomes(Readiness.Status status, String detail) {
        Eventually.that(() -> part(0).status() == status && part(0).detail().equals(detail), () -> "it is " + part(0));
    }

    @Test
    void itIsRequiredUntilTheGatewayWasReady() {
        assertEquals(new Readiness.Part("files", Readiness.Status.DOWN, true, "builds its files"), part(0));
        assertFalse(part(1).required(), "one that is down is not");
        files.now = Health.starting("builds the last one");
        becomes(Readiness.Status.DOWN, "builds the last one");
        assertTrue(part(0).required());
        files.now = Health.up();
        becomes(Readiness.Status.UP, files.now.detail());
        assertFalse(part(0).required());
        // As after this process has taken over the data of another one.
        files.now = STARTING;
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> part(0).status() == Readiness.Status.DOWN, () -> "it is " + part(0));
        assertFalse(part(0).required());
    }

    /** Its checks go on, so after one of them the gateway has been ready without it. */
    @Test
    void oneThatIsSwitchedOffIsNotWaitedFor() {
        off.off("files", "by hand");
        files.now = Health.starting("asked again");
        assertEquals(Readiness.Status.OFF, part(0).status());
        Eventually.that(
                () -> {
                    off.on("files");
                    Readiness.Part now = part(0);
                    off.off("files", "by hand");
                    return now.detail().equals("asked again") && !now.required();
                },
                () -> "it is asked while it is off: " + part(0));
    }

    @Test
    void aCheckThatTheStopCancelsIsNoOutage() {
        Logger logger = (Logger) LoggerFactory.getLogger(BackendHealth.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            Promise<Health> asked = Promise.promise();
            Engine hanging = new Engine(Health.up()) {
                @Override
                public Future<Health> health() {
                    return asked.future();
                }
            };
            BackendHealth stopping = new BackendHealth(
                    List.of(loaded("hanging", hanging)),
                    off,
                    new GatewayMeters(new SimpleMeterRegistry()),
                    Clock.systemUTC(),
                    Periods.USUAL.health());
            Future<Void> first = stopping.watch(vertx);
            stopping.stop();
            asked.complete(Health.down("the call was cancelled"));
            assertTrue(first.isComplete());
            assertEquals(List.of(), log.list);
        } finally {
            logger.detachAppender(log);
        }
    }
}
