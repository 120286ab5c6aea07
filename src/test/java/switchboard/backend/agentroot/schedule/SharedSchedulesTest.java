package switchboard.backend.agentroot.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.backend.agentroot.schedule.ScheduleState.SetSchedule;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.ToolReply;
import switchboard.replica.ReplicaNode;
import switchboard.store.Namespace;
import switchboard.testing.HandClock;
import switchboard.testing.PostgresCluster;

/** Two gateways that share collections: what is due is done by one of them, and once. */
@Tag("engines")
class SharedSchedulesTest {
    private static final Namespace DOCS = Namespace.of("docs");
    private static final Namespace NEWS = Namespace.of("news");

    @RegisterExtension
    static final PostgresCluster POSTGRES = new PostgresCluster();

    @TempDir
    private Path folder;

    private final HandClock clock = new HandClock(Instant.parse("2026-03-27T12:00:00Z"));

    /** A gateway, and what it has updated. */
    private final class Gateway implements CollectionUpdates {
        private final List<String> updated = new CopyOnWriteArrayList<>();
        private final UpdateScheduler scheduler;

        private Gateway(ReplicaNode node) {
            scheduler = new UpdateScheduler(
                    new UpdateScheduler.SchedulerParts(
                            Map.of(DOCS, new CollectionSchedule("every 1h", "UTC", null, false)),
                            node::store,
                            this,
                            true,
                            Duration.ofMinutes(5),
                            clock,
                            () -> 0),
                    new ScheduleMeters(new SimpleMeterRegistry(), "kb"));
            scheduler.start().await();
        }

        @Override
        public Future<Boolean> exists(Namespace collection) {
            return Future.succeededFuture(true);
        }

        @Override
        public Future<ToolReply> update(Namespace collection, Lifetime lifetime) {
            updated.add(collection.name());
            return scheduler
                    .made(collection, true, clock.instant(), Json.object().put("complete", true))
                    .map(_ -> ToolReply.text("done"));
        }
    }

    @Test
    void oneOfThemMakesEachUpdate() {
        try (ReplicaNode first = new ReplicaNode(POSTGRES, "turns", folder.resolve("1")).joined();
                ReplicaNode second = new ReplicaNode(POSTGRES, "turns", folder.resolve("2")).joined()) {
            Gateway one = new Gateway(first);
            Gateway other = new Gateway(second);
            for (int hour = 1; hour <= 3; hour++) {
                Future<Boolean> mine = one.scheduler.tick();
                Future<Boolean> theirs = other.scheduler.tick();
                assertTrue(ReplicaNode.await(mine) ^ ReplicaNode.await(theirs));
                assertEquals(hour, one.updated.size() + other.updated.size());
                assertFalse(ReplicaNode.await(one.scheduler.tick()));
                assertFalse(ReplicaNode.await(other.scheduler.tick()));
                clock.forward(Duration.ofHours(1));
            }
        }
    }

    @Test
    void whatIsSetOnOneIsKnownToTheOther() {
        try (ReplicaNode first = new ReplicaNode(POSTGRES, "sets", folder.resolve("1")).joined();
                ReplicaNode second = new ReplicaNode(POSTGRES, "sets", folder.resolve("2")).joined()) {
            Gateway one = new Gateway(first);
            Gateway other = new Gateway(second);
            assertTrue(ReplicaNode.await(one.scheduler.tick()));
            ReplicaNode.await(
                    one.scheduler.set(NEWS, SetSchedule.of(Json.object().put("update", "every 10m"), "a/b", false)));
            clock.forward(Duration.ofSeconds(11));
            assertTrue(ReplicaNode.await(other.scheduler.tick()));
            assertEquals(List.of("news"), other.updated);
            PlannedUpdates plan = other.scheduler.plans().get(NEWS);
            assertNotNull(plan);
            assertEquals("every 10m", plan.schedule().update());
            assertFalse(ReplicaNode.await(one.scheduler.tick()));
        }
    }
}
