package switchboard.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.DetachedCallContext;
import switchboard.call.FailureKind;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.ToolException;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;
import switchboard.testing.TeamShares;

@ExtendWith(VertxExtension.class)
class BlockingExecutorTest {
    private Vertx vertx;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CountDownLatch gate = new CountDownLatch(1);

    @BeforeEach
    void open(Vertx vertx) {
        this.vertx = vertx;
    }

    @AfterEach
    void close() {
        gate.countDown();
    }

    private boolean waitAtGate() throws InterruptedException {
        gate.await();
        return true;
    }

    private static FailureKind kind(Future<?> future) {
        return assertThrows(ToolException.class, future::await).failed().kind();
    }

    @Test
    void workRunsOnTheExecutorsThreadsAndTheAnswerOnTheCallers(VertxTestContext test) {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "reading", 1, 5, TeamShare.ALL);
        Context caller = vertx.getOrCreateContext();
        caller.runOnContext(_ -> executor.run(() -> Thread.currentThread().getName())
                .onComplete(test.succeeding(name -> test.verify(() -> {
                    assertTrue(name.contains("executor-reading"), name);
                    assertSame(caller, vertx.getOrCreateContext());
                    test.completeNow();
                }))));
    }

    @Test
    void whatFindsTheQueueFullIsRefusedAndTheRestIsDone() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "full", 2, 3, TeamShare.ALL);
        List<Future<Boolean>> all = IntStream.range(0, 9)
                .mapToObj(i -> executor.run(this::waitAtGate))
                .toList();
        List<Future<Boolean>> refused = all.subList(5, 9);
        refused.forEach(future -> assertEquals(FailureKind.OVERLOADED, kind(future)));
        assertEquals(4, meters.get(MetricNames.EXECUTOR_REJECTED).counter().count());
        gate.countDown();
        all.subList(0, 5).forEach(future -> assertTrue(future.await()));
        assertEquals(0, executor.waiting());
        assertTrue(executor.run(() -> true).await());
    }

    @Test
    void workRunsAtOnceUpToTheNumberOfThreads() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "wide", 3, 0, TeamShare.ALL);
        CountDownLatch together = new CountDownLatch(3);
        List<Future<Boolean>> all = IntStream.range(0, 3)
                .mapToObj(i -> executor.run(() -> {
                    together.countDown();
                    together.await();
                    return true;
                }))
                .toList();
        assertTrue(Future.all(all).map(true).await());
    }

    @Test
    void cancelledWorkNeverBeginsAndGivesItsPlaceBack() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "cancel", 1, 1, TeamShare.ALL);
        AtomicBoolean cancelled = new AtomicBoolean();
        AtomicBoolean ran = new AtomicBoolean();
        Future<Boolean> first = executor.run(this::waitAtGate);
        Future<Boolean> second = executor.run(cancelled::get, () -> {
            ran.set(true);
            return true;
        });
        cancelled.set(true);
        gate.countDown();
        assertEquals(FailureKind.CANCELLED, kind(second));
        assertFalse(ran.get());
        assertTrue(first.await());
        assertTrue(executor.run(() -> true).await());
    }

    @Test
    void aFailureIsTheWorksOwnAndGivesItsPlaceBack() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "fail", 1, 0, TeamShare.ALL);
        IllegalStateException own = new IllegalStateException("own");
        for (int i = 0; i < 3; i++) {
            Future<Boolean> failing = executor.run(() -> {
                throw own;
            });
            assertSame(own, assertThrows(IllegalStateException.class, failing::await));
        }
    }

    @Test
    void closingWaitsForWhatIsUnderWayAndRefusesWhatWaits() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "draining", 1, 5, TeamShare.ALL);
        CountDownLatch began = new CountDownLatch(1);
        Future<Boolean> underWay = executor.run(() -> {
            began.countDown();
            return waitAtGate();
        });
        List<Future<Boolean>> waiting =
                IntStream.range(0, 5).mapToObj(i -> executor.run(() -> true)).toList();
        Eventually.that(() -> began.getCount() == 0, () -> "the work has begun");
        Future<Void> closed = executor.close();
        assertEquals(FailureKind.UNAVAILABLE, kind(executor.run(() -> true)));
        assertFalse(closed.isComplete());
        gate.countDown();
        closed.await();
        assertTrue(underWay.await());
        waiting.forEach(future -> assertEquals(FailureKind.UNAVAILABLE, kind(future)));
        executor.close().await();
    }

    @Test
    void closingWaitsForTheLastOfWhatIsUnderWay() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "last", 2, 5, TeamShare.ALL);
        CountDownLatch began = new CountDownLatch(2);
        CountDownLatch first = new CountDownLatch(1);
        Future<Boolean> sooner = executor.run(() -> {
            began.countDown();
            first.await();
            return true;
        });
        Future<Boolean> later = executor.run(() -> {
            began.countDown();
            return waitAtGate();
        });
        Eventually.that(() -> began.getCount() == 0, () -> "both have begun");
        Future<Void> closed = executor.close();
        first.countDown();
        assertTrue(sooner.await());
        assertFalse(closed.isComplete());
        gate.countDown();
        assertTrue(later.await(), "it was not interrupted");
        closed.await();
    }

    @Test
    void aClosedExecutorSaysSo() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "closed", 1, 0, TeamShare.ALL);
        executor.close().await();
        assertEquals(FailureKind.UNAVAILABLE, kind(executor.run(() -> true)));
        assertEquals(0, executor.waiting());
    }

    @Test
    void aTeamHasItsShareOfThreadsAndQueueAndTeamsTakeTurns() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "shared", 2, 8, TeamShares.among(0.5, 2));
        CountDownLatch began = new CountDownLatch(1);
        List<Future<Boolean>> red = IntStream.range(0, 20)
                .mapToObj(i -> executor.run("red", () -> false, () -> {
                    began.countDown();
                    return waitAtGate();
                }))
                .toList();
        red.subList(5, 20).forEach(future -> assertEquals(FailureKind.OVERLOADED, kind(future)));
        assertEquals(4, executor.waiting());
        // The other thread is free for everybody else, however many red ones wait.
        for (int i = 0; i < 5; i++) {
            assertTrue(executor.run("blue", () -> false, () -> true).await());
        }
        assertTrue(executor.run(() -> true).await());
        gate.countDown();
        red.subList(0, 5).forEach(future -> assertTrue(future.await()));
        Eventually.that(() -> executor.waiting() == 0, () -> executor.waiting() + " wait");
        executor.close().await();
    }

    @Test
    void theGaugesCountWhatRunsAndWhatWaits() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "counted", 2, 3, TeamShare.ALL);
        List<Future<Boolean>> all = IntStream.range(0, 3)
                .mapToObj(i -> executor.run(this::waitAtGate))
                .toList();
        assertEquals(2, meters.get("switchboard.executor.running").gauge().value());
        assertEquals(1, meters.get("switchboard.executor.waiting").gauge().value());
        gate.countDown();
        Future.all(all).await();
        assertEquals(0, meters.get("switchboard.executor.running").gauge().value());
        assertEquals(0, meters.get("switchboard.executor.waiting").gauge().value());
    }

    @Test
    void whenTheRuntimeHasEndedWorkIsRefusedAndHoldsNoPlace() {
        Vertx ended = Vertx.vertx();
        BlockingExecutor executor = new BlockingExecutor(ended, meters, "ended", 1, 0, TeamShare.ALL);
        assertTrue(executor.run(() -> true).await());
        ended.close().await();
        for (int i = 0; i < 3; i++) {
            assertEquals(FailureKind.UNAVAILABLE, kind(executor.run(() -> true)));
        }
    }

    @Test
    void workOfACallCountsForItsTeamAndDoesNotBeginOnceTheCallIsCancelled() {
        BlockingExecutor executor = new BlockingExecutor(vertx, meters, "calls", 2, 2, TeamShares.among(0.5, 2));
        AtomicBoolean cancelled = new AtomicBoolean();
        Future<Boolean> first = executor.run(call("red", () -> false), this::waitAtGate);
        Future<Boolean> second = executor.run(call("red", cancelled::get), () -> true);
        assertEquals(FailureKind.OVERLOADED, kind(executor.run(call("red", () -> false), () -> true)));
        assertEquals(1, executor.waiting());
        assertTrue(executor.run(call("blue", () -> false), () -> true).await(), "the other half is the others'");
        assertTrue(
                executor.run(call(caller("red").inspectedBy("blue"), () -> false), () -> true)
                        .await(),
                "who asks about red uses the share of blue");
        cancelled.set(true);
        gate.countDown();
        assertTrue(first.await());
        assertEquals(FailureKind.CANCELLED, kind(second));
    }

    private static CallContext call(String team, BooleanSupplier cancelled) {
        return call(caller(team), cancelled);
    }

    private static Caller caller(String team) {
        return new Caller(team, "key", Rights.ALL, ResourceScope.ALL, Map.of());
    }

    private static CallContext call(Caller caller, BooleanSupplier cancelled) {
        return new DetachedCallContext() {
            @Override
            public String callId() {
                return "call";
            }

            @Override
            public Caller caller() {
                return caller;
            }

            @Override
            public Duration remaining() {
                return Duration.ofMinutes(1);
            }

            @Override
            public boolean cancelled() {
                return cancelled.getAsBoolean();
            }

            @Override
            public void onCancel(Runnable action) {}

            @Override
            public @Nullable String traceparent() {
                return null;
            }
        };
    }
}
