package switchboard.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.PrincipalId;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.testing.Eventually;
import switchboard.testing.FolderCopy;
import switchboard.testing.HandClock;

/** Turns, ends that meet or can't be written, the one process that has the folder. */
class TaskStoreTest {
    private static final PrincipalId OWNER = new PrincipalId("team", "ada", null);
    private static final TaskCall WORK = new TaskCall(OWNER, "toy", "hold", List.of("ünïcode \n 🪨"), null);

    private final Vertx vertx = Vertx.vertx();

    @TempDir
    Path data;

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(30, TimeUnit.SECONDS);
    }

    private TaskStore store() {
        return store(Clock.systemUTC(), 10);
    }

    private TaskStore store(Clock clock, int running) {
        TaskStore store = new TaskStore(
                new TaskFolder(data.resolve("tasks")),
                new TaskLimits(10, 10, running, Duration.ofHours(1), Duration.ofHours(1), 1024, new TeamShare(1)),
                new BlockingExecutor(vertx, new SimpleMeterRegistry(), "tasks", 1, 100, new TeamShare(1)),
                clock);
        store.open();
        return store;
    }

    private static String begin(TaskStore store) throws Exception {
        return await(store.begin(WORK, Duration.ofHours(2))).orElseThrow().id();
    }

    private static TaskStatus status(TaskStore store, String id) {
        return store.find(OWNER, id).orElseThrow().state().status();
    }

    /** What was done with the work of a task. */
    private static final class Work implements TaskWork {
        private final List<String> seen = new ArrayList<>();
        private Runnable over = () -> {};

        @Override
        public void begin(Runnable ends) {
            seen.add("begun");
            over = ends;
        }

        @Override
        public void cancel() {
            seen.add("cancelled");
        }
    }

    @Test
    void theFirstEndCounts() throws Exception {
        TaskStore store = store();
        String id = begin(store);
        await(store.cancel(id));
        await(store.end(id, TaskState.completed(Json.object().put("late", true))));
        assertEquals(TaskStatus.CANCELLED, status(store, id));
        Work late = new Work();
        store.runs(id, late);
        assertEquals(List.of("cancelled"), late.seen, "it was cancelled before its work began");
        String done = begin(store);
        Work work = new Work();
        store.runs(done, work);
        await(store.end(done, TaskState.completed(Json.object().put("text", "a \n line"))));
        await(store.cancel(done));
        assertEquals(List.of("begun"), work.seen);
        Task read = await(store.detailed(store.find(OWNER, done).orElseThrow()));
        assertEquals("a \n line", read.detailed().at("/result/text").asText());
        assertEquals(Optional.empty(), store.find(new PrincipalId("team", "ada", "another key"), done));
        assertEquals(Optional.empty(), store.find(new PrincipalId("other", "ada", null), done));
        await(store.stop());
        store.close();
    }

    /** One of a backend runs; the others wait, also if one of them is cancelled; each turn ends once. */
    @Test
    void tasksOfABackendTakeTurns() throws Exception {
        TaskStore store = store(Clock.systemUTC(), 1);
        List<String> ids = new ArrayList<>();
        List<Work> works = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ids.add(begin(store));
            works.add(new Work());
            store.runs(ids.get(i), works.get(i));
        }
        assertEquals(1, store.running());
        assertEquals(List.of("begun"), works.getFirst().seen);
        String message = store.find(OWNER, ids.get(1)).orElseThrow().state().message();
        assertTrue(String.valueOf(message).startsWith("It waits for its turn"), message);
        Work other = new Work();
        TaskCall elsewhere = new TaskCall(OWNER, "other", "hold", List.of(), null);
        store.runs(
                await(store.begin(elsewhere, Duration.ofHours(2))).orElseThrow().id(), other);
        assertEquals(List.of("begun"), other.seen, "another backend has turns of its own");
        await(store.cancel(ids.get(1)));
        assertEquals(List.of("cancelled"), works.get(1).seen);
        await(store.cancel(ids.get(0)));
        assertEquals(List.of(), works.get(2).seen, "cancelled work goes on until it says that it is over");
        works.getFirst().over.run();
        works.getFirst().over.run();
        assertEquals(List.of("begun"), works.get(2).seen);
        assertEquals(List.of(), works.get(3).seen);
        assertEquals(
                TaskState.WORKING, store.find(OWNER, ids.get(2)).orElseThrow().state());
        works.get(2).over.run();
        assertEquals(List.of("begun"), works.get(3).seen);
        await(store.stop());
        store.close();
    }

    /** Only so many may wait: their arguments are in memory. */
    @Test
    void fewWait() throws Exception {
        TaskStore store = store(Clock.systemUTC(), 1);
        for (int i = 0; i < 9; i++) {
            begin(store);
        }
        assertEquals(Optional.empty(), await(store.begin(WORK, Duration.ofHours(2))));
        await(store.stop());
        store.close();
    }

    @Test
    void whatWaitsTooLongHasFailedAndWhatExpiresIsCancelled() throws Exception {
        HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
        TaskStore store = store(clock, 1);
        String first = begin(store);
        Work running = new Work();
        store.runs(first, running);
        String second = begin(store);
        Work waiting = new Work();
        store.runs(second, waiting);
        clock.forward(Duration.ofHours(1));
        store.tick();
        Eventually.that(() -> status(store, second) == TaskStatus.FAILED, () -> "it waits for ever");
        assertEquals(List.of("cancelled"), waiting.seen);
        assertEquals(TaskStatus.WORKING, status(store, first));
        clock.forward(Duration.ofHours(1));
        for (int i = 0; i < 30; i++) {
            store.tick();
        }
        assertEquals(List.of("begun", "cancelled"), running.seen);
        assertEquals(Optional.empty(), store.find(OWNER, first));
        await(store.stop());
        store.close();
    }

    /** Nobody is told of an end before it is on the disk; it is written when that is possible again. */
    @Test
    void anEndThatCannotBeWrittenIsTriedAgain() throws Exception {
        TaskStore store = store();
        String id = begin(store);
        List<TaskStatus> told = new CopyOnWriteArrayList<>();
        store.listen(id, () -> told.add(status(store, id)));
        Path draft = data.resolve("tasks/" + id + ".jsonl.new");
        Files.createDirectories(draft.resolve("in the way"));
        Future<Void> end = store.end(id, TaskState.completed(Json.object().put("text", "late")));
        Eventually.that(
                () -> String.valueOf(store.find(OWNER, id).orElseThrow().state().message())
                        .startsWith("It has ended"),
                () -> "nothing says that it can't be written");
        assertEquals(TaskStatus.WORKING, status(store, id));
        assertEquals(List.of(), told);
        assertFalse(end.isComplete());
        Files.delete(draft.resolve("in the way"));
        store.tick();
        await(end);
        assertEquals(TaskStatus.COMPLETED, status(store, id));
        assertEquals(List.of(TaskStatus.COMPLETED), told);
        assertFalse(Files.exists(draft));
        await(store.stop());
        store.close();
        TaskStore next = store();
        assertEquals(TaskStatus.COMPLETED, status(next, id));
        await(next.stop());
        next.close();
    }

    /** A file that can't be written at the takeover concerns its own task only. */
    @Test
    void oneFileDoesNotKeepTheOthersAway() throws Exception {
        TaskStore first = store();
        String good = begin(first);
        String bad = begin(first);
        Path folder = data.resolve("tasks");
        Path left = data.resolve("left/tasks");
        FolderCopy.of(folder, left, name -> name.endsWith("lock"));
        await(first.stop());
        first.close();
        Files.delete(folder.resolve(bad + ".jsonl"));
        Files.copy(left.resolve(bad + ".jsonl"), folder.resolve(bad + ".jsonl"));
        Files.createDirectories(folder.resolve(bad + ".jsonl.new/in the way"));
        TaskStore next = store();
        assertTrue(next.offered());
        assertEquals(TaskStatus.FAILED, status(next, good));
        assertEquals(TaskStatus.WORKING, status(next, bad));
        Files.delete(folder.resolve(bad + ".jsonl.new/in the way"));
        next.tick();
        Eventually.that(() -> status(next, bad) == TaskStatus.FAILED, () -> "its end is not written");
        await(next.stop());
        assertTrue(next.readable(), "it is read until the end");
        next.close();
    }

    @Test
    void whoIsGoneHasNoWorkUnderWay() throws Exception {
        TaskStore store = store();
        String hers = begin(store);
        PrincipalId bob = new PrincipalId("team", "bob", null);
        String his = await(store.begin(new TaskCall(bob, "toy", "hold", List.of(), null), Duration.ofHours(2)))
                .orElseThrow()
                .id();
        Work work = new Work();
        store.runs(hers, work);
        store.cancelAll(OWNER::equals);
        assertEquals(List.of("begun", "cancelled"), work.seen);
        Eventually.that(() -> status(store, hers) == TaskStatus.CANCELLED, () -> "it goes on");
        assertEquals(
                TaskStatus.WORKING, store.find(bob, his).orElseThrow().state().status());
        await(store.stop());
        store.close();
    }

    @Test
    void anotherProcessHasTheFolderUntilItEnds() throws Exception {
        TaskStore first = store();
        String relayed = await(
                        first.begin(new TaskCall(OWNER, "jobs", "slow", List.of(), "upstream-1"), Duration.ofHours(1)))
                .orElseThrow()
                .id();
        String running = begin(first);
        TaskStore second = store();
        assertTrue(first.offered());
        assertFalse(second.offered());
        assertEquals(Optional.empty(), await(second.begin(WORK, Duration.ofHours(1))));
        Work work = new Work();
        first.runs(running, work);
        await(first.stop());
        assertEquals(List.of("begun", "cancelled"), work.seen);
        assertFalse(first.offered());
        first.close();
        Eventually.that(
                () -> {
                    second.tick();
                    return second.offered();
                },
                () -> "nobody takes the folder over");
        assertEquals(TaskStatus.FAILED, status(second, running));
        assertEquals(
                "upstream-1", second.find(OWNER, relayed).orElseThrow().call().upstreamId());
        assertEquals(TaskStatus.WORKING, status(second, relayed), "its server knows better");
        await(second.stop());
        second.close();
    }
}
