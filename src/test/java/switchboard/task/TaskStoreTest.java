package switchboard.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.PrincipalId;
import switchboard.call.Json;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.testing.Eventually;

/** Questions of tasks, ends that meet, the one process that has the folder. */
class TaskStoreTest {
    private static final PrincipalId OWNER = new PrincipalId("team", "ada", null);
    private static final TaskWork WORK = new TaskWork(OWNER, "toy", "hold", List.of("ünïcode \n 🪨"), null);

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
        TaskStore store = new TaskStore(
                new TaskFolder(data.resolve("tasks")),
                new TaskLimits(10, 10, 10, Duration.ofHours(1), Duration.ofHours(1), 1024, new TeamShare(1)),
                new BlockingExecutor(vertx, new SimpleMeterRegistry(), "tasks", 1, 100, new TeamShare(1)),
                Clock.systemUTC());
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
    private static final class Work implements TaskControl {
        private final List<String> seen = new ArrayList<>();

        @Override
        public void cancel() {
            seen.add("cancelled");
        }

        @Override
        public void answered(ObjectNode responses) {
            seen.add("answered " + responses);
        }
    }

    @Test
    void questionsAreAnsweredInParts() throws Exception {
        TaskStore store = store();
        String id = begin(store);
        Work work = new Work();
        store.runs(id, work);
        List<TaskStatus> told = new ArrayList<>();
        Runnable end = store.listen(id, task -> told.add(task.state().status()));
        store.answer(id, Json.object().put("a", 1));
        assertEquals(TaskStatus.WORKING, status(store, id), "it has asked nothing");
        ObjectNode asks = Json.object();
        asks.putObject("a").put("method", "elicitation/create");
        asks.putObject("b").put("method", "elicitation/create");
        store.ask(id, asks);
        store.progress(id, "nobody is told of progress now");
        assertEquals(
                2,
                store.find(OWNER, id)
                        .orElseThrow()
                        .detailed()
                        .path("inputRequests")
                        .size());
        store.answer(id, Json.object().put("a", 1).put("c", 3));
        assertEquals(TaskStatus.INPUT_REQUIRED, status(store, id));
        assertFalse(store.find(OWNER, id)
                .orElseThrow()
                .detailed()
                .path("inputRequests")
                .has("a"));
        store.answer(id, Json.object().put("a", 2));
        assertEquals(List.of(), work.seen);
        store.answer(id, Json.object().put("b", 2));
        assertEquals(List.of("answered {\"a\":1,\"b\":2}"), work.seen);
        assertEquals(TaskStatus.WORKING, status(store, id));
        end.run();
        await(store.cancel(id));
        assertEquals(TaskStatus.INPUT_REQUIRED, told.getFirst());
        assertFalse(told.contains(TaskStatus.CANCELLED), "who does not listen any more is not told");
        await(store.stop());
        store.close();
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
        assertEquals(List.of(), work.seen);
        Task read = await(store.detailed(store.find(OWNER, done).orElseThrow()));
        assertEquals("a \n line", read.detailed().at("/result/text").asText());
        assertEquals(Optional.empty(), store.find(new PrincipalId("team", "ada", "another key"), done));
        assertEquals(Optional.empty(), store.find(new PrincipalId("other", "ada", null), done));
        await(store.stop());
        store.close();
    }

    @Test
    void anotherProcessHasTheFolderUntilItEnds() throws Exception {
        TaskStore first = store();
        String relayed = await(
                        first.begin(new TaskWork(OWNER, "jobs", "slow", List.of(), "upstream-1"), Duration.ofHours(1)))
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
        assertEquals(List.of("cancelled"), work.seen);
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
                "upstream-1", second.find(OWNER, relayed).orElseThrow().work().upstreamId());
        assertEquals(TaskStatus.WORKING, status(second, relayed), "its server knows better");
        await(second.stop());
        second.close();
    }
}
