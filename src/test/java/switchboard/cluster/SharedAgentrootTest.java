package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.Replicas;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** Collections, memories and search sessions are the same on all gateways, and a collection is updated by one at a time. */
@Tag("engines")
@Timeout(300)
class SharedAgentrootTest {
    private static final int MANY = 600;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    static Path folder;

    private static Path docs;
    private static Replicas replicas;

    @BeforeAll
    static void start() throws IOException {
        docs = Files.createDirectory(folder.resolve("docs")).toRealPath();
        replicas = new Replicas(
                postgres,
                "kb",
                folder,
                "  kb: { type: agentroot, store: cluster, dataDir: kb, roots: ['" + docs + "'] }\n");
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    private static McpTestClient client(int index) {
        return replicas.gateway(index)
                .modern("kb")
                .with("X-API-Key", replicas.red().get("X-API-Key"));
    }

    private static McpTestClient client(GatewayProcess process) {
        return McpTestClient.modern(URI.create(process.url() + "/kb"))
                .with("X-API-Key", replicas.red().get("X-API-Key"));
    }

    private static ToolResult call(int index, String tool, String json) {
        return client(index).call(tool, json.replace('\'', '"'));
    }

    private static JsonNode ok(int index, String tool, String json) {
        return ok(call(index, tool, json));
    }

    private static JsonNode ok(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    /** A folder with so many files, as a collection of its name. */
    private static Path collection(int index, String name, int files) throws IOException {
        Path place = Files.createDirectory(docs.resolve(name));
        for (int i = 0; i < files; i++) {
            Files.writeString(
                    place.resolve("f" + i + ".md"), "# File " + i + "\n\nheron number" + i + " of " + name + "\n");
        }
        ObjectNode add = Json.object().put("name", name).put("path", place.toString());
        ok(client(index).call("collection_add", add));
        return place;
    }

    private static ObjectNode named(String name) {
        return Json.object().put("name", name);
    }

    private static JsonNode update(int index, String name) {
        return ok(client(index).call("collection_update", named(name)));
    }

    /** Updates until nothing is left to do. An update that has no more time, or meets a busy database, reports that it is not complete. */
    private static List<JsonNode> updates(int index, String name) {
        List<JsonNode> reports = new ArrayList<>();
        do {
            reports.add(update(index, name));
        } while (!reports.getLast().path("complete").asBoolean() && reports.size() < 5);
        assertTrue(reports.getLast().path("complete").asBoolean(), reports::toString);
        return reports;
    }

    private static long documents(int index, String name) {
        for (JsonNode one : ok(index, "status", "{}").path("collections")) {
            if (one.path("name").asText().equals(name)) {
                return one.path("documents").asLong();
            }
        }
        return -1;
    }

    private static long rows(String name) {
        return Long.parseLong(postgres.sql("SELECT count(*) FROM kb.document d JOIN kb.library l ON l.id = d.library"
                        + " WHERE l.live AND l.name = '" + name + "'")
                .strip());
    }

    private static long writes(String name) {
        return Long.parseLong(
                postgres.sql("SELECT coalesce(sum(position), 0) FROM kb.library WHERE live AND name = '" + name + "'")
                        .strip());
    }

    private static List<String> files(JsonNode found) {
        List<String> files = new ArrayList<>();
        found.path("results").forEach(one -> files.add(one.path("file").asText()));
        return files;
    }

    @Test
    void whatOneGatewayHasDoneTheOthersKnow() throws IOException {
        Path place = collection(0, "seen", 3);
        assertEquals(
                "CONFLICT",
                call(1, "collection_add", "{'name':'seen','path':'" + place + "'}")
                        .errorKind());
        assertEquals(3, update(1, "seen").path("added").asInt());
        for (int index = 0; index < 3; index++) {
            assertEquals(3, documents(index, "seen"));
            assertEquals(List.of("seen/f1.md"), files(ok(index, "search", "{'query':'number1 seen','limit':1}")));
            assertEquals(
                    3,
                    ok(index, "browse_directory", "{'collection':'seen'}")
                            .path("files")
                            .size());
        }
        Files.createDirectory(place.resolve("more"));
        Files.writeString(place.resolve("more/new.md"), "an osprey");
        Files.delete(place.resolve("f0.md"));
        JsonNode changed = update(2, "seen");
        assertEquals(
                "1 1",
                changed.path("added").asInt() + " " + changed.path("removed").asInt());
        for (int index = 0; index < 3; index++) {
            JsonNode tree = ok(index, "browse_directory", "{'collection':'seen'}");
            assertEquals("more", tree.path("directories").path(0).path("path").asText(), tree::toString);
            assertEquals(List.of("seen/more/new.md"), files(ok(index, "search", "{'query':'osprey'}")));
            assertEquals(
                    "NOT_FOUND", call(index, "get", "{'file':'seen/f0.md'}").errorKind());
        }
        ok(0, "metadata_add", "{'docid':'seen/f1.md','metadata':{'author':'Ada'}}");
        ok(1, "metadata_add", "{'docid':'seen/f1.md','metadata':{'year':1843}}");
        JsonNode metadata = ok(2, "metadata_get", "{'docid':'seen/f1.md'}").path("metadata");
        assertEquals(
                "Ada 1843",
                metadata.path("author").path("value").asText() + " "
                        + metadata.path("year").path("value").asText());
        assertTrue(ok(1, "collection_remove", "{'name':'seen'}").path("removed").asBoolean());
        for (int index = 0; index < 3; index++) {
            assertEquals(-1, documents(index, "seen"));
            assertEquals(
                    "NOT_FOUND",
                    call(index, "collection_update", "{'name':'seen'}").errorKind());
            assertEquals(List.of(), files(ok(index, "search", "{'query':'osprey'}")));
        }
    }

    @Test
    void memoriesAreTheSameEverywhere() throws Exception {
        String id = ok(0, "memory_store", "{'content':'The tide table is on the door','category':'fact'}")
                .path("id")
                .asText();
        try (ExecutorService callers = Executors.newFixedThreadPool(3)) {
            List<Future<JsonNode>> again = IntStream.range(0, 12)
                    .mapToObj(i -> callers.submit(() ->
                            ok(i % 3, "memory_store", "{'content':'The tide table is on the door','category':'fact'}")))
                    .toList();
            for (Future<JsonNode> one : again) {
                assertEquals(id, one.get(60, TimeUnit.SECONDS).path("id").asText());
            }
        }
        for (int index = 0; index < 3; index++) {
            JsonNode memory = ok(index, "memory_search", "{'query':'tide table'}")
                    .path("memories")
                    .path(0);
            assertEquals(id, memory.path("id").asText());
            assertEquals(12, memory.path("access_count").asInt(), "each time counts");
        }
        ok(2, "memory_delete", "{'id':'" + id + "'}");
        for (int index = 0; index < 3; index++) {
            assertEquals(
                    0,
                    ok(index, "memory_search", "{'query':'tide table'}")
                            .path("count")
                            .asInt());
        }
    }

    @Test
    void sessionsGoOnOnAnyGateway() throws IOException {
        collection(0, "asked", 12);
        update(0, "asked");
        String id =
                ok(0, "session_start", "{'ttl_seconds':60}").path("session_id").asText();
        ok(1, "session_set", "{'session_id':'" + id + "','key':'topic\\u0000','value':'herons \\u0000 Größe 😀'}");
        String search = "{'query':'heron','collection':'asked','limit':12,'session_id':'" + id + "'}";
        List<String> first = files(ok(1, "search", search));
        List<String> second = files(ok(2, "search", search));
        assertEquals(12, first.size());
        assertEquals(first.subList(10, 12), second.subList(0, 2), "what was not seen comes first");
        for (int index = 0; index < 3; index++) {
            JsonNode session = ok(index, "session_get", "{'session_id':'" + id + "'}");
            assertEquals(
                    "herons \u0000 Größe 😀",
                    session.path("context").path("topic\u0000").asText());
            assertEquals(2, session.path("queries").size());
            assertEquals(12, session.path("seen_count").asInt());
        }
        assertTrue(ok(2, "session_end", "{'session_id':'" + id + "'}")
                .path("existed")
                .asBoolean());
        for (String unknown : List.of(id, "x\\u0000", "1-1-1-1-1")) {
            assertEquals(
                    "NOT_FOUND",
                    call(0, "session_get", "{'session_id':'" + unknown + "'}").errorKind());
        }
    }

    @Test
    void oneGatewayAtATimeUpdatesACollection() throws Exception {
        collection(0, "turns", 300);
        try (ExecutorService callers = Executors.newFixedThreadPool(6)) {
            List<Future<JsonNode>> all = IntStream.range(0, 6)
                    .mapToObj(i -> callers.submit(() -> update(i % 3, "turns")))
                    .toList();
            int added = 0;
            for (Future<JsonNode> one : all) {
                JsonNode report = one.get(200, TimeUnit.SECONDS);
                assertTrue(report.path("complete").asBoolean(), report::toString);
                assertEquals(
                        300,
                        report.path("added").asInt() + report.path("unchanged").asInt(),
                        report::toString);
                added += report.path("added").asInt();
            }
            assertEquals(300, added);
        }
        assertEquals(300, writes("turns"), "each document was written once");
    }

    /** Begins an update of a new collection on {@code process}, which is under way when this returns. */
    private static Future<ToolResult> begin(ExecutorService caller, GatewayProcess process, String name)
            throws IOException {
        collection(0, name, MANY);
        Future<ToolResult> update = caller.submit(() -> client(process).call("collection_update", named(name)));
        Eventually.within(Eventually.OF_A_PROCESS, () -> rows(name) > 20, () -> "the update is under way");
        return update;
    }

    @Test
    void whatAGatewayThatWasKilledHasBegunAnotherOneFinishes() throws Exception {
        try (ExecutorService caller = Executors.newCachedThreadPool();
                GatewayProcess process = replicas.process()) {
            Future<ToolResult> cut = begin(caller, process, "killed");
            Future<JsonNode> waiting = caller.submit(() -> update(0, "killed"));
            process.kill();
            long left = rows("killed");
            assertTrue(left < MANY, "it was not finished");
            JsonNode report = waiting.get(120, TimeUnit.SECONDS);
            assertTrue(report.path("complete").asBoolean(), report::toString);
            assertEquals(MANY, rows("killed"));
            assertEquals(MANY, documents(1, "killed"));
            assertEquals(MANY, writes("killed"), "what was there was not written again");
            cut.cancel(true);
        }
    }

    private static void signal(GatewayProcess process, String signal) {
        Programs.run(List.of("kill", "-" + signal, Long.toString(process.pid())), null);
    }

    /** A process that was paused may find that its threads were blocked meanwhile. */
    @AsksForErrors("BlockedThreadChecker")
    @Test
    void aPausedGatewayThatWakesUpWritesNothing() throws Exception {
        try (ExecutorService caller = Executors.newCachedThreadPool();
                GatewayProcess process = replicas.process()) {
            Future<ToolResult> paused = begin(caller, process, "paused");
            signal(process, "STOP");
            try {
                JsonNode report = update(1, "paused");
                assertTrue(report.path("complete").asBoolean(), report::toString);
                assertEquals(MANY, rows("paused"));
                try (var all = Files.newDirectoryStream(docs.resolve("paused"))) {
                    for (Path file : all) {
                        Files.delete(file);
                    }
                }
                Files.writeString(docs.resolve("paused/only.md"), "the only one");
                List<JsonNode> reports = updates(2, "paused");
                assertEquals(
                        MANY,
                        reports.stream()
                                .mapToInt(one -> one.path("removed").asInt())
                                .sum(),
                        reports::toString);
            } finally {
                signal(process, "CONT");
            }
            long written = writes("paused");
            ToolResult answer = paused.get(60, TimeUnit.SECONDS);
            assertTrue(answer.isError() || !answer.structured().path("complete").asBoolean(), answer::toString);
            assertEquals(1, rows("paused"));
            assertEquals(written, writes("paused"));
            sees(process, "only", "paused/only.md");
            assertEquals(1, update(0, "paused").path("unchanged").asInt());
        }
    }

    /** Where the changes were not followed in time, or the files are still being built, an answer says so. */
    private static void sees(GatewayProcess process, String query, String file) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> {
                    ToolResult found = client(process)
                            .call("search", Json.object().put("query", query).put("collection", "paused"));
                    if (found.isError()) {
                        assertEquals("UNAVAILABLE", found.errorKind(), found::toString);
                        return false;
                    }
                    boolean seen = files(found.structured()).equals(List.of(file));
                    assertTrue(
                            seen || !found.structured().path("reason").asText().isEmpty(), found::toString);
                    return seen;
                },
                () -> "it follows what was changed");
    }

