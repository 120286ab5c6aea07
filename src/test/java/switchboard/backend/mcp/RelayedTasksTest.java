package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.protocol.TaskExtension;
import switchboard.testing.Eventually;
import switchboard.testing.HeldEmbeddings;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TaskClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.FixtureServer;

/** Tasks of other servers: another gateway, and a fixture whose tools begin all kinds of them. */
class RelayedTasksTest {
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir
    Path data;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T closed(T one) {
        open.add(one);
        return one;
    }

    private TestGateway relay(FixtureServer fixture, String more) {
        return closed(TestGateway.start(relayYaml(fixture.url().toString(), more), data));
    }

    private static String relayYaml(String url, String more) {
        return """
            embedders: {default: {provider: none}}
            backends:
              jobs: {type: mcp, url: "%s"}
              vectordb: {type: vectordb, dataDir: vectordb}
            """.formatted(url) + more;
    }

    private static TaskClient tasks(TestGateway gateway) {
        McpTestClient client = gateway.modern().able("elicitation").withTasks();
        Eventually.that(() -> client.toolNames().contains("jobs__greet"), () -> "its tools are not listed");
        return new TaskClient(client);
    }

    private static ObjectNode seconds(int seconds) {
        return Json.object().put("seconds", seconds).put("label", "x");
    }

    @Test
    void aTaskPassesWithAnIdOfTheGateways() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TaskClient client = tasks(relay(fixture, ""));
        String id = client.begin("jobs__slow_compute", seconds(60));
        assertTrue(id.matches("[0-9a-f]{40}"), id);
        JsonNode working = client.get(id);
        assertEquals(id, working.path("taskId").asText());
        assertEquals("working", working.path("status").asText());
        assertEquals("computing", working.path("statusMessage").asText());
        assertEquals(100, working.path("pollIntervalMs").asInt());
        assertEquals(7_200_000, working.path("ttlMs").asLong(), "the gateway keeps nothing for ever");
        client.cancel(id);
        assertEquals("cancelled", client.status(id));
        assertEquals(List.of("cancelled"), fixture.tasks());

