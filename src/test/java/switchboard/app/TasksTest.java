package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.protocol.TaskExtension;
import switchboard.testing.Eventually;
import switchboard.testing.FolderCopy;
import switchboard.testing.HandClock;
import switchboard.testing.HeldEmbeddings;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.ReplacedFile;
import switchboard.testing.TaskClient;
import switchboard.testing.TestGateway;

/** Long work of the gateway as tasks of the extension {@code io.modelcontextprotocol/tasks}. */
class TasksTest {
    private static final String NONE =
            "-32602 There is no such task. It has expired, or \"taskId\" is not the id that the"
                    + " call was answered with.";

    private final HeldEmbeddings embeddings = new HeldEmbeddings();
    private final List<TestGateway> gateways = new ArrayList<>();

    @TempDir
    Path data;

    @TempDir
    Path documents;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(documents.resolve("held.md"), "# Granite\n\nA page that is held. Ünïcode: 花崗岩 🪨\n");
        Files.createDirectory(documents.resolve("quick"));
        Files.writeString(documents.resolve("quick/page.md"), "# Basalt\n\nA page that is not.\n");
    }

    @AfterEach
    void stop() {
        embeddings.close();
        gateways.forEach(TestGateway::close);
    }

    private String yaml(String more) {
        return embeddings.yaml() + """
            backends:
              vectordb: {type: vectordb, dataDir: vectordb, ingestRoots: ["%s"]}
              agentroot: {type: agentroot, dataDir: agentroot, roots: ["%s"]}
            """.formatted(documents, documents) + more;
    }

    private TestGateway start(String more) {
        return kept(TestGateway.start(yaml(more), data));
    }

    private TestGateway kept(TestGateway gateway) {
        gateways.add(gateway);
        return gateway;
    }

    private static TaskClient tasks(McpTestClient client) {
        return new TaskClient(client.withTasks());
    }

    private static ObjectNode text(String content) {
        return Json.object().put("content", content).put("source", "notes");
    }

    /** The arguments of a call whose work is held. */
    private ObjectNode held(String tool) {
        return switch (tool) {
            case "vectordb__ingest_file" ->
                Json.object().put("path", documents.resolve("held.md").toString());
            case "agentroot__collection_update" -> Json.object().put("name", "pages");
            default -> text("A text that is held.");
        };
    }

    private void working() {
        Eventually.that(() -> embeddings.asked() > 0, () -> "nothing is embedded");
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("tasks"))) {
            return all.filter(file -> file.toString().endsWith(".jsonl")).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"vectordb__ingest_text", "vectordb__ingest_file", "agentroot__collection_update"})
    void aLongCallIsATaskWhoseResultIsReadLater(String tool) throws IOException {
        TestGateway gateway = start("");
        McpTestClient plain = gateway.modern();
        plain.call(
                "agentroot__collection_add", Json.object().put("name", "pages").put("path", documents.toString()));
        TaskClient client = tasks(gateway.modern());
        JsonNode created = client.call(tool, held(tool));
        assertEquals("task", created.path("resultType").asText(), created::toString);
        String id = created.path("taskId").asText();
        assertTrue(id.matches("[0-9a-f]{40}"), id);
        assertEquals("working", created.path("status").asText());
        assertEquals(7_200_000, created.path("ttlMs").asLong());
        assertEquals(1000, created.path("pollIntervalMs").asInt());
        Instant.parse(created.path("createdAt").asText());
        assertFalse(created.has("result"), created::toString);
        assertEquals(1, files(data).size(), "it is on the disk before it is answered");
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(files(data).getFirst())));
        working();
        JsonNode now = Eventually.first(() -> client.get(id), task -> task.has("statusMessage"));
        assertEquals("working", now.path("status").asText(), now::toString);
        assertEquals("complete", now.path("resultType").asText());
        assertTrue(gateway.management("/metrics").body().contains("switchboard_tasks_running 1"));

        embeddings.release();
        JsonNode ended = client.ended(id);
        assertEquals("completed", ended.path("status").asText(), ended::toString);
        JsonNode result = ended.path("result");
        assertFalse(result.path("isError").asBoolean(), ended::toString);
        assertEquals("text", result.at("/content/0/type").asText(), ended::toString);
        assertFalse(result.path("structuredContent").isEmpty(), ended::toString);
        assertEquals(ended, client.get(id), "it can be read again");
        String metrics = gateway.management("/metrics").body();
        assertTrue(metrics.contains("switchboard_tasks_running 0"));
        assertTrue(
                metrics.lines()
                        .anyMatch(line -> line.startsWith("mcp_server_operation_duration_seconds_count")
                                && line.contains("mcp_method_name=\"task\"")),
                metrics);
    }

    @Test
    void whoDoesNotDeclareTheExtensionGetsWhatItGotBefore() {
        TestGateway gateway = start("");
        McpTestClient plain = gateway.modern();
        assertTrue(plain.result("server/discover", Json.object())
                .at("/capabilities/extensions")
                .path(TaskExtension.ID)
                .isObject());
        assertFalse(plain.call("vectordb__ingest_text", text("Quick.")).isError());
        for (String method : List.of("tasks/get", "tasks/update", "tasks/cancel")) {
            HttpReply refused = new TaskClient(plain).ask(method, "x");
            assertEquals(400, refused.status(), method);
            assertEquals(-32021, refused.json().at("/error/code").asInt(), method);
            assertTrue(
                    refused.json()
                            .at("/error/data/requiredCapabilities/extensions")
                            .path(TaskExtension.ID)
                            .isObject(),
                    refused::body);
        }
        ObjectNode listen = Json.object();
        listen.putObject("notifications").putArray("taskIds").add("x");
        assertEquals(
                -32021,
                plain.request("subscriptions/listen", listen)
                        .json()
                        .at("/error/code")
                        .asInt());
        McpTestClient knows = gateway.modern().withTasks();
        for (String method : List.of("tasks/list", "tasks/result")) {
            HttpReply unknown = knows.request(method, Json.object());
            assertEquals(404, unknown.status(), method);
            assertEquals(-32601, unknown.json().at("/error/code").asInt(), method);
        }
        assertEquals(
                "complete",
                new TaskClient(knows)
                        .call("vectordb__list_libraries", Json.object())
                        .path("resultType")
                        .asText());
        McpTestClient older = gateway.legacy();
        assertFalse(older.call("vectordb__ingest_text", text("Quick again.")).isError());
        assertEquals(
                -32601,
                older.request("tasks/get", Json.object().put("taskId", "x"))
                        .json()
                        .at("/error/code")
                        .asInt());
        assertFalse(older.tools().toString().contains("taskSupport"));
    }

    @Test
    void badRequestsNameWhatIsWrong() {
        TaskClient client = tasks(start("").modern());
        String id = client.begin("vectordb__ingest_text", text("Quick."));
        client.ended(id);
        assertEquals(
                "-32602 \"inputResponses\" must be an object.",
                TaskClient.error(
                        client.client().request("tasks/update", Json.object().put("taskId", id))));
        assertEquals(
                "-32602 \"taskId\" must be a string.",
                TaskClient.error(client.client().request("tasks/get", Json.object())));
        for (String none : List.of("", "tasks-conformance", "0".repeat(40), id.toUpperCase(Locale.ROOT), "../" + id)) {
            assertEquals(NONE, TaskClient.error(client.ask("tasks/get", none)), none);
        }
        // Invalid arguments are refused at once, and so is what may not be done.
        assertTrue(client.call("vectordb__ingest_text", Json.object())
                .path("isError")
                .asBoolean());
        JsonNode acknowledged = client.client().result("tasks/update", answers(id));
        assertEquals(List.of("resultType", "_meta"), names(acknowledged));
    }

    private static ObjectNode answers(String id) {
        ObjectNode params = Json.object().put("taskId", id);
        params.putObject("inputResponses").putObject("never-asked").put("action", "accept");
        return params;
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** What ended is kept; what was under way has failed, whether the gateway was stopped or killed. */
    @ParameterizedTest
    @CsvSource({"false, stopped", "true, restarted"})
    void tasksSurviveARestart(boolean killed, String word) throws IOException {
        TestGateway gateway = start("");
        TaskClient client = tasks(gateway.modern());
        String done = client.begin("vectordb__ingest_text", text("Quick."));
        JsonNode before = client.ended(done);
        String running = client.begin("vectordb__ingest_text", text("A text that is held."));
        working();
        Path left = data;
        if (killed) {
            left = data.resolve("left");
            FolderCopy.of(data.resolve("tasks"), left.resolve("tasks"), name -> name.endsWith("lock"));
            Files.writeString(left.resolve("tasks/" + "a".repeat(40) + ".jsonl"), "{\"team\": 1}\n");
            Files.writeString(left.resolve("tasks/" + "b".repeat(40) + ".jsonl.new"), "{");
        } else {
            gateways.removeLast().close();
        }
        TestGateway next = kept(TestGateway.start(yaml(""), left));
        TaskClient later = tasks(next.modern());
        assertEquals(before, later.get(done));
        JsonNode failed = later.get(running);
        assertEquals("failed", failed.path("status").asText(), failed::toString);
        assertEquals(-32603, failed.at("/error/code").asInt());
        assertTrue(failed.at("/error/message").asText().contains("The gateway was " + word), failed::toString);
        assertTrue(failed.path("statusMessage").asText().contains("Call the tool again"), failed::toString);
        assertEquals("complete", later.cancel(running).path("resultType").asText());
        assertEquals("failed", later.status(running));
        if (killed) {
            assertTrue(Files.exists(left.resolve("tasks/" + "a".repeat(40) + ".jsonl.damaged")));
            assertFalse(Files.exists(left.resolve("tasks/" + "b".repeat(40) + ".jsonl.new")));
        }
        embeddings.release();
        JsonNode again = later.ended(later.begin("vectordb__ingest_text", text("A text that is held.")));
        assertFalse(again.at("/result/isError").asBoolean(), again::toString);
    }

    @Test
    void aCancelledTaskStopsItsWorkAndStaysCancelled() {
        TestGateway gateway = start("");
        TaskClient client = tasks(gateway.modern());
        String id = client.begin("vectordb__ingest_text", text("A text that is held."));
        working();
        JsonNode acknowledged = client.cancel(id);
        assertEquals(List.of("resultType", "_meta"), names(acknowledged));
        assertEquals("cancelled", client.status(id));
        Eventually.that(() -> gateway.app().dispatcher().inFlight() == 0, () -> "the call goes on");
        embeddings.release();
        assertEquals(acknowledged, client.cancel(id));
        JsonNode task = client.get(id);
        assertEquals("cancelled", task.path("status").asText());
        assertFalse(task.has("result"), task::toString);
        assertEquals(
                0,
                client.call("vectordb__list_documents", Json.object())
                        .at("/structuredContent/count")
                        .asInt());
    }

    @Test
    void aTaskThatFailsIsCompletedWithTheFailure() {
        TaskClient client = tasks(start("").modern());
        String id = client.begin(
                "vectordb__ingest_file",
                Json.object().put("path", documents.resolve("missing.md").toString()));
        JsonNode task = client.ended(id);
        assertEquals("completed", task.path("status").asText(), task::toString);
        assertTrue(task.at("/result/isError").asBoolean(), task::toString);
        String tooLong =
                client.begin("agentroot__collection_update", Json.object().put("name", "nothing"));
        assertTrue(client.ended(tooLong).at("/result/isError").asBoolean());
    }

    @Test
    void aTaskBelongsToWhoBeganIt() throws IOException {
        ApiKey ada = ApiKey.generate(new SecureRandom());
        ApiKey bob = ApiKey.generate(new SecureRandom());
        ApiKey colleague = ApiKey.generate(new SecureRandom());
        String teams = """
            teams:
              minerals:
                keys: [{id: ada, sha256: %s}, {id: colleague, sha256: %s}]
                grants: ["vectordb:*%s"]
              plants:
                keys: [{id: bob, sha256: %s}]
                grants: ["vectordb:*"]
            """;
        Files.writeString(
                data.resolve("teams.yaml"), teams.formatted(ada.sha256(), colleague.sha256(), "", bob.sha256()));
        TestGateway gateway = start("auth: {mode: keys}\n");
        TaskClient hers = tasks(gateway.modern().with("X-API-Key", ada.text()));
        String id = hers.begin("vectordb__ingest_text", text("A text that is held."));
        working();
        for (ApiKey key : List.of(bob, colleague)) {
            TaskClient others = tasks(gateway.modern().with("X-API-Key", key.text()));
            for (String method : List.of("tasks/get", "tasks/update", "tasks/cancel")) {
                assertEquals(NONE, TaskClient.error(others.ask(method, id)), method);
                assertEquals(NONE, TaskClient.error(others.ask(method, "0".repeat(40))), method);
            }
            try (RawHttp stream = TaskClient.listen(gateway, header(key), id)) {
                assertFalse(stream.readUntil("subscriptionId\":7").contains("taskIds"));
            }
        }
        // In a view without the tool it does not exist, either, and where she may not use the tool any more.
        assertEquals(
                NONE,
                TaskClient.error(tasks(gateway.modern("agentroot").with("X-API-Key", ada.text()))
                        .ask("tasks/get", id)));
        assertEquals("working", hers.status(id));
        RawHttp stream = TaskClient.listen(gateway, header(ada), id);
        stream.readUntil("\"working\"");
        ReplacedFile.write(
                data.resolve("teams.yaml"),
                teams.formatted(ada.sha256(), colleague.sha256(), "", bob.sha256())
                        .replaceFirst("vectordb:\\*", "vectordb:read"));
        gateway.app().reload();
        Eventually.that(
                () -> TaskClient.error(hers.ask("tasks/get", id)).equals(NONE), () -> "she may still see the task");
        stream.close();
        // Without her key, her work ends.
        ReplacedFile.write(
                data.resolve("teams.yaml"),
                teams.formatted(ada.sha256(), colleague.sha256(), "", bob.sha256())
                        .replaceFirst("\\{id: ada, [^}]*}, ", ""));
        gateway.app().reload();
        Eventually.that(() -> gateway.app().dispatcher().inFlight() == 0, () -> "her work goes on");
    }

    private static String header(ApiKey key) {
        return "X-API-Key: " + key.text() + "\n";
    }

    @Test
    void listenersAreToldEachStateOfTheirTasks() {
        TestGateway gateway = start("");
        TaskClient client = tasks(gateway.modern());
        String done = client.begin("vectordb__ingest_text", text("Quick."));
        client.ended(done);
        String id = client.begin("vectordb__ingest_text", text("A text that is held."));
        String cancelled = client.begin("vectordb__ingest_text", text("Another one that is held."));
        working();
        try (RawHttp stream = TaskClient.listen(gateway, "", done, id, "0".repeat(40), cancelled)) {
            String acknowledged = stream.readUntil("subscriptionId\":7");
            assertTrue(acknowledged.contains(done) && acknowledged.contains(id), acknowledged);
            assertFalse(acknowledged.contains("0".repeat(40)), acknowledged);
            client.cancel(cancelled);
            String seen = stream.readUntil("\"taskId\":\"" + cancelled + "\",\"status\":\"cancelled\"");
            assertTrue(seen.contains("notifications/tasks"), seen);
            assertTrue(seen.contains("\"taskId\":\"" + id + "\",\"status\":\"working\""), seen);
            embeddings.release();
            stream.readUntil("\"taskId\":\"" + id + "\",\"status\":\"completed\"");
            stream.readUntil("\"result\":{");
        }
        assertEquals("completed", client.ended(id).path("status").asText());
    }

    @ParameterizedTest
    @ValueSource(strings = {"max: 1", "perCaller: 1", "max: 0"})
    void aboveTheLimitsCallsAreAnsweredAsForOtherClients(String limit) {
        TestGateway gateway = start("tasks: {" + limit + "}\n");
        TaskClient client = tasks(gateway.modern());
        boolean offered = !limit.equals("max: 0");
        if (offered) {
            client.begin("vectordb__ingest_text", text("A text that is held."));
            working();
        }
        JsonNode answer = client.call("vectordb__ingest_text", text("Quick.").put("source", "other"));
        assertEquals("complete", answer.path("resultType").asText(), answer::toString);
        assertFalse(answer.path("isError").asBoolean(), answer::toString);
        assertEquals(
                offered,
                gateway.modern()
                        .result("server/discover", Json.object())
                        .path("capabilities")
                        .has("extensions"));
        if (!offered) {
            assertEquals(404, client.ask("tasks/get", "x").status());
        }
    }

    /** Tasks don't take the places of ordinary calls: few run, and the others wait, also when all places are taken. */
    @Test
    void tasksTakeTurnsAndOrdinaryCallsPass() {
        TestGateway gateway = start("limits: {callsPerBackend: 4, fewestPerBackend: 4, longestWait: 10ms}\n");
        TaskClient client = tasks(gateway.modern());
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(client.begin(
                    "vectordb__ingest_text", text("A text that is held.").put("source", "held " + i)));
        }
        working();
        assertTrue(gateway.management("/metrics").body().contains("switchboard_tasks_running 1"));
        JsonNode waits = client.get(ids.getLast());
        assertEquals("working", waits.path("status").asText());
        assertTrue(waits.path("statusMessage").asText().startsWith("It waits for its turn"), waits::toString);
        assertFalse(client.call("vectordb__list_documents", Json.object())
                .path("isError")
                .asBoolean());
        client.cancel(ids.get(3));
        assertEquals("cancelled", client.status(ids.get(3)));
        embeddings.release();
        for (String id : ids) {
            JsonNode ended = client.ended(id);
            boolean cancelled = id.equals(ids.get(3));
            assertEquals(
                    cancelled ? "cancelled" : "completed", ended.path("status").asText(), ended::toString);
            assertFalse(ended.at("/result/isError").asBoolean(), ended::toString);
        }
        assertEquals(
                4,
                client.call("vectordb__list_documents", Json.object())
                        .at("/structuredContent/count")
                        .asInt());
    }

    /** A task whose call finds no room at all waits until there is some. */
    @Test
    void aTaskWaitsForRoomAtItsBackend() throws Exception {
        TestGateway gateway = start("limits: {callsPerBackend: 2, fewestPerBackend: 2, waiting: 0}\n");
        TaskClient client = tasks(gateway.modern());
        List<Future<Boolean>> calls = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2; i++) {
                ObjectNode text = text("A text that is held.").put("source", "call " + i);
                calls.add(threads.submit(() ->
                        gateway.modern().call("vectordb__ingest_text", text).isError()));
            }
            Eventually.that(() -> gateway.app().dispatcher().inFlight() == 2, () -> "there is room");
            String id = client.begin("vectordb__ingest_text", text("A text that is held."));
            String cancelled =
                    client.begin("vectordb__ingest_text", text("Another.").put("source", "other"));
            JsonNode waits = Eventually.first(
                    () -> client.get(id),
                    task -> task.path("statusMessage").asText().startsWith("There is no room"));
            assertEquals("working", waits.path("status").asText(), waits::toString);
            client.cancel(cancelled);
            embeddings.release();
            for (Future<Boolean> call : calls) {
                assertFalse(call.get(30, TimeUnit.SECONDS));
            }
            JsonNode ended = client.ended(id);
            assertEquals("completed", ended.path("status").asText(), ended::toString);
            assertFalse(ended.at("/result/isError").asBoolean(), ended::toString);
        }
    }

    @Test
    void tasksExpire() throws IOException {
        HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));
        String yaml = yaml("tasks: {timeout: 10m, keep: 20m, perCaller: 1}\n");
        TestGateway gateway = kept(TestGateway.start(yaml, data, clock));
        TaskClient client = tasks(gateway.modern());
        String id = client.begin("vectordb__ingest_text", text("Quick."));
        assertEquals(30 * 60_000, client.ended(id).path("ttlMs").asLong());
        clock.forward(Duration.ofMinutes(30).minusMillis(1));
        assertEquals("completed", client.status(id));
        clock.forward(Duration.ofMillis(1));
        assertEquals(NONE, TaskClient.error(client.ask("tasks/get", id)));
        String next = client.begin("vectordb__ingest_text", text("Quick again."));
        assertNotEquals(id, next);
        client.ended(next);
        clock.forward(Duration.ofMinutes(15));
        gateways.removeLast().close();
        assertEquals(2, files(data).size());
        kept(TestGateway.start(yaml, data, clock));
        assertEquals(1, files(data).size(), "what had expired is deleted");
    }

    @Test
    void theTimeLimitEndsTheWork() {
        TaskClient client = tasks(start("tasks: {timeout: 1s}\n").modern());
        String id = client.begin("vectordb__ingest_text", text("A text that is held."));
        JsonNode task = client.ended(id);
        assertTrue(task.at("/result/isError").asBoolean(), task::toString);
        assertEquals(
                "TIMEOUT",
                task.at("/result/_meta").path("switchboard/error").path("kind").asText(),
                task::toString);
    }

    @Test
    void resultsAreBounded() {
        TaskClient client = tasks(start("tasks: {resultSize: 1KiB}\n").modern());
        String path =
                documents.resolve("n".repeat(200) + "/" + "m".repeat(2000)).toString();
        JsonNode task =
                client.ended(client.begin("vectordb__ingest_file", Json.object().put("path", path)));
        assertEquals("completed", task.path("status").asText(), task::toString);
        assertTrue(
                task.path("result").toString().contains("a task's result may have 1024. Ask for less"), task::toString);
        assertTrue(task.at("/result/isError").asBoolean(), task::toString);
    }

    /** Whoever can't write is told nothing, because nothing is lost: its calls are answered as before. */
    @Test
    void withoutAFolderThereAreNoTasks() throws IOException {
        Files.writeString(data.resolve("tasks"), "a file");
        TestGateway gateway = start("");
        JsonNode capabilities =
                gateway.modern().result("server/discover", Json.object()).path("capabilities");
        assertFalse(capabilities.has("extensions"), capabilities::toString);
        JsonNode answer = tasks(gateway.modern()).call("vectordb__ingest_text", text("Quick."));
        assertEquals("complete", answer.path("resultType").asText(), answer::toString);
    }
}
