package switchboard.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.Principal;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.task.TaskCall;
import switchboard.task.TaskFolder;
import switchboard.task.TaskLimits;
import switchboard.task.TaskStatus;
import switchboard.task.TaskStore;
import switchboard.testing.Eventually;
import switchboard.testing.RecordingSink;

/** Tasks whose seconds pass when the test says so: what waits for room, and what streams are told. */
class TaskRoundsTest {
    private static final String MESSAGE = "There is no room for its call now. It is tried again.";

    private final Vertx vertx = Vertx.vertx();
    private final Looks looks = new Looks();
    private TaskStore tasks;
    private CoreFixture gateway;

    /** Counts how often the state of a task with a result was looked at. */
    private static final class Looks implements Redactor {
        private final AtomicInteger ended = new AtomicInteger();

        @Override
        public Future<ObjectNode> arguments(Principal principal, ObjectNode arguments) {
            return Future.succeededFuture(arguments);
        }

        @Override
        public Future<ObjectNode> result(Principal principal, ObjectNode result) {
            if (result.path("status").asText().equals("completed")) {
                ended.incrementAndGet();
            }
            return Future.succeededFuture(result);
        }
    }

    @BeforeEach
    void begin(@TempDir Path data) {
        tasks = new TaskStore(
                new TaskFolder(data),
                new TaskLimits(100, 100, 4, Duration.ofHours(1), Duration.ofHours(1), 1 << 20, new TeamShare(1)),
                new BlockingExecutor(vertx, new SimpleMeterRegistry(), "tasks", 1, 100, new TeamShare(1)),
                Clock.systemUTC());
        tasks.open();
        gateway = new CoreFixture(settings(2), looks, tasks);
    }

    @AfterEach
    void end() throws Exception {
        await(tasks.stop());
        tasks.close();
        await(vertx.close());
    }

    private static ProtocolSettings settings(int streams) {
        ProtocolSettings defaults = ProtocolSettings.defaults("1");
        return new ProtocolSettings(
                defaults.server(),
                defaults.batches(),
                defaults.pageSize(),
                defaults.listTtl(),
                streams,
                defaults.requestTimeout(),
                defaults.stateKeys());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(30, TimeUnit.SECONDS);
    }

    private RecordingSink post(String method, ObjectNode params) {
        TaskExtension.declare(params.withObjectProperty("_meta").withObjectProperty(MetaKeys.CLIENT_CAPABILITIES));
        return gateway.post(CoreFixture.modern(CoreFixture.ANYBODY, 1, method, Json.text(params)));
    }

    /** The id of the task that a call of the long tool becomes. */
    private String call() {
        JsonNode created = post("tools/call", Json.object().put("name", "jobs__long"))
                .await()
                .json()
                .path("result");
        assertEquals("task", created.path("resultType").asText(), created::toString);
        return created.path("taskId").asText();
    }