        JsonNode done = client.ended(client.begin("jobs__slow_compute", seconds(0)));
        assertEquals("completed", done.path("status").asText());
        assertEquals("computed x", done.at("/result/content/0/text").asText(), done::toString);
        JsonNode failed = client.ended(client.begin("jobs__protocol_error_job", Json.object()));
        assertEquals("failed", failed.path("status").asText());
        assertEquals("The job broke.", failed.at("/error/message").asText(), failed::toString);
        JsonNode reported = client.ended(client.begin("jobs__failing_job", Json.object()));
        assertTrue(reported.at("/result/isError").asBoolean(), reported::toString);
    }

    @Test
    void questionsOfATaskAreAnsweredOneByOne() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TaskClient client = tasks(relay(fixture, ""));
        String id = client.begin("jobs__multi_input", Json.object());
        JsonNode asks = client.get(id);
        assertEquals("input_required", asks.path("status").asText(), asks::toString);
        assertEquals(2, asks.path("inputRequests").size(), asks::toString);
        for (String key : List.of("first", "second")) {
            ObjectNode params = Json.object().put("taskId", id);
            params.putObject("inputResponses").putObject(key).put("action", "accept");
            client.client().result("tasks/update", params);
            assertFalse(client.get(id).path("inputRequests").has(key), key);
        }
        assertEquals("completed", client.status(id));
    }

    @Test
    void theServerLearnsOfTasksOnlyForClientsThatKnowThem() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TestGateway gateway = relay(fixture, "");
        TaskClient client = tasks(gateway);
        McpTestClient plain = gateway.modern();
        assertEquals("computed", plain.call("jobs__slow_compute", seconds(60)).text());
        assertEquals(
                -32021,
                plain.request("tools/call", Json.object().put("name", "jobs__failing_job"))
                        .json()
                        .at("/error/code")
                        .asInt());
        assertEquals(
                "computed",
                gateway.legacy().call("jobs__slow_compute", seconds(60)).text());
        assertFalse(
                fixture.received().stream().map(JsonNode::toString).anyMatch(message -> message.contains("extensions")),
                "nobody has declared it yet");
        client.begin("jobs__slow_compute", seconds(60));
        assertTrue(fixture.received().getLast().toString().contains(TaskExtension.ID));
        // A list is no call that could become a task.
        fixture.forgetReceived();
        client.client().result("resources/read", Json.object().put("uri", "test://static-text"));
        assertFalse(fixture.received().toString().contains(TaskExtension.ID), "only calls of tools become tasks");
    }

    @Test
    void withoutRoomTheServerIsNotToldOfTasks() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TaskClient client = tasks(relay(fixture, "tasks: {perCaller: 1}\n"));
        client.begin("jobs__slow_compute", seconds(60));
        assertEquals(
                "complete",
                client.call("jobs__slow_compute", seconds(60))
                        .path("resultType")
                        .asText());
    }

    @Test
    void relayedTasksSurviveARestartAndEndWithTheirServer() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TestGateway gateway = relay(fixture, "");
        TaskClient client = tasks(gateway);
        String id = client.begin("jobs__slow_compute", seconds(60));
        String other = client.begin("jobs__slow_compute", seconds(60));
        gateway.restart();
        TaskClient later = tasks(gateway);
        assertEquals("working", later.status(id));
        fixture.forgetTasks();
        for (int i = 0; i < 2; i++) {
            assertTrue(TaskClient.error(later.ask("tasks/get", id)).startsWith("-32602 There is no such task."));
        }
        fixture.close();
        String down = TaskClient.error(later.ask("tasks/get", other));
        assertTrue(down.startsWith("-32603 jobs"), down);
    }

    /** Another gateway does the work; a listener of the first one is told of it. */
    @Test
    void anotherGatewaysTasksPassFromBeginningToEnd() throws Exception {
        HeldEmbeddings embeddings = closed(new HeldEmbeddings());
        TestGateway library = closed(TestGateway.start(
                embeddings.yaml() + "backends: {own: {type: vectordb}}\n",
                Files.createDirectory(data.resolve("there"))));
        TestGateway gateway =
                closed(TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {library: {type: mcp, url: "%s"}}
                """.formatted(library.url()), Files.createDirectory(data.resolve("here"))));
        McpTestClient http = gateway.modern().withTasks();
        Eventually.that(() -> http.toolNames().contains("library__own__ingest_text"), () -> "its tools are not listed");
        TaskClient client = new TaskClient(http);
        ObjectNode text = Json.object().put("content", "A text that is held.");
        String cancelled = client.begin("library__own__ingest_text", text);
        String id = client.begin("library__own__ingest_text", text.deepCopy().put("source", "other"));
        assertNotEquals(cancelled, id);
        TaskClient there = new TaskClient(library.modern().withTasks());
        assertEquals(-32602, there.ask("tasks/get", id).json().at("/error/code").asInt(), "it has another id there");
        client.cancel(cancelled);
        assertEquals("cancelled", client.status(cancelled));
        try (RawHttp stream = listen(gateway, List.of(id))) {
            stream.readUntil("notifications/tasks");
            assertEquals("working", client.status(id));
            embeddings.release();
            stream.readUntil("\"completed\"");
        }
        JsonNode done = client.ended(id);
        assertFalse(done.at("/result/isError").asBoolean(), done::toString);
        assertTrue(done.at("/result/structuredContent").has("doc_id"), done::toString);
    }

    /** Also for many streams a server is asked for a task once a second. */
    @Test
    void streamsShareRequestsForATask() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TestGateway gateway = relay(fixture, "");
        String id = tasks(gateway).begin("jobs__slow_compute", seconds(3));
        fixture.forgetReceived();
        long began = System.nanoTime();
        List<RawHttp> streams = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            streams.add(closed(listen(gateway, List.of(id))));
        }
        for (RawHttp stream : streams) {
            stream.readUntil("\"completed\"");
            stream.readUntil("computed x");
        }
        long most = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 3;
        long asked = fixture.received().stream()
                .filter(message -> message.path("method").asText().equals("tasks/get"))
                .count();
        assertTrue(asked >= 2 && asked <= most, () -> asked + " requests, not " + most + " at most");
    }

    /** The client polls for the others. */
    @Test
    void aCallerListensToFewTasksOfOtherServers() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TestGateway gateway = relay(fixture, "");
        TaskClient client = tasks(gateway);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 22; i++) {
            ids.add(client.begin("jobs__slow_compute", seconds(60)));
        }
        RawHttp few = closed(listen(gateway, ids.subList(0, 10)));
        few.readUntil("\"taskId\":\"" + ids.get(9) + "\"");
        RawHttp more = closed(listen(gateway, ids.subList(0, 20)));
        more.readUntil("\"taskId\":\"" + ids.get(19) + "\""); // those that another stream listens to count once
        RawHttp first = closed(listen(gateway, ids));
        String acknowledged = first.readUntil("subscriptionId\":7");
        assertEquals(20, ids.stream().filter(acknowledged::contains).count(), acknowledged);
        assertFalse(acknowledged.contains(ids.getLast()), acknowledged);
        first.readUntil("\"taskId\":\"" + ids.get(19) + "\"");
        RawHttp second = closed(listen(gateway, List.of(ids.getLast(), ids.getFirst())));
        String other = second.readUntil("subscriptionId\":7");
        assertTrue(other.contains(ids.getFirst()), other);
        assertFalse(other.contains(ids.getLast()), other);
        List.of(few, more, first).forEach(RawHttp::close);
        Eventually.that(
                () -> {
                    try (RawHttp third = listen(gateway, List.of(ids.getLast()))) {
                        return third.readUntil("subscriptionId\":7").contains(ids.getLast());
                    }
                },
                () -> "the tasks of a closed stream still count");
    }

    @Test
    void resultsOfOtherServersAreBounded() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TaskClient client = tasks(relay(fixture, "tasks: {resultSize: 1KiB}\n"));
        JsonNode task =
                client.ended(client.begin("jobs__slow_compute", seconds(0).put("label", "花".repeat(1000))));
        assertEquals("completed", task.path("status").asText(), task::toString);
        assertTrue(task.at("/result/isError").asBoolean(), task::toString);
        assertTrue(task.toString().contains("a task's result may have 1024. Ask for less"), task::toString);
    }

    @Test
    void aClientIsNotAskedWhatItHasNotDeclared() {
        FixtureServer fixture = closed(new FixtureServer(FixtureServer.Era.MODERN));
        TestGateway gateway = relay(fixture, "");
        TaskClient able = tasks(gateway);
        String id = able.begin("jobs__confirm_delete", Json.object());
        assertEquals("input_required", able.status(id));
        HttpReply refused = new TaskClient(gateway.modern().withTasks()).ask("tasks/get", id);
        assertEquals(-32021, refused.json().at("/error/code").asInt(), refused::body);
        assertTrue(refused.json().at("/error/data/requiredCapabilities").has("elicitation"), refused::body);
    }

    private static RawHttp listen(TestGateway gateway, List<String> ids) {
        return TaskClient.listen(gateway, "", ids.toArray(String[]::new));
    }
}
