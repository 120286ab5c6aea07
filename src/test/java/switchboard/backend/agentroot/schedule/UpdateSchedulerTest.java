package switchboard.backend.agentroot.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.backend.agentroot.schedule.ScheduleState.LastUpdate;
import switchboard.backend.agentroot.schedule.ScheduleState.SetSchedule;
import switchboard.backend.agentroot.schedule.ScheduleState.UpdatedDocuments;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.ToolReply;
import switchboard.store.DocumentStore;
import switchboard.store.ListRequest;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.StoreSettings;
import switchboard.testing.HandClock;

/** What is due when, with a clock that the test moves. */
class UpdateSchedulerTest implements CollectionUpdates {
    private static final Namespace DOCS = Namespace.of("docs");
    private static final Namespace NEWS = Namespace.of("news");

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final HandClock clock = new HandClock(Instant.parse("2026-03-27T12:00:00Z"));
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final Map<Namespace, CollectionSchedule> configured = new HashMap<>();
    private final List<String> updated = new ArrayList<>();
    private double chance;
    private boolean there = true;
    private Function<Lifetime, Future<ToolReply>> answer = _ -> done(report(true, 0));
    private DocumentStore store;
    private UpdateScheduler scheduler;

    @BeforeEach
    void open() {
        store = LuceneDocumentStore.open(vertx, meters, clock, StoreSettings.of(folder.resolve("store"), "kb"))
                .await();
        configured.put(DOCS, every("every 100m"));
    }

    @AfterEach
    void close() {
        store.close().await();
        vertx.close().await();
    }

    private static CollectionSchedule every(String update) {
        return new CollectionSchedule(update, "UTC", null, false);
    }

    private static ObjectNode report(boolean complete, int remaining) {
        return Json.object()
                .put("added", 2)
                .put("changed", 1)
                .put("renamed", 3)
                .put("removed", 4)
                .put("skippedTotal", 5)
                .put("complete", complete)
                .put("remaining", remaining);
    }

    private static Future<ToolReply> done(ObjectNode report) {
        return Future.succeededFuture(ToolReply.ok(report));
    }

    @Override
    public Future<Boolean> exists(Namespace collection) {
        return Future.succeededFuture(there);
    }

    @Override
    public Future<ToolReply> update(Namespace collection, Lifetime lifetime) {
        updated.add(collection.name());
        Instant began = clock.instant();
        return answer.apply(lifetime)
                .compose(reply -> reply instanceof ToolReply.Ok ok
                        ? scheduler
                                .made(collection, true, began, assertNotNullReport(ok))
                                .map(reply)
                        : Future.succeededFuture(reply));
    }

    private static ObjectNode assertNotNullReport(ToolReply.Ok ok) {
        ObjectNode report = ok.structured();
        assertNotNull(report);
        return report;
    }

    private void start() {
        scheduler = new UpdateScheduler(
                new UpdateScheduler.SchedulerParts(
                        configured, () -> store, this, false, Duration.ofMinutes(5), clock, () -> chance),
                new ScheduleMeters(meters, "kb"));
        scheduler.start().await();
    }

    private boolean tick() {
        return scheduler.tick().await();
    }

    private void forward(String time) {
        clock.forward(Duration.parse(time));
    }

    private PlannedUpdates plan(Namespace collection) {
        PlannedUpdates plan = scheduler.plans().get(collection);
        assertNotNull(plan);
        return plan;
    }

    private LastUpdate last() {
        LastUpdate last = plan(DOCS).state().last();
        assertNotNull(last);
        return last;
    }

    @Test
    void anIntervalIsKept() {
        start();
        assertTrue(tick());
        assertFalse(tick());
        forward("PT99M59S");
        assertFalse(tick());
        forward("PT1S");
        assertTrue(tick());
        assertEquals(List.of("docs", "docs"), updated);
        assertEquals(new UpdatedDocuments(2, 4, 4, 5), last().counts());
        assertNull(last().error());
    }

    /** A tenth of the interval, and never more than a minute. */
    @Test
    void chanceAddsATenthAndAMinuteAtMost() {
        chance = 0.5;
        configured.put(NEWS, every("every 5m"));
        start();
        forward("PT1M");
        assertTrue(tick() && tick());
        Instant now = clock.instant();
        assertEquals(now.plus(Duration.parse("PT100M30S")), plan(DOCS).next(now));
        assertEquals(now.plus(Duration.parse("PT5M15S")), plan(NEWS).next(now));
        forward("PT5M14S");
        assertFalse(tick());
        forward("PT1S");
        assertTrue(tick());
        assertEquals("news", updated.getLast());
    }

