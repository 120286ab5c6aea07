package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * Statements of collections of the provider {@code sql} that never end or want all there is: each ends in time, takes
 * nothing with it, and leaves nothing behind.
 */
class SqlBombTest {
    private static final String ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) ";

    /** One step of SQLite's machine that takes very long: what an interrupt can't end. */
    private static final String ONE_STEP =
            "SELECT max(instr(zeroblob(8000000), CAST(zeroblob(4000000 + a.id) || x'01' AS BLOB))) AS content FROM t a";

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path temp;

    private final ExecutorService others = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger names = new AtomicInteger();
    private TestGateway gateway;

    /** A backend whose statements have two seconds, one whose have a minute. */
    @BeforeEach
    void start() throws SQLException, IOException {
        Path folder = Files.createDirectories(temp.resolve("root"));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("rows.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER, content TEXT)");
            statement.execute(ENDLESS + "INSERT INTO t SELECT i, 'row ' || i FROM n LIMIT 1000");
        }
        Files.writeString(folder.resolve("a.md"), "plain words");
        gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                server: {drain: {grace: 1s}}
                backends:
                  short: {type: agentroot, dataDir: one, roots: ['%1$s'], sql: {timeout: 2s}}
                  long: {type: agentroot, dataDir: two, roots: ['%1$s'], maxFileSize: 8MiB, maxDocuments: 500,
                         sql: {timeout: 10m, tempSpace: 24MiB, memory: 128MiB}}
                """.formatted(folder), temp.resolve("data"));
    }

    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        gateway.close();
        others.close();
        assertEquals(List.of(), processes());
        assertEquals(List.of(), folders());
    }

    private static List<Long> processes() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .filter(SqlBombTest::runsStatements)
                .map(ProcessHandle::pid)
                .toList();
    }

    /**
     * Whether a process is one of those that run statements: neither the shell before it, nor the copy of this process that it is
     * for a moment while it is started.
     */
    private static boolean runsStatements(ProcessHandle process) {
        if (!process.info().command().orElse("").endsWith("java")) {
            return false;
        }
        Path line = Path.of("/proc", String.valueOf(process.pid()), "cmdline");
        try {
            return !Files.isDirectory(Path.of("/proc/self"))
                    || Files.readString(line).contains("SqliteMain");
        } catch (IOException gone) {
            return false;
        }
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            long mine = ProcessHandle.current().pid();
            return all.filter(path -> path.getFileName().toString().startsWith("switchboard-sql-" + mine + "-"))
                    .toList();
        }
    }

    private static ObjectNode arguments(String name, String sql) {
        return Json.object()
                .put("name", name)
                .put("provider", "sql")
                .put("path", "rows.db")
                .set("config", Json.object().put("query", sql));
    }

    private ToolResult add(String view, String sql) {
        String name = "bomb" + names.incrementAndGet(); // additions of one name take turns
        return gateway.modern(view).call("collection_add", arguments(name, sql));
    }

    private void stopped(String sql) {
        ToolResult result = add("short", sql);
        assertEquals("TIMEOUT", result.errorKind(), result.text());
        assertTrue(result.text().contains("after 2.0 s"), result.text());
        assertTrue(result.text().contains("LIMIT"), result.text());
    }

    private void refused(String sql, String because) {
        ToolResult result = add("long", sql);
        assertEquals("INVALID_ARGUMENT", result.errorKind(), result.text());
        assertTrue(result.text().contains(because), result.text());
    }

    @Test
    void aRecursionThatNeverEndsIsStopped() {
        stopped(ENDLESS + "SELECT max(i) AS content FROM n");
    }

    @Test
    void oneStepThatNeverEndsIsStopped() {
        stopped(ONE_STEP);
    }

    @Test
    void patternsThatNeverEndAreStopped() {
        String text = "replace(hex(zeroblob(4000000)), '00', 'a') || a.id || b.id || c.id";
        String from = " AS content FROM t a, t b, t c WHERE ";
        stopped("SELECT 1" + from + text + " LIKE '" + "%a".repeat(60) + "%b'");
        stopped("SELECT 1" + from + text + " GLOB '" + "*[a-z]".repeat(60) + "*b'");
    }

    @Test
    void aJoinThatNeverEndsIsStopped() {
        stopped("SELECT count(*) AS content FROM t a, t b, t c, t d, t e WHERE a.content < b.content");
    }

    @Test
    void sortingDoesNotFillTheDisk() {
        refused(
                "SELECT hex(randomblob(200)) AS content FROM t a, t b, t c ORDER BY content",
                "more than 24 MiB of temporary space");
        refused(
                "SELECT DISTINCT hex(randomblob(200)) || a.id AS content FROM t a, t b, t c ORDER BY 1",
                "more than 24 MiB of temporary space");
        refused(
                ENDLESS + "SELECT group_concat(i) OVER (ORDER BY hex(randomblob(50)) || i) AS content FROM n",
                "more than 24 MiB of temporary space");
    }

    @Test
    void valuesDoNotFillTheMemory() {
        for (String value : List.of(
                "zeroblob(2000000000)",
                "replace(hex(zeroblob(4000000)), '0', hex(zeroblob(4000000)))",
                "(SELECT group_concat(a.content || 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx') FROM t a, t b)")) {
            ToolResult result = add("long", "SELECT length(" + value + ") AS content");
            assertEquals("INVALID_ARGUMENT", result.errorKind(), value + ": " + result.text());
        }
        String wide = "hex(randomblob(500000)), ".repeat(900);
        refused("SELECT " + wide + "1 AS content", "of memory");
    }

    @Test
    void statementsAndPatternsHaveALength() {
        refused("SELECT '" + "x".repeat(200_000) + "' AS content", "too");
        refused("SELECT 'x' LIKE '" + "%x".repeat(1000) + "' AS content", "pattern too complex");
    }

    @Test
    void rowsThatAreLeftOutEndToo() {
        McpTestClient client = gateway.modern("long");
        for (String content : List.of("''", "'same'")) {
            ok(client.call(
                    "collection_add",
                    arguments("rows", ENDLESS + "SELECT 1 AS id, " + content + " AS content FROM n")));
            JsonNode update = ok(client.call("collection_update", Json.object().put("name", "rows")));
            assertFalse(update.path("complete").asBoolean(true), update.toString());
            ok(client.call("collection_remove", Json.object().put("name", "rows")));
        }
    }

    private static JsonNode ok(ToolResult result) {
        assertFalse(result.isError(), result.text());
        return result.structured();
    }

    /** A call that goes on until something ends it, and its process. */
    private Future<ToolResult> hanging(int processesBefore) {
        Future<ToolResult> call = others.submit(() -> add("long", ONE_STEP));
        Eventually.within(
                PATIENCE,
                () -> processes().size() == processesBefore + 1,
                () -> processes().size() + " processes");
        return call;
    }

    @Test
    void aCallThatIsTakenBackTakesItsProcessAlong() {
        Future<ToolResult> call = hanging(0);
        call.cancel(true); // hangs up
        Eventually.within(
                PATIENCE, () -> processes().isEmpty(), () -> processes().size() + " processes");
    }

    @Test
    void aShutdownDoesNotWaitForStatements() {
        Future<ToolResult> call = hanging(0);
        gateway.close();
        assertEquals(List.of(), processes());
        assertTrue(call.state() != Future.State.SUCCESS || call.resultNow().isError());
    }

    @Test
    void othersGoOnMeanwhileAndWaitForNoMoreProcessesThanThereMayBe() {
        List<Future<ToolResult>> bombs = List.of(hanging(0), hanging(1));
        Future<ToolResult> third = others.submit(() -> add("long", ONE_STEP));
        McpTestClient client = gateway.modern("long");
        ok(client.call(
                "collection_add",
                Json.object()
                        .put("name", "files")
                        .put("path", temp.resolve("root").toString())));
        JsonNode update = ok(client.call("collection_update", Json.object().put("name", "files")));
        assertEquals(1, update.path("filesUpdated").asInt(), update.toString());
        bombs.forEach(bomb -> assertFalse(bomb.isDone(), () -> "ended: " + bomb));
        assertEquals(2, processes().size());
        assertFalse(third.isDone());
        bombs.forEach(bomb -> bomb.cancel(true));
        third.cancel(true);
    }

    @Test
    void theProcessKnowsNoSecrets() throws IOException {
        hanging(0);
        ProcessHandle child = ProcessHandle.of(processes().getFirst()).orElseThrow();
        Path environment = Path.of("/proc", String.valueOf(child.pid()), "environ");
        if (Files.isReadable(environment)) {
            Set<String> known =
                    Set.of("LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "SQLITE_TMPDIR", "MALLOC_ARENA_MAX", "PWD");
            for (String entry : Files.readString(environment).split("\0")) {
                assertTrue(known.contains(entry.replaceAll("=.*", "")), entry);
            }
        }
    }
}
