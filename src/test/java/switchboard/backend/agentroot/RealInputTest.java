package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.JudgedData;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * Files that nobody wrote for a test: this repository's, and the notes that lie beside the evaluation data ({@code
 * SWITCHBOARD_EVAL_DIR}).
 */
@Tag("engines")
class RealInputTest {
    private static final Path REPOSITORY = Path.of("").toAbsolutePath();

    @TempDir
    Path temp;

    @Test
    void thisRepositoryIsKeptWholeAndFound() throws IOException {
        try (Site site = new Site(temp, REPOSITORY)) {
            site.index("store", REPOSITORY.resolve("src/main/java/switchboard/store"));
            site.index("docs", REPOSITORY.resolve("docs"));
            site.index("client", REPOSITORY.resolve("src/test/conformance"));
            assertEquals("store/GroupCommit.java", site.first("search", "MAX_GROUP"));
            JsonNode method = site.ok(
                            "search_chunks",
                            Json.object()
                                    .put("query", "bySource")
                                    .put("collection", "store")
                                    .put("label", "type:method"))
                    .path("results")
                    .path(0);
            assertTrue(method.path("breadcrumb").asText().endsWith("::bySource"), method.toString());
        }
    }

    @Test
    @Tag("long")
    void notesAreKeptWholeAndFound() throws IOException {
        Path notes = JudgedData.outside("../reference").normalize();
        try (Site site = new Site(temp, notes.toRealPath())) {
            site.index("notes", notes.toRealPath());
            assertEquals("notes/system-agentroot.md", site.first("search", "FTS5 ranking upside-down"));
            assertEquals("notes/mcp-protocol.md", site.first("query", "initialize handshake protocol version header"));
        }
    }

    /** A gateway on real files. */
    private static final class Site implements AutoCloseable {
        private final TestGateway gateway;
        private final McpTestClient client;

        Site(Path temp, Path root) {
            gateway = TestGateway.start("""
                    embedders: {default: {provider: none}}
                    backends: {agentroot: {type: agentroot, roots: ['%s']}}
                    """.formatted(root), temp.resolve("data"));
            client = gateway.modern("agentroot");
        }

        JsonNode ok(String tool, ObjectNode arguments) {
            ToolResult result = client.call(tool, arguments);
            assertFalse(result.isError(), result.toString());
            return result.structured();
        }

        String first(String tool, String query) {
            return ok(tool, Json.object().put("query", query))
                    .path("results")
                    .path(0)
                    .path("file")
                    .asText();
        }

        /** Indexes a folder: each of its files is there to the letter, and each is the sum of its chunks. */
        void index(String name, Path folder) throws IOException {
            ok(
                    "collection_add",
                    Json.object()
                            .put("name", name)
                            .put("path", folder.toString())
                            .put("pattern", "**/*"));
            JsonNode report = ok("collection_update", Json.object().put("name", name));
            assertTrue(report.path("complete").asBoolean(), report.toString());
            assertEquals(pictures(folder), report.path("skippedTotal").asLong(), report.toString());
            Map<String, String> files = files(folder);
            assertEquals(files.size(), report.path("filesUpdated").asInt());
            files.forEach((path, text) -> {
                String uri = "agentroot://" + name + "/" + path;
                JsonNode read = client.result("resources/read", Json.object().put("uri", uri));
                assertTrue(
                        text.equals(read.path("contents").path(0).path("text").asText()), path);
                assertTrue(text.equals(walk(chunk(name, path))), path);
            });
        }

        private static long pictures(Path folder) throws IOException {
            try (Stream<Path> all = Files.walk(folder)) {
                return all.filter(file -> isPicture(file.toString())).count();
            }
        }

        /** Pictures of pixels have no text. */
        private static boolean isPicture(String path) {
            return path.endsWith(".png");
        }

        private static Map<String, String> files(Path folder) throws IOException {
            Map<String, String> files = new TreeMap<>();
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path file : all.filter(Files::isRegularFile)
                        .filter(file -> !isPicture(file.toString()))
                        .toList()) {
                    files.put(folder.relativize(file).toString(), Files.readString(file));
                }
            }
            files.keySet().removeIf(path -> path.startsWith("node_modules"));
            return files;
        }

        /** Some chunk of a file: its path is searched with each of them. */
        private String chunk(String name, String path) {
            ObjectNode search =
                    Json.object().put("query", path).put("collection", name).put("limit", 100);
            for (JsonNode chunk : ok("search_chunks", search).path("results")) {
                if (chunk.path("file").asText().equals(name + "/" + path)) {
                    return chunk.path("chunk_hash").asText();
                }
            }
            throw new AssertionError("no chunk of " + path);
        }

        private String walk(String chunk) {
            List<String> texts = new ArrayList<>();
            texts.add(own(ok("get_chunk", Json.object().put("chunk_hash", chunk))));
            ToolResult back = step(chunk, "prev");
            while (!back.isError()) {
                texts.addFirst(own(back.structured()));
                back = step(back.structured().path("chunk_hash").asText(), "prev");
            }
            ToolResult on = step(chunk, "next");
            while (!on.isError()) {
                texts.add(own(on.structured()));
                on = step(on.structured().path("chunk_hash").asText(), "next");
            }
            return String.join("", texts);
        }

        /** A chunk's text without the column names that it repeats. */
        private static String own(JsonNode chunk) {
            String content = chunk.path("content").asText();
            String columns = chunk.path("columns").asText();
            assertTrue(content.startsWith(columns), content);
            return content.substring(columns.length());
        }

        private ToolResult step(String chunk, String direction) {
            return client.call(
                    "navigate_chunks", Json.object().put("chunk_hash", chunk).put("direction", direction));
        }

        @Override
        public void close() {
            client.close();
            gateway.close();
        }
    }
}