    /** Tasks of another server. */
    private List<String> relayed(int count) throws Exception {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TaskCall call = new TaskCall(CoreFixture.ANYBODY.identity(), "jobs", "long", List.of(), "upstream-" + i);
            ids.add(await(tasks.begin(call, Duration.ofHours(1))).orElseThrow().id());
        }
        return ids;
    }

    private RecordingSink listen(List<String> ids, String... resources) {
        ObjectNode params = Json.object();
        ObjectNode wanted = params.putObject("notifications");
        ids.forEach(wanted.putArray("taskIds")::add);
        List.of(resources).forEach(wanted.withArrayProperty("resourceSubscriptions")::add);
        return post("subscriptions/listen", params);
    }

    private static int acknowledged(RecordingSink stream) {
        JsonNode first = stream.events().getFirst();
        assertEquals(
                "notifications/subscriptions/acknowledged", first.path("method").asText(), first::toString);
        return first.at("/params/notifications/taskIds").size();
    }

    /** Servers that have not answered yet whether they were asked for resources. */
    private Promise<Void> slowServers() {
        Promise<Void> asked = Promise.promise();
        gateway.changes.passOn(new ResourceWatching() {
            @Override
            public void look() {}

            @Override
            public Future<Void> lookAndAsk(String view, Set<String> uris) {
                return uris.isEmpty() ? Future.succeededFuture() : asked.future();
            }

            @Override
            public void updated(String backendId, Set<String> uris) {}

            @Override
            public void keep(Object client, Watcher watcher) {}

            @Override
            public void forget(Object client) {}
        });
        return asked;
    }

    /** What is acknowledged is told: a stream has its places before its acknowledgement, and other streams don't get them. */
    @Test
    void noMoreTasksAreAcknowledgedThanAreTold() throws Exception {
        List<String> ids = relayed(21);
        Promise<Void> asked = slowServers();
        RecordingSink first = listen(ids.subList(0, 20), "alpha:page");
        assertEquals(List.of(), first.events());
        RecordingSink second = listen(List.of(ids.getLast()));
        assertEquals(0, acknowledged(second));
        asked.complete();
        assertEquals(20, acknowledged(first));
        assertEquals(
                20,
                gateway.sent.stream()
                        .filter(sent -> sent.request instanceof BackendRequest.RelayTask)
                        .count());
        second.leave();
        first.leave();
    }

    /** A stream that ends before its acknowledgement, or is refused, has no places any more. */
    @Test
    void placesAreFreeWithoutAnAcknowledgement() throws Exception {
        List<String> ids = relayed(41);
        slowServers();
        RecordingSink gone = listen(ids.subList(0, 20), "alpha:page");
        RecordingSink late = listen(List.of(ids.getLast()));
        assertEquals(0, acknowledged(late));
        late.leave();
        gone.leave();
        RecordingSink next = listen(List.of(ids.getLast()));
        assertEquals(1, acknowledged(next), "the places of the stream that is gone are free");
        next.leave();
        List<RecordingSink> all = List.of(listen(List.of()), listen(List.of()));
        RecordingSink refused = listen(ids.subList(20, 40)).await();
        assertEquals(-32603, refused.json().at("/error/code").asInt());
        all.forEach(RecordingSink::leave);
        assertEquals(20, acknowledged(listen(ids.subList(0, 20))));
    }

    /** A large result waits for a slow reader; it is not read again before the reader has taken what was sent. */
    @Test
    void aResultIsNotReadAgainForASlowReader() throws Exception {
        gateway.answer(BackendRequest.CallTool.class, _ -> ToolReply.text("花".repeat(40_000)));
        String id = call();
        Eventually.that(() -> status(id) == TaskStatus.COMPLETED, () -> "it goes on");
        RecordingSink slow = new RecordingSink();
        slow.behind(true);
        ObjectNode params = Json.object();
        params.putObject("notifications").putArray("taskIds").add(id);
        TaskExtension.declare(params.withObjectProperty("_meta").withObjectProperty(MetaKeys.CLIENT_CAPABILITIES));
        gateway.endpoint.post(
                CoreFixture.modern(CoreFixture.ANYBODY, 1, "subscriptions/listen", Json.text(params)), slow);
        Eventually.that(() -> looks.ended.get() == 1, () -> "nobody has looked at it");
        for (int i = 0; i < 10; i++) {
            tasks.tick();
            await(tasks.detailed(
                    tasks.find(CoreFixture.ANYBODY.identity(), id).orElseThrow())); // after what tick reads
        }
        assertEquals(1, slow.events().size(), "only the acknowledgement");
        slow.behind(false);
        Eventually.that(
                () -> {
                    tasks.tick();
                    return slow.events().size() == 2;
                },
                () -> "it is never told");
        assertEquals("completed", slow.events().getLast().at("/params/status").asText());
        assertEquals(2, looks.ended.get(), "once before the reader was slow, once after");
        slow.leave();
    }

    private TaskStatus status(String id) {
        return tasks.find(CoreFixture.ANYBODY.identity(), id)
                .orElseThrow()
                .state()
                .status();
    }

    /** A task that is cancelled while it waits for room is not called once more. */
    @Test
    void aCancelledTaskIsNotTriedAgain() throws Exception {
        gateway.answer(BackendRequest.CallTool.class, _ -> ToolReply.failed(FailureKind.OVERLOADED, "Too many calls."));
        String id = call();
        Eventually.that(
                () -> MESSAGE.equals(tasks.find(CoreFixture.ANYBODY.identity(), id)
                        .orElseThrow()
                        .state()
                        .message()),
                () -> "it does not wait");
        await(tasks.cancel(id));
        Eventually.that(() -> gateway.operations.size() == 2, () -> "its work is not over");
        assertEquals("task", gateway.operations.getLast().subject().method());
        assertEquals("CANCELLED", gateway.operations.getLast().outcome().error());
        assertEquals(1, gateway.sent.size());
        assertEquals(TaskStatus.CANCELLED, status(id));
    }
}
