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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The chunk that matched is named for each document, over HTTP and with the model in the process. */
class MatchedChunksTest {
    private static final String ANSWER = "Die Fähre 船 fährt bei Sturm 🌊 nur bis zur Mole der Insel Neuwerk.";
    private static final int SECTIONS = 45;

    @TempDir
    private static Path temp;

    private static TestGateway gateway;
    private static McpTestClient client;
    private static List<String> lines;

    @BeforeAll
    static void start() throws IOException {
        Path folder = Files.createDirectory(temp.resolve("notes")).toRealPath();
        // The answer is a large part of its section: the vectors of two processors differ a little.
        String text = IntStream.range(0, SECTIONS)
                .mapToObj(i -> "## Section " + i + "\n\n"
                        + ("The harbour office keeps its books in room " + i + " and opens at nine. ")
                                .repeat(i == 41 ? 3 : 12)
                        + (i == 41 ? "\n" + ANSWER + "\n" : "")
                        + ("\nA list of rooms follows, and of those who work in room " + i + ".")
                                .repeat(i == 41 ? 3 : 12))
                .collect(Collectors.joining("\n\n", "# Harbour\n\n", "\n"));
        Files.writeString(folder.resolve("harbour.md"), text);
        Files.writeString(
                folder.resolve("short.md"), "---\ncategory: tutorial\n---\n# Ferries\n\nA ferry is a ship.\n");
        lines = text.lines().toList();
        gateway = TestGateway.start("""
                backends: {agentroot: {type: agentroot, updateTime: 15s, roots: ['%s']}}
                """.formatted(folder), temp.resolve("data"));
        client = gateway.modern("agentroot");
        ok(
                "collection_add",
                Json.object()
                        .put("name", "notes")
                        .put("path", folder.toString())
                        .put("pattern", "*"));
        while (!ok("collection_update", Json.object().put("name", "notes"))
                .path("complete")
                .asBoolean()) {
            // The next call goes on.
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static JsonNode ok(String tool, ObjectNode arguments) {
        ToolResult result = client.call(tool, arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    private static JsonNode first(String tool, String query, String detail) {
        JsonNode reply = ok(tool, Json.object().put("query", query).put("detail", detail));
        JsonNode found = reply.path("results").path(0);
        assertEquals("notes/harbour.md", found.path("file").asText(), reply::toString);
        return found;
    }

    /** Whether the first to the last line of a result's chunk, counted from 1, have the answer. */
    private static boolean linesHaveTheAnswer(JsonNode result) {
        String[] range = result.path("lines").asText().split("-");
        int from = Integer.parseInt(range[0]);
        int to = Integer.parseInt(range[range.length - 1]);
        return lines.subList(from - 1, to).contains(ANSWER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"search", "vsearch", "query", "smart_search", "explore"})
    void theChunkOfALongDocumentIsNamedAndShownAroundTheMatch(String tool) {
        JsonNode found = first(tool, "Fähre bei Sturm zur Insel Neuwerk", "L1");
        assertTrue(linesHaveTheAnswer(found), found::toString);
        assertTrue(found.path("breadcrumb").asText().contains("Section 41"), found::toString);
        String text = found.path("text").asText();
        assertTrue(text.contains(ANSWER) && text.length() <= 400, text);
        JsonNode chunk = ok(
                "get_chunk",
                Json.object().put("chunk_hash", found.path("chunk_hash").asText()));
        assertEquals(found.path("lines"), chunk.path("lines"));
        assertTrue(chunk.path("content").asText().contains(ANSWER));
    }

    @Test
    void littleDetailNamesTheChunkAndMuchHasTheWholeText() {
        JsonNode little = first("query", "Fähre bei Sturm zur Insel Neuwerk", "L0");
        assertTrue(linesHaveTheAnswer(little), little::toString);
        assertFalse(little.has("text"), little::toString);
        JsonNode much = first("query", "Fähre bei Sturm zur Insel Neuwerk", "L2");
        assertEquals(little.path("lines"), much.path("lines"));
        assertFalse(much.has("text"));
        assertTrue(much.path("content").asText().startsWith("# Harbour"));
    }

    @Test
    void aShortChunkIsShownWhole() {
        JsonNode found = ok("search", Json.object().put("query", "ferry ship"))
                .path("results")
                .path(0);
        assertEquals("notes/short.md", found.path("file").asText());
        assertTrue(found.path("text").asText().endsWith("# Ferries\n\nA ferry is a ship.\n"), found::toString);
    }

    @Test
    void withoutWordsNothingMatchedAndNothingIsNamed() {
        JsonNode reply = ok("search", Json.object().put("query", "category:tutorial"));
        List<String> files = new ArrayList<>();
        reply.path("results").forEach(result -> {
            files.add(result.path("file").asText());
            assertFalse(result.has("lines") || result.has("text"), result::toString);
        });
        assertEquals(List.of("notes/short.md"), files);
    }

    @Test
    void aBudgetKeepsThePartThatMatched() {
        JsonNode found = ok(
                        "query",
                        Json.object()
                                .put("query", "Fähre bei Sturm zur Insel Neuwerk")
                                .put("limit", 1)
                                .put("budget_tokens", 260))
                .path("results")
                .path(0);
        assertTrue(found.path("text").asText().contains(ANSWER), found::toString);
    }
}