    @Test
    void whatWasMissedIsMadeUpOnce() {
        configured.put(DOCS, every("0 3 * * *"));
        start();
        assertFalse(tick());
        forward("PT15H");
        assertTrue(tick());
        forward("PT72H");
        start();
        assertTrue(tick());
        assertFalse(tick());
        assertEquals(2, updated.size());
        assertEquals(Instant.parse("2026-04-01T03:00:00Z"), plan(DOCS).next(clock.instant()));
    }

    @Test
    void oneIsUnderWayAtATime() {
        configured.put(NEWS, every("every 1h"));
        start();
        Promise<ToolReply> reply = Promise.promise();
        answer = _ -> reply.future();
        Future<Boolean> first = scheduler.tick();
        assertFalse(tick());
        assertFalse(first.isComplete());
        reply.complete(ToolReply.ok(report(true, 0)));
        assertTrue(first.await());
        assertTrue(tick());
        assertEquals(List.of("docs", "news"), updated.stream().sorted().toList());
    }

    @Test
    void anUpdateBySomebodyCounts() {
        start();
        assertTrue(tick());
        forward("PT90M");
        scheduler.made(DOCS, false, clock.instant(), report(true, 0)).await();
        forward("PT99M");
        assertFalse(tick());
        assertFalse(last().scheduled());
        forward("PT1M");
        assertTrue(tick());
        assertTrue(last().scheduled());
    }

    /** One minute, two, four, and so on, as long as that is before the usual time. */
    @Test
    void aFailureIsTriedAgainSooner() {
        start();
        answer = _ -> Future.succeededFuture(ToolReply.failed(FailureKind.UNAVAILABLE, "The folder is away."));
        assertTrue(tick());
        assertEquals("The folder is away.", last().error());
        forward("PT59S");
        assertFalse(tick());
        forward("PT1S");
        assertTrue(tick());
        forward("PT1M59S");
        assertFalse(tick());
        forward("PT1S");
        assertTrue(tick());
        assertEquals(3, plan(DOCS).state().failures());
        assertEquals(
                3,
                meters.counter("switchboard.collection.update.failures", "backend", "kb", "collection", "docs")
                        .count());
        answer = _ -> done(report(true, 0));
        forward("PT4M");
        assertTrue(tick());
        assertEquals(0, plan(DOCS).state().failures());
        assertNull(last().error());
        forward("PT99M");
        assertFalse(tick());
    }

    @Test
    void whatFailsAtAShortIntervalIsTriedLater() {
        configured.put(DOCS, every("every 1s"));
        start();
        answer = _ -> Future.succeededFuture(ToolReply.failed(FailureKind.UNAVAILABLE, "The folder is away."));
        assertTrue(tick());
        forward("PT59S");
        assertFalse(tick());
        forward("PT1S");
        assertTrue(tick());
    }

    @Test
    void whatTimeHasCutOffGoesOnAtOnce() {
        start();
        answer = _ -> done(report(false, 7));
        assertTrue(tick());
        assertTrue(last().rest());
        assertNull(plan(DOCS).state().success());
        answer = _ -> done(report(true, 0));
        assertTrue(tick());
        assertFalse(tick());
        assertEquals(clock.instant().toEpochMilli(), plan(DOCS).state().success());
    }

    @Test
    void whatCouldNotBeListedIsAFailure() {
        start();
        answer = _ -> done(report(false, 0));
        assertTrue(tick());
        assertEquals("Not all of its documents could be listed.", last().error());
        answer = _ -> done(report(false, 3).put("stopped", "The disk is full."));
        forward("PT1M");
        assertTrue(tick());
        assertEquals("The disk is full.", last().error());
    }

    @Test
    void aCollectionThatIsNotThereIsLookedForEachMinute() {
        start();
        there = false;
        assertFalse(tick());
        there = true;
        forward("PT59S");
        assertFalse(tick());
        forward("PT1S");
        assertTrue(tick());
        assertEquals(List.of("docs"), updated);
    }

    @Test
    void aStopCancelsWhatIsUnderWayAndIsNoFailure() {
        start();
        Promise<ToolReply> reply = Promise.promise();
        Promise<Void> begun = Promise.promise();
        answer = lifetime -> {
            begun.complete();
            lifetime.onCancel(
                    () -> reply.complete(ToolReply.ok(report(false, 3).put("stopped", "The call was cancelled."))));
            return reply.future();
        };
        Future<Boolean> first = scheduler.tick();
        begun.future().await();
        scheduler.stop().await();
        assertTrue(first.await());
        assertNull(plan(DOCS).state().last());
        assertFalse(tick());
        answer = _ -> done(report(true, 0));
        start();
        assertTrue(tick());
        assertFalse(tick());
    }

