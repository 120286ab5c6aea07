package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.convert.MadeFiles;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Documents with pages and tables, ingested and searched over HTTP. */
class PagesAndTablesTest {
    @TempDir
    static Path folder;

    private static TestGateway gateway;
    private static McpTestClient client;

    @BeforeAll
    static void start() {
        gateway = TestGateway.start("""
                embedders:
                  default: {provider: none}
                backends:
                  vectordb: {type: vectordb, dataDir: store, ingestRoots: ["%s"]}
                  notes: {type: agentroot, dataDir: notes, roots: ["%s"]}
                """.formatted(folder, folder));
        client = gateway.modern();
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static JsonNode ok(String tool, Map<String, Object> arguments) {
        return ok(client, tool, arguments);
    }

    private static JsonNode ok(McpTestClient client, String tool, Map<String, Object> arguments) {
        ToolResult result = client.call(tool, Json.text(Json.mapper().valueToTree(arguments)));
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }

    private static void ingest(String name, byte[] bytes, String library) throws IOException {
        Path file = Files.write(folder.resolve(name), bytes);
        ok("ingest_file", Map.of("path", file.toString(), "library", library));
    }

    private static List<JsonNode> found(String query, String library, Map<String, Object> filter) {
        JsonNode results = ok(
                        "vectordb__search",
                        Map.of("query", query, "library", library, "filter", filter, "top_k", 100, "per_document", 0))
                .path("results");
        return IntStream.range(0, results.size()).mapToObj(results::get).toList();
    }

    /** About a third of a chunk. */
    private static String page(String word) {
        return IntStream.range(0, 24)
                .mapToObj(i -> "The " + word + " of line " + i + ".")
                .collect(Collectors.joining(" "));
    }

    @Test
    void aChunkIsFoundByEachPageThatItLiesOnAndNamesTheFirstAndTheLast() throws IOException {
        String[] pages = {"anchor", "ballast", "compass", "davit", "", "ensign", "flag"};
        for (int i = 0; i < pages.length; i++) {
            pages[i] = pages[i].isEmpty() ? "" : page(pages[i]);
        }
        ingest("ship.pdf", MadeFiles.pdf(pages), "ships");
        List<String> words = List.of("anchor", "ballast", "compass", "davit", "", "ensign", "flag");
        boolean several = false;
        for (int page = 1; page <= words.size(); page++) {
            String word = words.get(page - 1);
            List<JsonNode> hits = found("line", "ships", Map.of("file_type", "pdf", "page", page));
            Set<String> all = new TreeSet<>();
            for (JsonNode hit : hits) {
                assertTrue(
                        hit.path("page").asInt() <= page
                                && page <= hit.path("last_page").asInt(),
                        hit::toString);
                assertTrue(hit.path("content").asText().contains(word), hit::toString);
                several |= hit.path("last_page").asInt() - hit.path("page").asInt() >= 2;
                all.add(hit.path("chunk_index").asText());
            }
            assertEquals(word.isEmpty(), hits.isEmpty(), "page " + page);
            Set<String> withWord = found("line", "ships", Map.of()).stream()
                    .filter(hit ->
                            !word.isEmpty() && hit.path("content").asText().contains(word))
                    .map(hit -> hit.path("chunk_index").asText())
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(withWord, all, "all chunks with text of page " + page);
        }
        assertTrue(several, "a chunk spans three pages");
        assertEquals(List.of(), found("line", "ships", Map.of("page", 8)));
        assertEquals(List.of(), found("line", "ships", Map.of("page", 0)));
    }

    @Test
    void searchEverywhereNamesBothPagesAndFiltersByThem() throws IOException {
        ingest("sea.pdf", MadeFiles.pdf("", page("kelp"), page("limpet"), page("mussel")), "seas");
        Map<String, Object> asked = Map.of(
                "query",
                "limpet",
                "sources",
                List.of("vectordb:seas"),
                "detail",
                "passages",
                "filters",
                Map.of("page", 3));
        JsonNode hit = ok("search_everywhere", asked).at("/results/0");
        assertEquals(2, hit.at("/fields/page").asInt(), hit::toString);
        assertEquals(4, hit.at("/fields/last_page").asInt(), hit::toString);
        Map<String, Object> above = Map.of(
                "query", "limpet", "sources", List.of("vectordb:seas"), "filters", Map.of("page", Map.of("gt", 2)));
        assertEquals(1, ok("search_everywhere", above).path("results").size(), "a chunk on pages 2 to 4");
        Map<String, Object> beyond = Map.of(
                "query", "limpet", "sources", List.of("vectordb:seas"), "filters", Map.of("page", Map.of("gt", 4)));
        assertEquals(0, ok("search_everywhere", beyond).path("results").size());
    }

    @Test
    void oneHugePageIsOnePage() throws IOException {
        ingest("huge.pdf", MadeFiles.pdf("", page("whale").repeat(40)), "huge");
        List<JsonNode> hits = found("whale", "huge", Map.of("page", 2));
        assertTrue(hits.size() > 10, () -> "chunks: " + hits.size());
        hits.forEach(hit -> assertEquals(2, hit.path("last_page").asInt(), hit::toString));
    }

    @Test
    void everyChunkOfACsvHasItsColumnNames() throws IOException {
        String rows = IntStream.range(0, 5000)
                .mapToObj(i -> "Straße " + i + ",\"10" + i + "\"," + (i % 7))
                .collect(Collectors.joining("\n"));
        ingest(
                "streets.csv",
                ("Straße,名前 | Code,größe\n" + rows).getBytes(java.nio.charset.StandardCharsets.UTF_8),
                "tables");
        List<JsonNode> hits = found("größe", "tables", Map.of("file_type", "csv"));
        assertTrue(hits.size() > 80, () -> "the names are searched in every chunk, these are " + hits.size());
        for (JsonNode hit : hits) {
            String content = hit.path("content").asText();
            assertTrue(content.startsWith("| Straße | 名前 \\| Code | größe |\n| --- | --- | --- |\n| Straße "), content);
        }
        assertTrue(found("\"104711\"", "tables", Map.of())
                .getFirst()
                .path("content")
                .asText()
                .contains("| Straße 4711 | 104711 | 0 |"));
    }

    @Test
    void sheetsAndTablesOfWordRepeatTheirColumnNamesToo() throws IOException {
        String[] cells = IntStream.range(0, 900).mapToObj(i -> "item " + i).toArray(String[]::new);
        cells[0] = "Artikel";
        ingest("stock.xlsx", MadeFiles.xlsx(cells), "office");
        List<JsonNode> hits = found("Artikel", "office", Map.of("file_type", "xlsx"));
        assertTrue(hits.size() > 5, () -> "chunks: " + hits.size());
        hits.forEach(hit ->
                assertTrue(hit.path("content").asText().contains("| Artikel | 0 |\n| --- | --- |\n"), hit::toString));
    }

    @Test
    void agentrootRepeatsTheNamesOfACsvAndNamesPages() throws IOException {
        Path docs = Files.createDirectory(folder.resolve("docs"));
        String rows =
                IntStream.range(0, 3000).mapToObj(i -> "lane " + i + ";" + i).collect(Collectors.joining("\n"));
        Files.writeString(docs.resolve("lanes.csv"), "Name;Länge\n" + rows);
        Files.write(docs.resolve("ship.pdf"), MadeFiles.pdf(page("anchor"), "", page("ballast")));
        McpTestClient notes = gateway.modern("notes");
        ok(
                notes,
                "collection_add",
                Map.of("name", "docs", "path", docs.toRealPath().toString(), "pattern", "**/*"));
        ok(notes, "collection_update", Map.of("name", "docs"));
        JsonNode lanes = ok(notes, "search_chunks", Map.of("query", "Länge", "limit", 50, "detail", "L2"));
        assertTrue(lanes.path("results").size() > 10, lanes::toString);
        lanes.path("results")
                .forEach(hit -> assertTrue(hit.path("content").asText().startsWith("Name;Länge\nlane"), hit::toString));
        JsonNode ship = ok(notes, "search_chunks", Map.of("query", "ballast", "limit", 1))
                .at("/results/0");
        assertEquals(1, ship.path("page").asInt(), ship::toString);
        assertEquals(3, ship.path("last_page").asInt(), ship::toString);
        assertTrue(lanes.at("/results/0/page").isMissingNode(), "no pages");
    }
}
