package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** {@code switchboard collection} and {@code switchboard import agentroot}. */
class AgentrootCommandsTest {
    @TempDir
    Path temp;

    private final StringWriter out = new StringWriter();

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(arguments);
    }

    private Path config(Path folder) throws IOException {
        return Files.writeString(temp.resolve("switchboard.yaml"), """
                embedders: {default: {provider: none}}
                backends: {agentroot: {type: agentroot, dataDir: store, roots: ['%s']}}
                """.formatted(folder));
    }

    @Test
    void collectionsFromTheCommandLine() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("docs")).toRealPath();
        Files.writeString(folder.resolve("a.md"), "# Siskin\n\nA small finch.");
        String[] where = {
            "--config",
            config(folder).toString(),
            "--data",
            temp.resolve("data").toString()
        };
        assertEquals(
                0,
                run("collection", "add", "docs", folder.toString(), where[0], where[1], where[2], where[3]),
                out::toString);
        assertTrue(out.toString().contains("1 added, 0 changed"), out.toString());
        assertTrue(out.toString().contains("updating docs 1/1"), out.toString());
        Files.writeString(folder.resolve("b.md"), "# Linnet\n\nAnother finch.");
        assertEquals(0, run("collection", "update", "docs", where[0], where[1], where[2], where[3]), out::toString);
        assertTrue(out.toString().contains("1 added"), out.toString());
        assertEquals(0, run("collection", "list", where[0], where[1], where[2], where[3]));
        assertTrue(out.toString().contains("2 documents"), out.toString());
        assertEquals(1, run("collection", "add", "etc", "/etc", where[0], where[1], where[2], where[3]));
        assertEquals(0, run("collection", "remove", "docs", where[0], where[1], where[2], where[3]));
        assertEquals(1, run("collection", "update", "docs", where[0], where[1], where[2], where[3]));
    }

    @Test
    void aCollectionIsMadeAsItsOptionsSayAndEachChangeIsCounted() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("docs")).toRealPath();
        Files.writeString(folder.resolve("a.md"), "# Siskin\n\nA small finch.");
        Files.writeString(folder.resolve("b.md"), "# Linnet\n\nAnother finch.");
        Files.writeString(folder.resolve("c.txt"), "A twite.");
        Path birds = Files.writeString(
                folder.resolve("birds.json"),
                "[{\"id\": \"s\", \"song\": \"twitter\"}, {\"id\": \"l\", \"song\": \"trill\"}]");
        String[] where = {"--config=" + config(folder), "--data=" + temp.resolve("data")};
        assertEquals(
                0, run("collection", "add", "pages", folder.toString(), "--pattern", "**/*.md", where[0], where[1]));
        assertTrue(
                out.toString().contains("2 added, 0 changed, 0 renamed, 0 removed, 0 unchanged, 0 left out"),
                out::toString);
        assertEquals(
                0,
                run(
                        "collection",
                        "add",
                        "songs",
                        birds.toString(),
                        "--provider=json",
                        "--option={\"id_column\": \"id\"}",
                        where[0],
                        where[1]),
                out::toString);
        assertEquals(0, run("collection", "list", where[0], where[1]));
        List<String> lines = out.toString().lines().toList();
        assertEquals(2, lines.size(), out::toString);
        assertTrue(lines.getFirst().matches("pages +2 documents +file +" + folder), out::toString);
        assertTrue(lines.getLast().matches("songs +2 documents +json +" + birds), out::toString);

        Files.writeString(folder.resolve("a.md"), "# Siskin\n\nA small yellow finch.");
        Files.delete(folder.resolve("b.md"));
        assertEquals(0, run("collection", "update", "pages", where[0], where[1]));
        assertTrue(
                out.toString().contains("0 added, 1 changed, 0 renamed, 1 removed, 0 unchanged, 0 left out"),
                out::toString);
        assertEquals(0, run("collection", "remove", "pages", where[0], where[1]));
        assertEquals("", out.toString());
        assertEquals(0, run("collection", "list", where[0], where[1]));
        assertTrue(out.toString().startsWith("songs "), out::toString);
        for (String[] wrong : new String[][] {
            {"--provider=nope"}, {"--provider=json", "--option=[1]"}, {"--provider=json", "--option={\"nope\": 1}"}
        }) {
            String[] command = Stream.of(
                            List.of("collection", "add", "wrong", birds.toString()), List.of(wrong), List.of(where))
                    .flatMap(List::stream)
                    .toArray(String[]::new);
            assertEquals(1, run(command), out::toString);
        }
    }

    @Test
    void aDatabaseIsTakenOver() throws IOException, SQLException {
        Path database = temp.resolve("index.sqlite");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement()) {
            for (String sql : new String[] {
                "CREATE TABLE collections (name TEXT, path TEXT, pattern TEXT, provider_type TEXT, provider_config TEXT)",
                "INSERT INTO collections VALUES ('notes', '/old/notes', '**/*.md', 'file', NULL),"
                        + " ('odd/name', '/x', '*', 'file', NULL)",
                "CREATE TABLE content (hash TEXT, doc TEXT)",
                "INSERT INTO content VALUES ('h1', '# Wheatear\n\nA bird of open ground.'), ('h2', 'gone')",
                "CREATE TABLE documents (id INTEGER, collection TEXT, path TEXT, title TEXT, hash TEXT, modified_at TEXT,"
                        + " active INTEGER, llm_summary TEXT, llm_category TEXT, llm_keywords TEXT, user_metadata TEXT)",
                "INSERT INTO documents VALUES (1, 'notes', 'birds/a.md', 'Wheatear', 'h1', '2026-01-02T03:04:05Z', 1,"
                        + " 'On wheatears.', 'note', '[\"ground\"]', '{\"author\":{\"type\":\"Text\",\"value\":\"Alice\"}}'),"
                        + " (2, 'notes', 'b.md', 'Gone', 'h2', '2026-01-02T03:04:05Z', 0, NULL, NULL, NULL, NULL)",
                "CREATE TABLE memories (id TEXT, content TEXT, category TEXT, confidence REAL, created_at TEXT,"
                        + " updated_at TEXT, access_count INTEGER)",
                "INSERT INTO memories VALUES"
                        + " ('mem-1', 'likes birds', 'preference', 0.7, '2025-01-01T00:00:00Z', '2025-05-05T00:00:00Z', 3),"
                        + " ('mem-2', 'y', 'odd', 1, 'y', 'y', 0),"
                        + " ('mem-3', 'owns a boat', 'fact', 1, '2025-02-02T00:00:00Z', '2025-02-02T00:00:00Z', 0)",
                "CREATE TABLE contexts (path TEXT, context TEXT)",
                "INSERT INTO contexts VALUES ('/', 'all of it')"
            }) {
                statement.execute(sql);
            }
        }
        Path config = config(temp);
        Path data = temp.resolve("data");
        String[] command = {
            "import", "agentroot", database.toString(), "--config", config.toString(), "--data", data.toString()
        };
        assertEquals(0, run(command), out::toString);
        assertTrue(out.toString().contains("1 collections, 1 documents, 2 memories imported"), out.toString());
        for (String left : new String[] {"collection odd/name", "memory mem-2", "contexts: 1 rows"}) {
            assertTrue(out.toString().contains(left), out.toString());
        }
        assertEquals(0, run(command), out::toString);
        assertTrue(out.toString().contains("0 collections, 0 documents, 0 memories"), out.toString());
        try (TestGateway gateway = TestGateway.start(Files.readString(config), data);
                McpTestClient client = gateway.modern("agentroot")) {
            JsonNode found = AgentrootSite.structured(client.call("search", "{\"query\": \"wheatear\"}"))
                    .path("results")
                    .path(0);
            assertEquals("notes/birds/a.md", found.path("file").asText());
            assertEquals("On wheatears.", found.path("summary").asText());
            assertEquals("note", found.path("category").asText());
            assertEquals("Alice", found.path("userMetadata").path("author").asText());
            assertEquals("2026-01-02T03:04:05Z", found.path("lastModified").asText());
            JsonNode memories =
                    AgentrootSite.structured(client.call("memory_list", "{}")).path("memories");
            assertEquals(
                    List.of("2025-05-05T00:00:00Z", "2025-02-02T00:00:00Z"),
                    AgentrootFixture.texts(memories, "updated_at"));
            assertEquals(
                    List.of("2025-01-01T00:00:00Z", "2025-02-02T00:00:00Z"),
                    AgentrootFixture.texts(memories, "created_at"));
            assertEquals(List.of("3", "0"), AgentrootFixture.texts(memories, "access_count"));
        }
        Files.writeString(temp.resolve("other.txt"), "not a database, but long enough to have a header in it");
        command[2] = temp.resolve("other.txt").toString();
        assertTrue(run(command) != 0);
    }
}
