package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;

/** The search tools. */
class SearchTest extends AgentrootFixture {
    private static final List<String> TOOLS = List.of("search", "vsearch", "query", "smart_search", "explore");

    // ---- search

    @Test
    void moreHitsRankHigher() throws IOException {
        write("one.md", "a heron and some other birds that live near the water of the lake");
        write("three.md", "a heron and a heron and one more heron at the water of the lake");
        index("docs");
        assertEquals(List.of("docs/three.md", "docs/one.md"), found("search", "heron"));
        for (JsonNode result : ok(search("search", "heron")).path("results")) {
            assertTrue(
                    result.path("score").asDouble() > 0 && result.path("score").asDouble() < 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "C++", "what's", "foo-bar", "\"", "to be the of", "file.rs", "a/b", "a,b", "user@host", "#tag", "100%",
                "label:x", "\"open", "NOT x", "x AND", "& = ;", "category:", "category:\"", "tag:a:b", "(", "*", "\\",
                "title:(", "NEAR/3", "\u0000", "\uD800", "日本語", "🦀", " "
            })
    void anyTextIsALegalQuery(String query) throws IOException {
        write("a.md", "C++ and what's foo-bar in file.rs");
        index("docs");
        for (String tool : TOOLS) {
            assertFalse(search(tool, query).isError(), tool);
        }
        for (String tool : List.of("search_chunks", "search_directories", "memory_search")) {
            assertFalse(search(tool, query).isError(), tool);
        }
    }

    @Test
    void filtersApplyBeforeTheLimit() throws IOException {
        for (int i = 0; i < 30; i++) {
            write("n" + i + ".md", "heron heron heron heron");
        }
        write(
                "t.md",
                "---\ncategory: Tutorial\ndifficulty: Advanced\ntags: [lake, birds]\nkeywords: wading\n---\none heron");
        index("docs");
        assertEquals(List.of("docs/t.md"), with("'category':'tutor','limit':1"));
        assertEquals(List.of("docs/t.md"), with("'difficulty':'ADVANCED','limit':1"));
        assertEquals(List.of("docs/t.md"), with("'concept':'bird','limit':1"));
        assertEquals(List.of(), with("'provider':'github'"));
        assertEquals(20, with("'provider':'file'").size());
        for (String inline :
                List.of("category:tutorial", "difficulty:advanced", "tag:lake", "keyword:wad", "TAG:\"lake\"")) {
            assertEquals(List.of("docs/t.md"), found("search", "heron " + inline), inline);
            assertEquals(List.of("docs/t.md"), found("search", inline), inline);
        }
        assertEquals(List.of(), found("search", "heron category:tutor"));
    }

    private List<String> with(String more) {
        return files(ok("search", "{'query':'heron'," + more + "}"));
    }

    @Test
    void aMinimumScoreLeavesOutTheRest() throws IOException {
        write("a.md", "heron heron heron");
        write("b.md", "a heron among many many many other words that are not about it at all");
        index("docs");
        double best = ok(search("search", "heron"))
                .path("results")
                .path(0)
                .path("score")
                .asDouble();
        assertEquals(List.of("docs/a.md"), with("'minScore':" + (best - 0.0001)));
        assertEquals(List.of(), with("'minScore':1"));
    }

    @Test
    void aLongDocumentDoesNotCrowdOutOthers() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1300; i++) {
            text.append("# Heron ")
                    .append(i)
                    .append("\n\n")
                    .append("heron word ".repeat(20))
                    .append("\n\n");
        }
        write("long.md", text.toString());
        write("short.md", "the pelican once met a heron on a very long walk along the endless shore of the sea");
        index("docs");
        assertEquals(2, found("search", "heron").size());
    }

    @Test
    void aWordThatNoDocumentHasIsSearchedAsASimilarOneAndTheReasonSaysSo() throws IOException {
        write("bird.md", "the kingfisher waits above the brook");
        write("fish.md", "a trout hides under the stones");
        index("docs");
        JsonNode reply = ok(search("search", "kingfischer"));
        assertEquals(List.of("docs/bird.md"), files(reply));
        assertEquals(
                "No document has \"kingfischer\": \"kingfisher\" was searched instead.",
                reply.path("reason").asText());
        assertTrue(ok(search("search", "kingfisher")).path("reason").isMissingNode());
    }

    @Test
    void unknownCollectionsAreErrors() {
        assertEquals(
                "NOT_FOUND", call("search", "{'query':'x','collection':'nope'}").errorKind());
    }

    @Test
    void detailMeansWhatItSays() throws IOException {
        write("a.md", "# Birds\n\nFirst sentence. Second sentence about a heron.");
        index("docs");
        JsonNode l0 =
                ok("search", "{'query':'heron','detail':'L0'}").path("results").path(0);
        JsonNode l1 = ok("search", "{'query':'heron'}").path("results").path(0);
        JsonNode l2 =
                ok("search", "{'query':'heron','detail':'L2'}").path("results").path(0);
        assertEquals("First sentence.", l0.path("summary").asText());
        assertFalse(l0.has("keywords"));
        assertTrue(l1.has("keywords"));
        assertFalse(l1.has("content"));
        assertTrue(l2.path("content").asText().endsWith("about a heron."));
        assertEquals("Birds", l0.path("title").asText());
    }

    // ---- vsearch

    @Test
    void theSameTextIsNearest() throws IOException {
        write("a.md", "# heron\n\nheron lake water");
        write("b.md", "# engine\n\nsteam piston boiler");
        index("docs");
        JsonNode reply = ok(search("vsearch", "heron lake water"));
        assertEquals("vector", reply.path("mode").asText());
        assertEquals("docs/a.md", reply.path("results").path(0).path("file").asText());
        assertTrue(reply.path("results").path(0).path("score").asDouble() <= 1);
    }

    @Test
    void withoutVectorsResultsAreByKeywordAndSaySo() throws IOException {
        write("a.md", "heron");
        index("docs");
        embedder.failWith("the model broke");
        for (String tool : List.of("vsearch", "query", "explore", "smart_search")) {
            JsonNode reply = ok(search(tool, "heron"));
            assertEquals("keyword", reply.path("mode").asText(), tool);
            assertEquals("the model broke", reply.path("reason").asText(), tool);
            assertEquals(List.of("docs/a.md"), files(reply), tool);
        }
        embedder.failWith(null);
        embedder.rename("another-model");
        JsonNode other = ok(search("vsearch", "heron"));
        assertEquals("keyword", other.path("mode").asText());
        assertFalse(other.path("reason").asText().isEmpty());
        restart(false);
        assertEquals(List.of("docs/a.md"), found("query", "heron"));
    }

    // ---- query

    @Test
    void fusionByRankIsWhatItsLegsMakeIt() throws IOException {
        fusion = QueryFusion.RRF;
        restart(true);
        String[] words = {"heron", "lake", "boat", "reed", "fish"};
        for (int i = 0; i < 12; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = 0; j <= i; j++) {
                text.append(words[(i * j + j) % 5]).append(' ');
            }
            write("d" + i + ".md", text.append("number").append(i).toString());
        }
        index("docs");
        List<String> byWords = files(ok("search", "{'query':'heron lake','limit':100}"));
        List<String> byVectors = files(ok("vsearch", "{'query':'heron lake','limit':100,'minScore':0}"));
        Map<String, Double> expected = new HashMap<>();
        leg(expected, byWords, 2);
        leg(expected, byVectors, 1);
        List<String> order = new ArrayList<>(expected.keySet());
        order.sort((a, b) -> {
            int byScore = Double.compare(expected.get(b), expected.get(a));
            return byScore != 0 ? byScore : a.compareTo(b);
        });
        JsonNode reply = ok("query", "{'query':'heron lake','limit':100}");
        assertEquals("hybrid", reply.path("mode").asText());
        assertEquals(order, files(reply));
        for (JsonNode result : reply.path("results")) {
            assertEquals(
                    expected.get(result.path("file").asText()),
                    result.path("score").asDouble(),
                    0.0001);
        }
    }

    private static void leg(Map<String, Double> scores, List<String> files, double weight) {
        for (int rank = 1; rank <= files.size(); rank++) {
            double bonus = rank <= 3 ? 0.05 : rank <= 10 ? 0.02 : 0;
            scores.merge(files.get(rank - 1), weight / (60 + rank) + bonus, Double::sum);
        }
    }

    @Test
    void equalContentInTwoPlacesIsTwoResults() throws IOException {
        write("one/a.md", "heron");
        write("two/a.md", "heron");
        index("docs");
        assertEquals(List.of("docs/one/a.md", "docs/two/a.md"), found("query", "heron"));
    }

    // ---- smart_search

    @Test
    void timeExpressionsFilter() throws IOException {
        Files.setLastModifiedTime(
                write("new.md", "heron report"), FileTime.from(clock.instant().minusSeconds(600)));
        Files.setLastModifiedTime(
                write("old.md", "heron report"), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        index("docs");
        JsonNode reply = ok(search("smart_search", "heron files from last hour"));
        assertEquals("heuristic", reply.path("parser").asText());
        assertEquals(List.of("docs/new.md"), files(reply));
        assertEquals(List.of("docs/new.md"), found("smart_search", "files from last hour"));
        assertEquals(List.of("docs/new.md"), found("smart_search", "heron since 2026-02-01"));
        assertEquals(2, found("smart_search", "heron report").size());
        clock.forward(Duration.ofDays(3));
        assertEquals(List.of(), found("smart_search", "heron from the last 2 days"));
        assertEquals(List.of("docs/new.md"), found("smart_search", "heron in the past week"));
    }

    @Test
    void kindsAndLanguagesFilter() throws IOException {
        write("store.py", "def put(heron):\n    return heron\n");
        write("tutorial-store.md", "# Store tutorial\n\nput a heron");
        index("docs");
        assertEquals(List.of("docs/store.py"), found("smart_search", "python code about heron"));
        assertEquals(List.of("docs/tutorial-store.md"), found("smart_search", "tutorials about heron"));
    }

    // ---- batch_search

    @Test
    void queriesOfABatchDoNotDisturbEachOther() throws IOException {
        write("a.md", "heron");
        write("b.md", "heron lake");
        index("docs");
        JsonNode reply = ok(
                "batch_search",
                "{'queries':[{'query':'heron'},{'query':''},{'query':'heron'},{'query':'x','collection':'nope'},{'query':'heron','limit':1},{}]}");
        JsonNode batches = reply.path("batches");
        assertEquals(6, batches.size());
        assertEquals(batches.path(0).path("results"), batches.path(2).path("results"));
        assertEquals(2, batches.path(0).path("count").asInt());
        assertEquals("Missing query", batches.path(1).path("error").asText());
        assertTrue(batches.path(3).path("error").asText().startsWith("Collection not found: nope"));
        assertEquals(1, batches.path(4).path("count").asInt());
        assertEquals("Missing query", batches.path(5).path("error").asText());
    }

    // ---- explore

    @Test
    void suggestionsAreTheSameEachTimeAndNewWords() throws IOException {
        write("src/auth/login.md", "---\nconcepts: [authentication, session, token]\n---\nlogin with a token");
        write("src/auth/logout.md", "---\nconcepts: [authentication, session]\n---\nlogin ends");
        write("docs/intro.md", "---\nconcepts: [welcome]\n---\nlogin first");
        index("docs");
        JsonNode reply = ok(search("explore", "login session"));
        assertEquals(
                reply.path("suggestions"),
                ok(search("explore", "login session")).path("suggestions"));
        assertEquals(2, reply.path("suggestions").path("related_directories").size());
        assertTrue(texts(reply.path("suggestions").path("related_directories")).contains("agentroot://docs/src/auth"));
        List<String> refinements = texts(reply.path("suggestions").path("refinement_queries"));
        assertEquals("login session authentication", refinements.getFirst());
        assertFalse(refinements.contains("login session session"));
        assertEquals(
                "authentication",
                reply.path("suggestions").path("related_concepts").path(0).asText());
    }

    // ---- sessions in searches

    @Test
    void whatWasSeenComesLater() throws IOException {
        write("a.md", "heron heron heron");
        write("b.md", "one heron among several other words");
        index("docs");
        String id = ok("session_start", "{}").path("session_id").asText();
        JsonNode first = ok("search", "{'query':'heron','limit':1,'session_id':'" + id + "'}");
        assertEquals(List.of("docs/a.md"), files(first));
        JsonNode second = ok("search", "{'query':'heron','session_id':'" + id + "'}");
        assertEquals(List.of("docs/b.md", "docs/a.md"), files(second));
        assertEquals(
                first.path("results").path(0).path("score").asDouble() * 0.3,
                second.path("results").path(1).path("score").asDouble(),
                0.0001);
        JsonNode session = ok("session_get", "{'session_id':'" + id + "'}");
        assertEquals(2, session.path("queries").size());
        assertEquals(2, session.path("seen_count").asInt());
        assertEquals(
                "NOT_FOUND", call("search", "{'query':'x','session_id':'nope'}").errorKind());
    }

    @Test
    void everySearchToolTakesASession() throws IOException {
        write("a.md", "heron");
        index("docs");
        String id = ok("session_start", "{}").path("session_id").asText();
        for (String tool : List.of("search", "vsearch", "query", "smart_search", "explore", "search_chunks")) {
            ok(backend.call(tool, Json.object().put("query", "heron").put("session_id", id)));
        }
        ok("batch_search", "{'queries':[{'query':'heron'}],'session_id':'" + id + "'}");
        assertEquals(
                7,
                ok("session_get", "{'session_id':'" + id + "'}").path("queries").size());
    }
}
