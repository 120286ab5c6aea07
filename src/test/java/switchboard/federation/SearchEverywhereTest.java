package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The composed tools over HTTP, on two embedded stores. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SearchEverywhereTest {
    private static final String YAML = """
            embedders:
              default: {provider: none}
            backends:
              vectordb: {type: vectordb, dataDir: data/one}
              archive: {type: vectordb, dataDir: data/two}
            search: {fusion: {constant: 9}}
            """;

    private final Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private TestGateway gateway;
    private McpTestClient client;

    @BeforeAll
    void start() {
        gateway = TestGateway.start(YAML);
        client = gateway.modern();
        ingest("ingest_text", "ships", "Tugboats", "A tugboat moves larger vessels by pushing or towing them.", 2020);
        ingest("ingest_text", "ships", "Ferries", "A ferry carries passengers and cars across water.", 2021);
        ingest("archive__ingest_text", "old", "Steam tugs", "Steam tugboats moved sailing vessels in harbours.", 1890);
        ingest(
                "archive__ingest_text",
                "old",
                "Copy",
                "A tugboat moves larger vessels by pushing or towing them.",
                2020);
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    private void ingest(String tool, String library, String title, String text, int year) {
        ToolResult result = client.call(
                tool,
                Json.object()
                        .put("content", text)
                        .put("title", title)
                        .put("source", "https://example.org/" + library + "/" + title.replace(' ', '-'))
                        .put("library", library)
                        .set("metadata", Json.object().put("year", year)));
        assertFalse(result.isError(), result::toString);
    }

    private ToolResult search(String arguments) {
        return client.call("search_everywhere", arguments);
    }

    private static List<String> titles(ToolResult result) {
        List<String> titles = new ArrayList<>();
        result.structured()
                .path("results")
                .forEach(hit -> titles.add(hit.path("title").asText()));
        return titles;
    }

    @Test
    void oneQuestionIsAnsweredFromEverySource() {
        ToolResult result = search("{\"query\": \"tugboat vessels\"}");
        assertTrue(titles(result).containsAll(List.of("Steam tugs")), result::toString);
        List<String> sources = new ArrayList<>();
        result.structured()
                .path("sources")
                .forEach(source -> sources.add(source.path("source").asText() + " "
                        + source.path("status").asText()));
        // By keyword only, and it says so.
        assertEquals(List.of("archive:old partial", "vectordb:ships partial"), sources);
    }

    @Test
    void theSameTextInTwoSourcesIsOneHitWithBothOrigins() {
        JsonNode best = search("{\"query\": \"pushing or towing larger vessels\"}")
                .structured()
                .path("results")
                .get(0);
        assertEquals(1, best.path("also_in").size(), best::toString);
        assertFalse(best.path("source")
                .asText()
                .equals(best.path("also_in").get(0).path("source").asText()));
    }

    @Test
    void hitsHaveTheirRelevanceAndLittleRelevantOnesCanBeLeftOut() {
        JsonNode all = search("{\"query\": \"what pushes larger vessels\"}")
                .structured()
                .path("results");
        List<Double> relevance = new ArrayList<>();
        all.forEach(hit -> relevance.add(hit.path("relevance").asDouble()));
        assertEquals(2, all.size(), all::toString);
        assertTrue(relevance.get(0) > 0.9 && relevance.get(1) < 0.5, all::toString);
        ToolResult near = search("{\"query\": \"what pushes larger vessels\", \"min_relevance\": 0.9}");
        assertEquals(List.of(all.get(0).path("title").asText()), titles(near));
        assertTrue(near.structured().path("reason").isMissingNode(), near::toString);
        ToolResult none = search("{\"query\": \"vessels in the desert sand of Arabia\", \"min_relevance\": 0.9}");
        assertEquals(List.of(), titles(none));
        assertTrue(
                none.structured()
                        .path("reason")
                        .asText()
                        .matches(
                                "No result reaches min_relevance 0.9: the best result has 0\\.\\d{1,3}\\. Ask in other words.*"),
                none::toString);
        ToolResult unknown = search("{\"query\": \"zxqwvbn\"}");
        assertEquals(List.of(), titles(unknown));
        assertEquals(
                "No source has anything that matches. Ask in other words.",
                unknown.structured().path("reason").asText());
    }

    @Test
    void sourcesCanBeChosen() {
        assertEquals(
                Set.of("Steam tugs", "Copy"),
                Set.copyOf(titles(search("{\"query\": \"tugboats\", \"sources\": [\"arch*\"]}"))));
        ToolResult none = search("{\"query\": \"tugboats\", \"sources\": [\"nobody\"]}");
        assertTrue(none.isError());
        assertTrue(none.text().contains("list_sources"), none::text);
    }

    @Test
    void filtersHoldForEveryHit() {
        assertEquals(
                List.of("Steam tugs"),
                titles(search("{\"query\": \"tugboat\", \"filters\": {\"year\": {\"lt\": 1900}}}")));
        assertEquals(
                List.of(),
                titles(search("{\"query\": \"tugboat\", \"filters\": {\"year\": {\"gt\": 1890, \"lt\": 2020}}}")));
        assertEquals(
                List.of("Ferries"), titles(search("{\"query\": \"ferry\", \"filters\": {\"year\": {\"gte\": 2021}}}")));
        ToolResult wrong = search("{\"query\": \"tugboat\", \"filters\": {\"year\": {\"near\": 1900}}}");
        assertTrue(wrong.text().contains("filters.year"), wrong::text);
    }

    @Test
    void aHitsAddressLeadsToItsText() {
        JsonNode hit = search("{\"query\": \"ferry passengers\"}")
                .structured()
                .path("results")
                .get(0);
        ToolResult document = client.call(
                "fetch_document",
                Json.object().put("address", hit.path("address").asText()));
        assertEquals(
                "A ferry carries passengers and cars across water.",
                document.structured().path("text").asText(),
                document::toString);
        ToolResult missing = client.call("fetch_document", "{\"address\": \"switchboard://vectordb/ships/00000000\"}");
        assertTrue(missing.isError());
    }

    @Test
    void sourcesAreListedWithWhatFiltersMayUse() {
        JsonNode sources = client.call("list_sources", "{}").structured().path("sources");
        assertEquals("archive:old", sources.get(0).path("source").asText());
        assertEquals(2, sources.get(0).path("documents").asInt());
        Instant updated = Instant.parse(sources.get(0).path("updated").asText());
        assertTrue(!updated.isBefore(begun) && !updated.isAfter(Instant.now()), updated::toString);
    }

    /**
     * A hit that has no room of its own is shown shortened first, and whole by next. Which ones depends on the size of the
     * rest, such as the milliseconds of each source.
     */
    @Test
    void aBudgetShortensThenOmitsAndNextHasTheRest() throws Exception {
        String query = "{\"query\": \"tugboat vessels ferry\", \"detail\": \"titles\"";
        List<JsonNode> all = results(search(query + "}"));
        String budgeted = query + ", \"budget_tokens\": 260}";
        List<JsonNode> together = new ArrayList<>();
        ToolResult part = search(budgeted);
        follow(part, together);
        assertTrue(together.size() < all.size(), part::toString);
        while (part.structured().has("truncated")) {
            ObjectNode next = (ObjectNode) Json.parse(budgeted);
            next.setAll((ObjectNode) part.structured().path("truncated").path("next"));
            part = client.call("search_everywhere", next);
            follow(part, together);
        }
        assertEquals(all, together);
    }

    private static double sum(JsonNode parts) {
        return parts.valueStream()
                .mapToDouble(part -> part.path("value").asDouble())
                .sum();
    }

    private static List<String> names(JsonNode parts) {
        return parts.valueStream().map(part -> part.path("name").asText()).toList();
    }

    @Test
    void hitsSayWhyTheyRankIfOneAsks() {
        String query = "{\"query\": \"tugboat vessels ferry\", \"weights\": {\"archive\": 0.5}, \"explain\": ";
        ToolResult explained = search(query + "true}");
        for (JsonNode hit : results(explained)) {
            JsonNode why = hit.path("explanation");
            assertEquals(hit.path("score").asDouble(), sum(why.path("parts")), 3e-5, hit::toString);
            assertEquals(hit.path("source_score").asDouble(), sum(why.path("in_source")), 3e-5, hit::toString);
            boolean weighted = hit.path("source").asText().startsWith("archive:");
            assertEquals(
                    weighted ? List.of("keyword", "source_rank", "source_weight") : List.of("keyword", "source_rank"),
                    names(why.path("parts")),
                    hit::toString);
            assertFalse(why.path("words").isEmpty(), hit::toString);
            String said = hit.path("title").asText() + " " + hit.path("text").asText();
            why.path("words").forEach(word -> assertTrue(said.contains(word.asText()), hit::toString));
        }
        assertEquals(
                "[\"Steam\",\"tugs\"]",
                results(search("{\"query\": \"steam tug\", \"explain\": true}"))
                        .getFirst()
                        .path("explanation")
                        .path("words")
                        .toString());
        List<JsonNode> without = results(search(query + "false}"));
        assertEquals(
                results(explained).stream()
                        .<JsonNode>map(hit -> ((ObjectNode) hit.deepCopy()).without("explanation"))
                        .toList(),
                without);
    }

    @Test
    void aCallCanRankInAnotherWay() {
        String query = "{\"query\": \"tugboat vessels\", \"explain\": true, ";
        JsonNode byRank = results(search(query + "\"fusion\": \"rrf\"}")).getFirst();
        assertEquals(
                "source_rank", names(byRank.path("explanation").path("parts")).getFirst(), byRank::toString);
        assertEquals(
                byRank.path("score").asDouble(), sum(byRank.path("explanation").path("parts")), 3e-5, byRank::toString);
        assertEquals(1.0 / (9 + 1), byRank.at("/explanation/parts/0/value").asDouble(), "of the configured constant");
        ToolResult keyword = search(query + "\"mode\": \"keyword\"}");
        results(keyword)
                .forEach(hit -> assertEquals(
                        List.of("keyword"), names(hit.path("explanation").path("parts")), hit::toString));
        // Nothing is missing if nobody wants vectors.
        assertEquals(
                List.of("ok", "ok"),
                keyword.structured()
                        .path("sources")
                        .valueStream()
                        .map(source -> source.path("status").asText())
                        .toList());
        ToolResult vector = search(query + "\"mode\": \"vector\"}");
        results(vector)
                .forEach(hit -> assertEquals(
                        List.of("source_rank"), names(hit.path("explanation").path("parts")), hit::toString));
        assertEquals(
                "vectordb:ships",
                results(search(query + "\"weights\": {\"archive:old\": 0}}"))
                        .getFirst()
                        .path("source")
                        .asText());
    }

    @Test
    void weightsAreOfSourcesThatAreSearched() {
        ToolResult unknown = search("{\"query\": \"tugboat\", \"weights\": {\"archive:new\": 2, \"vectordb\": 1}}");
        assertTrue(
                unknown.isError()
                        && unknown.text().contains("weights names what is no source of this search: \"archive:new\""),
                unknown::toString);
        // A name that goes on after a source's, or before it ends, has no effect.
        for (String name : List.of("archive:old:more", "archive:ol", "arch", "vectordb:old", ":old")) {
            ToolResult refused = search("{\"query\": \"tugboat\", \"weights\": {\"" + name + "\": 2}}");
            assertTrue(refused.isError() && refused.text().contains("search: \"" + name + "\""), refused::toString);
        }
        for (String wrong : List.of("{\"archive\": -1}", "{\"archive\": 101}", "{\"archive\": \"2\"}", "{\"\": 1}")) {
            ToolResult refused = search("{\"query\": \"tugboat\", \"weights\": " + wrong + "}");
            assertTrue(refused.isError() && refused.text().contains("weights"), refused::toString);
        }
    }

    private static List<JsonNode> results(ToolResult result) {
        return result.structured().path("results").valueStream().toList();
    }

    /** Adds the hits of {@code part}. The first of them may be the last of {@code known} in whole. */
    private static void follow(ToolResult part, List<JsonNode> known) {
        for (JsonNode hit : results(part)) {
            if (!known.isEmpty() && known.getLast().path("address").equals(hit.path("address"))) {
                known.removeLast();
            }
            known.add(hit);
        }
    }

    @Test
    void promptsLeadToTheToolsAndTheirSourceIsCompleted() {
        JsonNode prompts = client.result("prompts/list", Json.object()).path("prompts");
        assertEquals(4, prompts.size(), prompts::toString);
        ObjectNode ask = Json.object().put("name", "search_and_cite");
        ask.putObject("arguments").put("question", "What tows ships?").put("source", "archive:old");
        String text = client.result("prompts/get", ask)
                .path("messages")
                .path(0)
                .path("content")
                .path("text")
                .asText();
        assertTrue(text.contains("What tows ships?") && text.contains("[\"archive:old\"]"), text);
        ObjectNode complete = Json.object();
        complete.putObject("ref").put("type", "ref/prompt").put("name", "explore_collection");
        complete.putObject("argument").put("name", "source").put("value", "OLD");
        JsonNode values = client.result("completion/complete", complete)
                .path("completion")
                .path("values");
        assertEquals("[\"archive:old\"]", values.toString());
    }
}
