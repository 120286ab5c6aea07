package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.backend.agentroot.AgentrootFixture.texts;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.testing.ToolResult;

/** Inputs and outputs that agentroot's own tests fix, through the whole gateway. Its providers have a test of their own. */
class DocumentedFactsOverHttpTest {
    @TempDir
    static Path temp;

    private static AgentrootSite site;

    @BeforeAll
    static void start() {
        site = new AgentrootSite(temp);
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    private static JsonNode chunks(String collection) {
        return site.ok("search_chunks", "{'query':'','collection':'" + collection + "','label':'type:function'}")
                .path("results");
    }

    /** The chunks of a document in their order, each whole. */
    private static List<JsonNode> walk(String collection, String type) {
        JsonNode at = site.ok(
                        "search_chunks",
                        "{'query':'','collection':'" + collection + "','label':'type:" + type + "','limit':1}")
                .path("results")
                .path(0);
        List<JsonNode> all = new ArrayList<>();
        all.add(site.ok("get_chunk", "{'chunk_hash':'" + at.path("chunk_hash").asText() + "'}"));
        ToolResult next = step(all.getFirst());
        while (!next.isError()) {
            all.add(next.structured());
            next = step(next.structured());
        }
        return all;
    }

    private static ToolResult step(JsonNode chunk) {
        return site.call(
                "navigate_chunks", "{'chunk_hash':'" + chunk.path("chunk_hash").asText() + "','direction':'next'}");
    }

    // ---- hashes

    @Test
    void hashesHaveTheirLengthsAndChangeWithWhatTheyAreOf() {
        site.write("hash/a.py", "def heron():\n    pass\n");
        site.index("hash");
        JsonNode found = chunks("hash").path(0);
        String hash = found.path("chunk_hash").asText();
        assertEquals(32, hash.length());
        JsonNode whole = site.ok("get_chunk", "{'chunk_hash':'" + hash + "'}");
        String content = whole.path("document_hash").asText();
        assertTrue(content.matches("[0-9a-f]{64}"), content);
        assertEquals("#" + content.substring(0, 6), whole.path("docid").asText());
        site.ok("collection_remove", "{'name':'hash'}");
        site.index("hash");
        assertEquals(hash, chunks("hash").path(0).path("chunk_hash").asText());
        site.write("hash/a.py", "# A comment above.\ndef heron():\n    pass\n");
        site.update("hash");
        assertNotEquals(hash, chunks("hash").path(0).path("chunk_hash").asText());
    }

    // ---- titles

    @ParameterizedTest
    @CsvSource({
        "one.md, # My Document|Some text, My Document",
        "my-doc.md, no heading at all, my doc",
        "my_important_document.txt, no heading, my important document",
        "README.md, # Notes|## What they are of, What they are of",
        "lower.md, text|## A second level, A second level"
    })
    void titlesComeFromHeadingsOrNames(String name, String text, String title) {
        String collection = "title-" + name.replace('.', '-');
        site.write(collection + "/" + name, text.replace('|', '\n'));
        site.index(collection);
        assertEquals(
                title,
                site.ok("get", "{'file':'" + collection + "/" + name + "'}")
                        .path("title")
                        .asText());
    }

    // ---- first sentences

    private static String firstSentence(String collection, String summary) {
        site.write(collection + "/a.md", "---\nsummary: \"" + summary.replace("\n", "\\n") + "\"\n---\npeewit");
        site.index(collection);
        return site.ok("search", "{'query':'peewit','collection':'" + collection + "','detail':'L0'}")
                .path("results")
                .path(0)
                .path("summary")
                .asText();
    }

    @Test
    void theLeastDetailHasTheFirstSentence() {
        assertEquals("Hello world.", firstSentence("first1", "Hello world. More text."));
        assertEquals("Short text", firstSentence("first2", "Short text"));
        assertEquals("Line one.", firstSentence("first3", "Line one.\nLine two."));
        String cut = firstSentence("first4", "世".repeat(80));
        assertTrue(cut.endsWith("世..."), cut);
        assertTrue(cut.getBytes(StandardCharsets.UTF_8).length <= 210, cut);
        assertFalse(cut.contains("\uFFFD"), cut);
    }

    // ---- pieces

    @Test
    void aTextThatFitsIsOneChunk() {
        site.write("fits/a.txt", "fourteen bytes");
        site.index("fits");
        assertEquals(
                List.of("fourteen bytes"),
                walk("fits", "text").stream()
                        .map(one -> one.path("content").asText())
                        .toList());
    }

    @Test
    void longCodeIsNumberedAndNothingOfItLost() {
        String code = "def long():\n    x = '" + "x".repeat(5000) + "'\n";
        site.write("long/a.py", code);
        site.index("long");
        List<JsonNode> all = walk("long", "function");
        assertEquals(
                List.of("long[0]", "long[1]"),
                all.stream().map(one -> one.path("breadcrumb").asText()).toList());
        assertEquals(
                code,
                all.get(0).path("content").asText() + all.get(1).path("content").asText());
        String exact = "def f():\n    x = '" + "x".repeat(3200 - 20) + "'\n";
        assertEquals(3200, exact.length());
        site.write("exact/a.py", exact);
        site.index("exact");
        assertEquals(List.of("f"), texts(chunks("exact"), "breadcrumb"));
    }

    @Test
    void paragraphsThatDoNotFitTogetherAreApart() {
        site.write("paragraphs/a.md", ("A paragraph of words. ".repeat(90) + "\n\n").repeat(3));
        site.index("paragraphs");
        assertTrue(walk("paragraphs", "text").size() >= 2);
    }

    // ---- sessions

    @Test
    void whatWasSeenCountsThreeTenthsInEverySearchTool() {
        for (int i = 0; i < 12; i++) {
            site.write("seen/f" + i + ".py", "def avocet" + i + "():\n    return 'avocet " + "reed ".repeat(i) + "'\n");
        }
        site.index("seen");
        for (String tool : List.of("search", "vsearch", "query", "smart_search", "explore", "search_chunks")) {
            String id = site.ok("session_start", "{}").path("session_id").asText();
            String more = tool.equals("vsearch") ? "'minScore':0," : "";
            String args = "{'query':'avocet','collection':'seen','limit':%d," + more + "'session_id':'" + id + "'}";
            JsonNode first = site.ok(tool, args.formatted(1)).path("results").path(0);
            JsonNode all = site.ok(tool, args.formatted(12)).path("results");
            assertEquals(12, all.size(), tool);
            int place = texts(all, "file").indexOf(first.path("file").asText());
            assertEquals(
                    first.path("score").asDouble() * 0.3,
                    all.path(place).path("score").asDouble(),
                    0.0001,
                    tool);
            List<Double> scores = new ArrayList<>();
            all.forEach(one -> scores.add(one.path("score").asDouble()));
            assertEquals(scores.stream().sorted(Comparator.reverseOrder()).toList(), scores, tool);
            // Ten of twelve are seen, and the first, which may be behind them now.
            assertEquals(
                    place < 10 ? 10 : 11,
                    site.ok("session_get", "{'session_id':'" + id + "'}")
                            .path("seen_count")
                            .asInt(),
                    tool);
        }
        String id = site.ok("session_start", "{}").path("session_id").asText();
        String batch = "{'queries':[{'query':'avocet','collection':'seen','limit':1}],'session_id':'" + id + "'}";
        JsonNode before = site.ok("batch_search", batch).path("batches").path(0).path("results");
        JsonNode after = site.ok("batch_search", batch.replace("'limit':1", "'limit':12"))
                .path("batches")
                .path(0)
                .path("results");
        assertEquals(before.path(0).path("file"), after.path(11).path("file"));
    }

    // ---- memories

    private static String remember(String content, String category, double confidence) {
        return AgentrootSite.structured(site.call(
                        "memory_store",
                        Json.object()
                                .put("content", content)
                                .put("category", category)
                                .put("confidence", confidence)))
                .path("id")
                .asText();
    }

    @Test
    void memoriesKeepWhatTheyWereGiven() {
        List<String> ids = List.of(
                remember("Rust is memory safe", "fact", .9),
                remember("Python is dynamic", "fact", 1),
                remember("Tabs over spaces", "preference", 1));
        assertTrue(ids.stream().allMatch(id -> id.matches("mem-[0-9a-f]{32}")), ids::toString);
        JsonNode found = site.ok("memory_search", "{'query':'Rust'}").path("memories");
        assertEquals(List.of("Rust is memory safe"), texts(found, "content"));
        assertEquals(.9, found.path(0).path("confidence").asDouble());
        assertEquals(
                0,
                site.ok("memory_search", "{'query':'Rust','category':'preference'}")
                        .path("count")
                        .asInt());
        assertEquals(3, site.ok("memory_list", "{}").path("count").asInt());
        assertEquals(
                2, site.ok("memory_list", "{'category':'fact'}").path("count").asInt());
        assertEquals(2, site.ok("memory_list", "{'limit':2}").path("count").asInt());
        ids.forEach(id -> site.ok("memory_delete", "{'id':'" + id + "'}"));
        String session = site.ok("session_start", "{}").path("session_id").asText();
        site.ok("session_set", "{'session_id':'" + session + "','key':'topic','value':'authentication'}");
        site.says("[{'content':'Likes birds','category':'preference','confidence':0.9},"
                + "{'content':'Has a boat','category':'fact','confidence':0.5}]");
        assertEquals(
                2,
                site.ok("memory_extract", "{'sessionId':'" + session + "'}")
                        .path("count")
                        .asInt());
    }

    // ---- metadata

    @Test
    void metadataIsMergedComparedAndSearched() {
        for (int i = 1; i <= 3; i++) {
            site.write("facts/f" + i + ".md", "sanderling " + i);
        }
        site.index("facts");
        for (int i = 1; i <= 3; i++) {
            site.ok(
                    "metadata_add",
                    "{'docid':'facts/f" + i + ".md','metadata':{'rank10':" + i + ",'author':'Alice','version':'1.0'}}");
        }
        JsonNode greater = site.ok("metadata_query", "{'field':'rank10','operator':'gt','value':1}");
        assertEquals(List.of("facts/f2.md", "facts/f3.md"), texts(greater.path("files")));
        site.ok(
                "metadata_add",
                "{'docid':'facts/f2.md','metadata':{'author':'Bob Whimbrel','labels':['tundra','coast']}}");
        JsonNode merged = site.ok("metadata_get", "{'docid':'facts/f2.md'}").path("metadata");
        assertEquals("Bob Whimbrel", merged.path("author").path("value").asText());
        assertEquals("1.0", merged.path("version").path("value").asText());
        assertEquals(2, merged.path("labels").path("value").size());
        for (String tool : List.of("search", "query", "smart_search", "explore")) {
            assertEquals("facts/f2.md", site.found(tool, "facts", "whimbrel").getFirst(), tool);
        }
        assertEquals(List.of("facts/f2.md"), site.found("search", "facts", "tundra"));
        assertEquals(List.of("facts/f1.md", "facts/f3.md"), site.found("search", "facts", "alice"));
        site.write("facts/f2.md", "sanderling, changed");
        site.update("facts");
        assertEquals(List.of("facts/f2.md"), site.found("search", "facts", "whimbrel"));
    }

    @Test
    void titleKeywordsAndMetadataWeighMoreThanText() {
        String filler = " and other words that say nothing of it";
        site.write("weights/metadata.md", "# One thing\n\none text" + filler);
        site.write("weights/keyword.md", "---\nkeywords: [godwit]\n---\n# One thing\n\none text" + filler);
        site.write("weights/title.md", "# Godwit thing\n\none text" + filler);
        site.write("weights/text.md", "# One thing\n\none godwit" + filler);
        site.index("weights");
        site.ok("metadata_add", "{'docid':'weights/metadata.md','metadata':{'bird':'godwit'}}");
        List<String> found = site.found("search", "weights", "godwit");
        assertEquals(4, found.size());
        assertEquals("weights/text.md", found.getLast());
    }

    // ---- folders and suggestions

    @Test
    void foldersAndSuggestions() {
        site.write("dirs/src/auth/login.rs", "// The plover logs in.\nfn login() {}\n");
        site.write("dirs/src/auth/token.rs", "// A plover's token.\nfn token() {}\n");
        site.write("dirs/src/db/pool.rs", "// Plovers pooled.\nfn pool() {}\n");
        site.index("dirs");
        JsonNode folders = site.ok("browse_directory", "{'collection':'dirs','path':'src'}")
                .path("directories");
        assertEquals(List.of("src/auth", "src/db"), texts(folders, "path"));
        assertEquals(List.of("2", "1"), texts(folders, "file_count"));
        assertEquals("rust", folders.path(0).path("dominant_language").asText());
        JsonNode suggestions =
                site.ok("explore", "{'query':'plover','collection':'dirs'}").path("suggestions");
        assertEquals(
                Set.of("agentroot://dirs/src/auth", "agentroot://dirs/src/db"),
                Set.copyOf(texts(suggestions.path("related_directories"))));
        texts(suggestions.path("refinement_queries"))
                .forEach(one -> assertFalse(one.matches("plover .*\\bplover\\b.*"), one));
    }

    // ---- documents

    @Test
    void documentsByPathLinesAndPatterns() {
        site.write("docs10/a.md", "one\ntwo\nthree\n");
        site.write("docs10/b.md", "b");
        site.write("docs10/c.txt", "c");
        site.index("docs10");
        assertEquals("two\nthree\n", text("{'file':'docs10/a.md','fromLine':2,'maxLines':2}"));
        assertEquals("1: one\n", text("{'file':'docs10/a.md','maxLines':1,'lineNumbers':true}"));
        JsonNode glob = site.ok("multi_get", "{'pattern':'docs10/*.md','maxLines':1}");
        assertEquals(List.of("docs10/a.md", "docs10/b.md"), texts(glob.path("files"), "file"));
        JsonNode list = site.ok("multi_get", "{'pattern':'docs10/a.md, docs10/c.txt'}");
        assertEquals(List.of("docs10/a.md", "docs10/c.txt"), texts(list.path("files"), "file"));
        assertTrue(site.call("multi_get", "{'pattern':''}").isError());
    }

    private static String text(String args) {
        return site.call("get", args)
                .result()
                .path("content")
                .path(0)
                .path("resource")
                .path("text")
                .asText();
    }
}