    @Test
    void aClockThatIsSetBackPutsNothingOff() {
        chance = 0.5;
        start();
        forward("PT1M");
        assertTrue(tick());
        clock.set(Duration.ofDays(-30));
        assertTrue(tick());
        assertFalse(tick());
        forward("PT100M30S");
        there = false;
        assertFalse(tick());
        clock.set(Duration.ofDays(-30));
        there = true;
        assertTrue(tick());
    }

    @Test
    void aClockThatIsSetBackPutsNoChangeOff() {
        start();
        assertTrue(tick());
        forward("PT40S");
        scheduler.changed(DOCS);
        clock.set(Duration.ofDays(-30));
        assertTrue(tick());
        forward("PT1M");
        assertFalse(tick());
        scheduler.changed(DOCS);
        forward("PT2S");
        assertTrue(tick());
    }

    @Test
    void theAgeIsThatOfTheLastCompleteUpdate() {
        start();
        forward("PT10M");
        assertEquals(600, meters.get("switchboard.collection.age").gauge().value());
        assertTrue(tick());
        answer = _ -> Future.succeededFuture(ToolReply.failed(FailureKind.UNAVAILABLE, "no"));
        forward("PT300M");
        assertTrue(tick());
        assertFalse(plan(DOCS).old(clock.instant()));
        forward("PT1S");
        assertTrue(plan(DOCS).old(clock.instant()));
        assertEquals(18_001, meters.get("switchboard.collection.age").gauge().value());
        assertEquals(
                18_000, meters.get("switchboard.collection.age.limit").gauge().value());
    }

    @Test
    void aScheduleThatSomebodySetsIsKept() {
        configured.clear();
        start();
        assertFalse(tick());
        SetSchedule set =
                SetSchedule.of(Json.object().put("update", "every 10m").put("max_age", "1h"), "team/key", false);
        scheduler.set(DOCS, set).await();
        assertTrue(tick());
        start();
        assertEquals(set, plan(DOCS).state().own());
        assertEquals(Duration.ofHours(1), plan(DOCS).longestAge());
        scheduler.set(DOCS, null).await();
        assertEquals(Map.of(), scheduler.plans());
        assertNull(meters.find("switchboard.collection.age").gauge());
        forward("PT1H");
        assertFalse(tick());
    }

    /** After two seconds without a change, and at most every 30 seconds. */
    @Test
    void aChangeOfTheFolderIsFollowed() {
        start();
        assertTrue(tick());
        forward("PT40S");
        scheduler.changed(DOCS);
        forward("PT1S");
        scheduler.changed(DOCS);
        forward("PT1.999S");
        assertFalse(tick());
        forward("PT0.001S");
        assertTrue(tick());
        assertFalse(tick());
        forward("PT5S");
        scheduler.changed(DOCS);
        forward("PT24.999S");
        assertFalse(tick());
        forward("PT0.001S");
        assertTrue(tick());
        forward("PT99M");
        assertFalse(tick());
    }

    @Test
    void theConfigurationComesFirst() {
        start();
        scheduler
                .set(DOCS, SetSchedule.of(Json.object().put("update", "every 1m"), "team/key", false))
                .await();
        assertEquals(every("every 100m"), plan(DOCS).schedule());
        configured.clear();
        start();
        assertEquals(every("every 1m"), plan(DOCS).schedule());
    }

    @Test
    void allSchedulesAreKnown() {
        ScheduleStates states = new ScheduleStates(() -> store);
        Future.all(IntStream.rangeClosed(1, ListRequest.MAX_LIMIT + 1)
                        .mapToObj(number -> states.change(Namespace.of("c" + number), clock.instant(), state -> state))
                        .toList())
                .await();
        assertEquals(ListRequest.MAX_LIMIT + 1, states.all().await().size());
    }

    @Test
    void aRemovedCollectionBeginsAnew() {
        start();
        assertTrue(tick());
        scheduler.removed(DOCS).await();
        assertNull(plan(DOCS).state().last());
        assertTrue(tick());
        configured.clear();
        start();
        scheduler
                .set(NEWS, SetSchedule.of(Json.object().put("update", "every 1h"), "team/key", false))
                .await();
        scheduler.set(NEWS, null).await();
        scheduler.removed(NEWS).await();
        assertEquals(Map.of(), scheduler.plans());
        assertFalse(new ScheduleStates(() -> store).all().await().containsKey(NEWS));
    }
}
