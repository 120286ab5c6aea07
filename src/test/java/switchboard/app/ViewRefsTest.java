package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** What the passages in answers of each tool say of themselves, by {@code views.<name>.refs}, over HTTP. */
class ViewRefsTest {
    private static final List<String> BRIEF = List.of("cite", "version");
    private static final List<String> FULL = List.of("cite", "version", "source", "document", "span", "sha256", "time");

    @TempDir
    private static Path folder;

    private static TestGateway gateway;
    private static McpTestClient cite;
    private static McpTestClient full;
    private static McpTestClient none;

    @BeforeAll
    static void start() throws IOException {
        Path docs = Files.createDirectories(folder.toRealPath().resolve("docs"));
        Files.writeString(docs.resolve("keel [old] é🚀.md"), "# Keels\n\nThe keel is of oak 日本.\n");
        Files.writeString(docs.resolve("mast.md"), "# Masts\n\nThe mast stands on the keel.\n");
        gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends:
                  agentroot: {type: agentroot, dataDir: data/one, roots: ['%s']}
                views:
                  some: {backends: [switchboard, agentroot]}
                  all: {backends: [switchboard, agentroot], refs: full}
                  no: {backends: [switchboard, agentroot], refs: none}
                """.formatted(docs), folder);
        cite = gateway.modern("some");
        full = gateway.modern("all");
        none = gateway.modern("no");
        ok(cite, "collection_add", "{'name':'notes','path':'" + docs + "'}");
        ok(cite, "collection_update", "{'name':'notes'}");
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static ToolResult ok(McpTestClient client, String tool, String arguments) {
        ToolResult result = client.call(tool, arguments.replace('\'', '"'));
        assertFalse(result.isError(), result::toString);
        return result;
    }

    private static List<JsonNode> hits(ToolResult result) {
        List<JsonNode> hits = new ArrayList<>();
        result.structured().path("results").forEach(hits::add);
        result.structured().path("batches").forEach(batch -> batch.path("results")
                .forEach(hits::add));
        assertFalse(hits.isEmpty(), result::toString);
        return hits;
    }

    /** The members of the refs; each hit has one. */
    private static List<String> members(ToolResult result) {
        List<List<String>> members = hits(result).stream()
                .map(hit -> hit.path("ref").properties().stream()
                        .map(Map.Entry::getKey)
                        .toList())
                .distinct()
                .toList();
        assertEquals(1, members.size(), result::toString);
        return members.getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "search_everywhere | {'query':'keel'}",
                "search            | {'query':'keel'}",
                "search            | {'query':'keel','detail':'L2'}",
                "search_chunks     | {'query':'keel'}",
                "search_chunks     | {'query':'keel','detail':'L2'}",
                "smart_search      | {'query':'keel'}",
                "query             | {'query':'keel'}",
                "explore           | {'query':'keel'}",
                "batch_search      | {'queries':[{'query':'keel'},{'query':'mast'}]}",
            })
    void eachToolHasWhatTheViewSays(String tool, String arguments) {
        ToolResult brief = ok(cite, tool, arguments);
        assertEquals(BRIEF, members(brief));
        ToolResult whole = ok(full, tool, arguments);
        assertEquals(FULL, members(whole));
        ToolResult without = ok(none, tool, arguments);
        hits(without).forEach(hit -> assertFalse(hit.has("ref"), hit::toString));
        assertFalse(without.structured().has("time"), without::toString);
        for (ToolResult result : List.of(brief, whole)) {
            String time = result.structured().path("time").asText();
            assertEquals(time, Instant.parse(time).toString());
            assertEquals(20, time.length(), time);
        }
        assertEquals(2, Json.text(brief.structured()).split("\"time\":", -1).length, "the time is there once");
        ObjectNode citations = Json.object();
        for (int i = 0; i < hits(whole).size(); i++) {
            JsonNode ref = hits(whole).get(i).path("ref");
            assertEquals(hits(brief).get(i).path("ref"), ((ObjectNode) ref.deepCopy()).retain(BRIEF));
            assertEquals("agentroot:notes", ref.path("source").asText());
            assertTrue(ref.path("document").asText().endsWith(".md"), ref::toString);
            assertTrue(ref.path("cite").asText().contains("#" + ref.path("span").asText() + " · "), ref::toString);
            assertTrue(
                    ref.path("cite")
                            .asText()
                            .endsWith(ref.path("sha256").asText().substring(0, 16) + "]"),
                    ref::toString);
            assertEquals(64, ref.path("sha256").asText().length());
            citations.withArray("citations").add(ref).add(ref.path("cite"));
        }
        JsonNode checked = none.call("check_citation", citations).structured().path("results");
        assertTrue(
                StreamSupport.stream(checked.spliterator(), false)
                        .allMatch(one -> one.path("verdict").asText().equals("unchanged")),
                checked::toString);
        assertFalse(checked.isEmpty(), citations::toString);
    }
}