    @Test
    void anImportIsRefused() {
        String told = Replicas.command(replicas.gateway(0).data(), "import", "agentroot", "index.db", "--backend=kb");
        assertTrue(told.startsWith("2: ") && told.contains("backends.kb.store is cluster"), told);
    }

    @Test
    void aGatewayWithoutTheFolderDeletesNothing() throws IOException {
        Path place = collection(0, "mounted", 4);
        update(0, "mounted");
        Path away = Files.move(place, folder.resolve("away"));
        ToolResult missing = call(1, "collection_update", "{'name':'mounted'}");
        assertEquals("NOT_FOUND", missing.errorKind());
        assertTrue(
                missing.text().contains("on this gateway") && missing.text().contains("same folders"), missing::text);
        assertEquals(4, documents(2, "mounted"));
        Files.createDirectory(place);
        ToolResult empty = call(1, "collection_update", "{'name':'mounted'}");
        assertEquals("CONFLICT", empty.errorKind());
        assertTrue(empty.text().contains("as if it were not mounted"), empty::text);
        assertEquals(4, documents(2, "mounted"));
        Files.writeString(place.resolve(".keep"), "");
        assertEquals(4, update(1, "mounted").path("removed").asInt());
        Files.delete(place.resolve(".keep"));
        Files.delete(place);
        Files.move(away, place);
        assertEquals(4, update(2, "mounted").path("added").asInt());
        TreeSet<Long> counts = new TreeSet<>();
        IntStream.range(0, 3).forEach(index -> counts.add(documents(index, "mounted")));
        assertEquals(new TreeSet<>(List.of(4L)), counts);
    }
}
