package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.backend.agentroot.AgentrootFixture.texts;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.ToolResult;
import switchboard.testing.WordRanking;

/** What each of the twenty-nine tools must show at least, one method a tool, through one gateway or several. */
public abstract class AgentrootToolsContract {
    private static final List<String> HOSTILE =
            List.of("C++", "what's", "foo-bar", "\"", "to be the of", "NOT x", "x AND", "a:b", "(", "%");

    private static final List<String> FILLERS =
            List.of("boat", "reed", "fish", "stone", "tree", "cloud", "road", "bridge", "lamp", "chair");

    private AgentrootSite site;

    /** What is asked. */
    protected abstract AgentrootSite site();

    @BeforeEach
    void begin() {
        site = site();
    }

    private void write(String path, String text) {
        site.write(path, text);
    }

    private JsonNode in(String tool, String collection, String query) {
        return AgentrootSite.structured(
                site.call(tool, Json.object().put("query", query).put("collection", collection)));
    }

    // ---- search

    @Test
    void searchRanksByWordsFiltersAndAcceptsAnyQuery() {
        write("r25/one.md", "a heron and some other birds that live near the water of the lake");
        write("r25/three.md", "a heron and a heron and one more heron at the water of the lake");
        write("r25/t.md", "---\ncategory: tutorial\ndifficulty: advanced\nconcepts: wading\n---\none heron in it");
        site.index("r25");
        List<String> files = site.found("search", "r25", "heron");
        assertEquals("r25/three.md", files.getFirst());
        for (String query : HOSTILE) {
            assertFalse(site.call("search", Json.object().put("query", query)).isError(), query);
        }
        for (String filter : List.of(
                "'category':'tutorial'", "'difficulty':'advanced'", "'concept':'wading'", "'provider':'file'")) {
            JsonNode one = site.ok("search", "{'query':'heron','collection':'r25','limit':1," + filter + "}");
            assertEquals(1, one.path("count").asInt(), filter);
        }
        assertEquals(
                List.of("r25/t.md"),
                AgentrootSite.files(
                        site.ok("search", "{'query':'heron','collection':'r25','limit':1,'category':'tutorial'}")));
        assertEquals(
                0,
                site.ok("search", "{'query':'heron','collection':'r25','minScore':1}")
                        .path("count")
                        .asInt());
    }

    @Test
    void vectorSearchFallsBackToKeywords() {
        write("r26/a.md", "# heron\n\nheron lake water");
        write("r26/b.md", "# engine\n\nsteam piston boiler");
        site.index("r26");
        JsonNode found = in("vsearch", "r26", "heron lake water");
        assertEquals("vector", found.path("mode").asText());
        assertEquals("r26/a.md", found.path("results").path(0).path("file").asText());
        assertTrue(found.path("results").path(0).path("score").asDouble() <= 1);
        site.words.failWith("broken");
        try {
            JsonNode down = in("vsearch", "r26", "steam engine anew");
            assertEquals("keyword", down.path("mode").asText());
            assertTrue(down.path("reason").asText().contains("openai"), down.toString());
            assertEquals(List.of("r26/b.md"), AgentrootSite.files(down));
        } finally {
            site.words.failWith(null);
        }
        McpTestClient plain = site.plain();
        AgentrootSite.structured(plain.call(
                "collection_add",
                Json.object()
                        .put("name", "p26")
                        .put("path", site.folder.resolve("r26").toString())));
        AgentrootSite.structured(plain.call("collection_update", "{\"name\":\"p26\"}"));
        JsonNode none = AgentrootSite.structured(plain.call("vsearch", "{\"query\":\"heron\"}"));
        assertEquals("keyword", none.path("mode").asText());
        assertEquals(List.of("p26/a.md"), AgentrootSite.files(none));
    }

    /**
     * Ten texts of equal length, so that by words the number of "heron" decides. The rest of a text is one word again and
     * again, or many words, so that vectors order them otherwise. Both orders are calculated here.
     */
    @Test
    void queryCombinesWordsAndVectors() {
        Map<String, Double> words = new LinkedHashMap<>();
        Map<String, Double> vectors = new LinkedHashMap<>();
        for (int i = 0; i < 10; i++) {
            int herons = 10 - i;
            int different = 1 + i;
            StringBuilder text = new StringBuilder("heron ".repeat(herons));
            for (int k = 0; k < 40 - herons; k++) {
                text.append(FILLERS.get(k % different)).append(' ');
            }
            String file = "r27/d" + i + ".md";
            write(file, text.toString().strip());
            words.put(file, (double) herons);
            vectors.put(
                    file,
                    WordRanking.cosine(
                            site.words.embedQuery("heron").result(),
                            site.words.embedQuery(text.toString().strip()).result()));
        }
        site.index("r27");
        Map<String, Double> expected = new LinkedHashMap<>();
        leg(expected, words, 2);
        leg(expected, vectors, 1);
        JsonNode found = site.ok("query", "{'query':'heron','collection':'r27','limit':100}");
        assertEquals(List.copyOf(WordRanking.sorted(expected).keySet()), AgentrootSite.files(found));
        assertNotEquals(
                List.copyOf(WordRanking.sorted(words).keySet()),
                List.copyOf(WordRanking.sorted(vectors).keySet()));
        JsonNode plain = AgentrootSite.structured(site.plain().call("query", "{\"query\":\"nothing like it\"}"));
        assertEquals("keyword", plain.path("mode").asText());
        assertFalse(plain.path("reason").asText().isEmpty());
    }

    private static void leg(Map<String, Double> scores, Map<String, Double> leg, double weight) {
        int rank = 1;
        for (String file : WordRanking.sorted(leg).keySet()) {
            double bonus = rank <= 3 ? 0.05 : rank <= 10 ? 0.02 : 0;
            scores.merge(file, weight / (60 + rank) + bonus, Double::sum);
            rank++;
        }
    }

    @Test
    void smartSearchUsesRulesWhenTheModelDoesNotAnswer() throws IOException {
        write("r28/new.md", "heron report");
        write("r28/old.md", "heron report");
        Files.setLastModifiedTime(
                site.folder.resolve("r28/new.md"), FileTime.from(site.now().minusSeconds(60)));
        Files.setLastModifiedTime(
                site.folder.resolve("r28/old.md"), FileTime.from(site.now().minus(Duration.ofDays(400))));
        site.index("r28");
        // The model answers nothing: the rules do.
        JsonNode reply = in("smart_search", "r28", "heron files from last hour");
        assertEquals("heuristic", reply.path("parser").asText());
        assertFalse(reply.path("parserReason").asText().isEmpty());
        assertEquals(List.of("r28/new.md"), AgentrootSite.files(reply));
        assertEquals(
                AgentrootSite.files(in("query", "r28", "heron")),
                AgentrootSite.files(in("smart_search", "r28", "heron")));
        Instant until = site.now().minus(Duration.ofDays(60)).truncatedTo(ChronoUnit.DAYS);
        site.says("{'words':'heron','since':'','until':'" + until + "','category':'','language':''}");
        JsonNode understood = in("smart_search", "r28", "what did we write about herons before this year?");
        assertEquals("llm", understood.path("parser").asText());
        assertEquals(List.of("r28/old.md"), AgentrootSite.files(understood));
    }

    // ---- documents

    private String text(String args) {
        return site.call("get", args)
                .result()
                .path("content")
                .path(0)
                .path("resource")
                .path("text")
                .asText();
    }

    @Test
    void getReadsByEveryFormOfAddress() {
        write("r29/a.md", "one of file 29\ntwo\nthree\n");
        site.index("r29");
        String docid = in("search", "r29", "three")
                .path("results")
                .path(0)
                .path("docid")
                .asText();
        for (String address : List.of("r29/a.md", docid, docid.substring(1), "agentroot://r29/a.md")) {
            assertEquals("one of file 29\ntwo\nthree\n", text("{'file':'" + address + "'}"), address);
        }
        assertEquals("two\n", text("{'file':'r29/a.md','fromLine':2,'maxLines':1}"));
        assertEquals("2: two\n", text("{'file':'r29/a.md','fromLine':2,'maxLines':1,'lineNumbers':true}"));
        ToolResult nothing = site.call("get", "{'file':'%'}");
        assertEquals(
                "Document not found: %. search shows addresses, multi_get takes a pattern such as *.md.",
                nothing.text());
    }

    @Test
    void multiGetReadsByPatternAndByList() {
        write("r30/a.md", "a of file 30");
        write("r30/b.md", "b of file 30");
        write("r30/c.txt", "c of file 30");
        write("r30/big.txt", "x".repeat(20_000));
        site.index("r30");
        assertEquals(
                List.of("r30/a.md", "r30/b.md"),
                texts(site.ok("multi_get", "{'pattern':'r30/*.md'}").path("files"), "file"));
        String docid = site.ok("get", "{'file':'r30/b.md'}").path("docid").asText();
        JsonNode listed = site.ok("multi_get", "{'pattern':'r30/a.md," + docid + ",missing'}");
        assertEquals(2, listed.path("count").asInt());
        assertEquals(List.of("missing"), texts(listed.path("missing"), "file"));
        assertEquals(
                List.of("r30/big.txt"),
                texts(site.ok("multi_get", "{'pattern':'r30/*'}").path("skipped"), "file"));
    }

    @Test
    void statusCountsTheDocumentsOfEachCollection() {
        for (String file : List.of("r31a/a.md", "r31a/b.md", "r31a/c.md", "r31b/a.md", "r31b/b.md")) {
            write(file, "text of " + file);
        }
        int before = site.ok("status", "{}").path("totalDocuments").asInt();
        site.index("r31a");
        site.index("r31b");
        JsonNode status = site.ok("status", "{}");
        assertEquals(before + 5, status.path("totalDocuments").asInt());
        Map<String, Integer> counts = new LinkedHashMap<>();
        status.path("collections")
                .forEach(one -> counts.put(
                        one.path("name").asText(), one.path("documents").asInt()));
        assertEquals(3, counts.get("r31a"));
        assertEquals(2, counts.get("r31b"));
        assertTrue(status.path("hasVectorIndex").asBoolean());
        assertTrue(texts(status.path("providers")).contains("file"));
    }

    // ---- collections

    @Test
    void collectionAddChecksNameProviderAndSettings() {
        write("r32/a.md", "a");
        String path = site.folder.resolve("r32").toString();
        JsonNode added = site.ok("collection_add", "{'name':'r32','path':'" + path + "'}");
        assertEquals("**/*.md", added.path("pattern").asText());
        assertEquals("file", added.path("provider").asText());
        ToolResult again = site.call("collection_add", "{'name':'r32','path':'" + path + "'}");
        assertEquals("CONFLICT", again.errorKind());
        assertTrue(again.text().startsWith("Collection already exists: r32"));
        assertTrue(site.call("collection_add", "{'name':'f','path':'" + path + "','provider':'ftp'}")
                .text()
                .startsWith("Unknown provider type: ftp"));
        site.ok("collection_add", "{'name':'r32o','path':'" + path + "','config':{'exclude_hidden':'true'}}");
        site.ok(
                "collection_add",
                "{'name':'r32s','path':'" + path
                        + "','config':'{\\'exclude_hidden\\':\\'true\\'}'}".replace("\\'", "\\\""));
        assertEquals(
                "DENIED",
                site.call("collection_add", "{'name':'x','path':'/etc'}").errorKind());
        for (String name : List.of("r32o", "r32s", "r32")) {
            site.ok("collection_remove", "{'name':'" + name + "'}");
        }
    }

    @Test
    void collectionRemoveRemovesItsIndex() {
        write("r33/a.md", "dunlin");
        site.index("r33");
        assertEquals(1, site.found("search", "r33", "dunlin").size());
        assertTrue(
                site.ok("collection_remove", "{'name':'r33'}").path("removed").asBoolean());
        assertEquals(0, site.ok("search", "{'query':'dunlin'}").path("count").asInt());
        site.index("r33");
        assertEquals(1, site.found("search", "r33", "dunlin").size());
        ToolResult unknown = site.call("collection_remove", "{'name':'nope'}");
        assertEquals("Collection not found: nope. status lists the collections.", unknown.text());
        assertFalse(unknown.error().path("removed").asBoolean(true));
    }

    @Test
    void collectionUpdateFindsChangedAndRemovedFiles() throws IOException {
        write("r34/a.md", "alpha one");
        write("r34/b.md", "beta two");
        write("r34/c.md", "gamma three");
        Files.write(site.folder.resolve("r34/d.md"), new byte[] {1, 0, 2});
        assertEquals(3, site.index("r34").path("filesUpdated").asInt());
        assertEquals(0, site.update("r34").path("filesUpdated").asInt());
        write("r34/a.md", "alpha edited");
        Files.delete(site.folder.resolve("r34/b.md"));
        JsonNode third = site.update("r34");
        assertEquals(1, third.path("filesUpdated").asInt());
        assertEquals(1, third.path("removed").asInt());
        assertEquals(List.of("d.md"), texts(third.path("skipped"), "path"));
        assertEquals(List.of(), site.found("search", "r34", "beta"));
        assertEquals(List.of(), texts(in("search_chunks", "r34", "beta").path("results"), "file"));
        assertEquals(List.of("r34/a.md"), site.found("search", "r34", "edited"));
    }

    // ---- metadata

    @Test
    void metadataAddKeepsWhatIsThere() {
        write("r35/a.md", "a of file 35");
        site.index("r35");
        site.ok("metadata_add", "{'docid':'r35/a.md','metadata':{'a':1}}");
        JsonNode added = site.ok("metadata_add", "{'docid':'r35/a.md','metadata':{'b':'x'}}");
        assertEquals(1, added.path("added").asInt());
        JsonNode all = site.ok(
                        "metadata_get", "{'docid':'" + added.path("docid").asText() + "'}")
                .path("metadata");
        assertEquals(1, all.path("a").path("value").asInt());
        assertEquals("x", all.path("b").path("value").asText());
        assertEquals(
                "Document not found: #ffffff. search shows addresses, multi_get takes a pattern such as *.md.",
                site.call("metadata_add", "{'docid':'#ffffff','metadata':{'a':1}}")
                        .text());
    }

    @Test
    void metadataGetReturnsTypedValues() {
        write("r36/a.md", "a of file 36");
        site.index("r36");
        assertEquals(
                "No metadata found for document: r36/a.md. metadata_add gives it some.",
                site.call("metadata_get", "{'docid':'r36/a.md'}").text());
        site.ok("metadata_add", "{'docid':'r36/a.md','metadata':{'author':'Alice'}}");
        assertEquals(
                "{\"author\":{\"type\":\"Text\",\"value\":\"Alice\"}}",
                site.ok("metadata_get", "{'docid':'r36/a.md'}").path("metadata").toString());
    }

    @Test
    void metadataQueryComparesValues() {
        for (int i = 1; i <= 100; i++) {
            write(String.format("r37/f%03d.md", i), "text " + i + " of file 37");
        }
        site.index("r37");
        for (int i : new int[] {1, 2, 3, 100}) {
            site.ok(
                    "metadata_add",
                    String.format("{'docid':'r37/f%03d.md','metadata':{'score37':%d,'who37':'user %d'}}", i, i, i));
        }
        assertEquals(
                3,
                site.ok("metadata_query", "{'field':'score37','operator':'gt','value':1}")
                        .path("count")
                        .asInt());
        assertEquals(
                List.of("r37/f100.md"),
                texts(site.ok("metadata_query", "{'field':'score37','operator':'eq','value':'100','limit':5}")
                        .path("files")));
        assertTrue(site.call("metadata_query", "{'field':'score37','operator':'gt','value':'abc'}")
                .text()
                .startsWith("Invalid numeric value for gt"));
    }

    // ---- chunks

    private static final String CODE = """
            /** Moves things. @label layer:svc */
            class Mover {
                void move() { dunnock(); }

                void stop() { dunnock(); }
            }
            """;

    @Test
    void searchChunksFindsCodeByLabel() {
        write("r38/Mover.java", CODE);
        write("r38/notes.md", "dunnock notes");
        site.index("r38");
        assertEquals(
                List.of("r38/Mover.java"),
                texts(
                        site.ok("search_chunks", "{'query':'moves','collection':'r38','label':'layer:svc'}")
                                .path("results"),
                        "file"));
        JsonNode method = site.ok("search_chunks", "{'query':'move dunnock','collection':'r38','label':'type:method'}")
                .path("results")
                .path(0);
        assertEquals("Mover::move", method.path("breadcrumb").asText());
        assertEquals("Method", method.path("type").asText());
        write("r38/Mover.java", CODE.replace("dunnock", "grebe"));
        site.update("r38");
        assertEquals(
                List.of("r38/notes.md"),
                texts(in("search_chunks", "r38", "dunnock").path("results"), "file"));
    }

    @Test
    void chunksAreReadAndNavigated() {
        write("r39/Mover.java", CODE);
        site.index("r39");
        JsonNode found = site.ok("search_chunks", "{'query':'stop','collection':'r39','detail':'L2'}")
                .path("results")
                .path(0);
        String hash = found.path("chunk_hash").asText();
        JsonNode got = site.ok("get_chunk", "{'chunk_hash':'" + hash + "'}");
        assertEquals(found.path("content"), got.path("content"));
        assertFalse(got.has("previous_chunk"));
        assertTrue(site.ok("get_chunk", "{'chunk_hash':'" + hash + "','include_context':true}")
                .has("previous_chunk"));
        assertEquals(
                "Chunk not found: bogus. A hash changes with its text; search_chunks shows the current ones.",
                site.call("get_chunk", "{'chunk_hash':'bogus'}").text());
        for (String back : List.of("prev", "previous")) {
            JsonNode before = site.ok("navigate_chunks", step(hash, back));
            JsonNode again =
                    site.ok("navigate_chunks", step(before.path("chunk_hash").asText(), "next"));
            assertEquals(hash, again.path("chunk_hash").asText());
        }
        String at = hash;
        ToolResult step = site.call("navigate_chunks", step(at, "prev"));
        while (!step.isError()) {
            at = step.structured().path("chunk_hash").asText();
            step = site.call("navigate_chunks", step(at, "prev"));
        }
        assertEquals("No previous chunk. This is the first one of its document; direction next goes on.", step.text());
        assertEquals(
                "Chunk not found: bogus. A hash changes with its text; search_chunks shows the current ones.",
                site.call("navigate_chunks", step("bogus", "next")).text());
    }

    private static String step(String hash, String direction) {
        return "{'chunk_hash':'" + hash + "','direction':'" + direction + "'}";
    }

    // ---- sessions

    private String session(String args) {
        return site.ok("session_start", args).path("session_id").asText();
    }

    private ToolResult session(String tool, String id, String more) {
        return site.call(tool, "{'session_id':'" + id + "'" + more + "}");
    }

    @Test
    void sessionsExpire() {
        JsonNode started = site.ok("session_start", "{'ttl_seconds':1}");
        assertTrue(started.hasNonNull("expires_at"));
        String id = started.path("session_id").asText();
        site.unused(id, Duration.ofSeconds(2));
        assertTrue(session("session_get", id, "").text().startsWith("Session expired: " + id));
        assertEquals(3600, site.ok("session_start", "{}").path("ttl_seconds").asInt());
    }

    @Test
    void sessionGetCountsQueriesAndSeenDocuments() {
        write("r42/a.md", "godwit");
        write("r42/b.md", "godwit too");
        write("r42/c.md", "godwit as well");
        site.index("r42");
        String id = session("{}");
        site.ok("search", "{'query':'godwit','collection':'r42','session_id':'" + id + "'}");
        JsonNode session = AgentrootSite.structured(session("session_get", id, ""));
        assertEquals(1, session.path("queries").size());
        assertEquals(3, session.path("queries").path(0).path("result_count").asInt());
        assertEquals(3, session.path("seen_count").asInt());
    }

    @Test
    void sessionSetKeepsValues() {
        String id = session("{}");
        AgentrootSite.structured(session("session_set", id, ",'key':'topic','value':'auth'"));
        assertEquals(
                "auth",
                AgentrootSite.structured(session("session_get", id, ""))
                        .path("context")
                        .path("topic")
                        .asText());
        assertEquals(
                "NOT_FOUND",
                session("session_set", "nope", ",'key':'a','value':'b'").errorKind());
    }

    @Test
    void sessionEndEndsASessionOnce() {
        String id = session("{}");
        assertTrue(AgentrootSite.structured(session("session_end", id, ""))
                .path("ended")
                .asBoolean());
        assertTrue(session("session_get", id, "").text().startsWith("Session not found: " + id));
        JsonNode again = AgentrootSite.structured(session("session_end", id, ""));
        assertTrue(again.path("ended").asBoolean());
        assertFalse(again.path("existed").asBoolean());
    }

    // ---- directories

    @Test
    void browseDirectoryListsFoldersToADepth() {
        write("r45/a/b/c.md", "c of file 45");
        write("r45/a/d.md", "d of file 45");
        site.index("r45");
        JsonNode folders = site.ok("browse_directory", "{'collection':'r45','path':'','max_depth':2}")
                .path("directories");
        assertEquals(List.of("a", "a/b"), texts(folders, "path"));
        assertEquals(1, folders.path(0).path("file_count").asInt());
        assertEquals(1, folders.path(0).path("child_dir_count").asInt());
        assertEquals(1, folders.path(1).path("file_count").asInt());
        assertEquals(
                List.of("r45/a/d.md"),
                texts(
                        site.ok("browse_directory", "{'collection':'r45','path':'a'}")
                                .path("files"),
                        "file"));
    }

    @Test
    void searchDirectoriesFindsFoldersByName() {
        write("r46/src/auth/login.rs", "fn login() {}\n");
        write("r46/src/auth/token.rs", "fn token() {}\n");
        write("r46/src/db/pool.rs", "fn pool() {}\n");
        site.index("r46");
        JsonNode found = in("search_directories", "r46", "auth").path("directories");
        assertEquals(List.of("src/auth"), texts(found, "path"));
        assertEquals(2, found.path(0).path("file_count").asInt());
        assertEquals("rust", found.path(0).path("dominant_language").asText());
        for (String query : HOSTILE) {
            assertFalse(
                    site.call("search_directories", Json.object().put("query", query))
                            .isError(),
                    query);
        }
    }

    // ---- batch and explore

    @Test
    void batchSearchAnswersEachQueryOnItsOwn() {
        write("r47/a.md", "lapwing");
        write("r47/b.md", "lapwing and more");
        site.index("r47");
        JsonNode batches = site.ok(
                        "batch_search",
                        "{'queries':[{'query':'lapwing','collection':'r47'},{'query':''},"
                                + "{'query':'x','collection':'nope'},{'query':'lapwing','collection':'r47'}]}")
                .path("batches");
        assertEquals(4, batches.size());
        assertEquals(2, batches.path(0).path("count").asInt());
        assertEquals(batches.path(0).path("results"), batches.path(3).path("results"));
        assertEquals("Missing query", batches.path(1).path("error").asText());
        assertTrue(batches.path(2).path("error").asText().startsWith("Collection not found: nope"));
    }

    @Test
    void exploreSuggestsTheSameEachTime() {
        write("r48/a/x.md", "---\nconcepts: [tides, sandbanks, oystercatcher]\n---\noystercatcher feeding");
        write("r48/b/y.md", "---\nconcepts: [tides, moon]\n---\noystercatcher nests");
        site.index("r48");
        JsonNode first = in("explore", "r48", "oystercatcher tides");
        assertEquals(
                first.path("suggestions"),
                in("explore", "r48", "oystercatcher tides").path("suggestions"));
        assertEquals(
                Set.of("agentroot://r48/a", "agentroot://r48/b"),
                Set.copyOf(texts(first.path("suggestions").path("related_directories"))));
        assertEquals(
                "tides",
                first.path("suggestions").path("related_concepts").path(0).asText());
        List<String> refinements = texts(first.path("suggestions").path("refinement_queries"));
        assertEquals(List.of("oystercatcher tides moon", "oystercatcher tides sandbanks"), refinements);
    }

    // ---- memories

    private ToolResult remember(String content, String category, double confidence) {
        return site.call(
                "memory_store",
                Json.object().put("content", content).put("category", category).put("confidence", confidence));
    }

    @Test
    void memoryStoreUpdatesTheSameText() {
        String id = AgentrootSite.structured(remember("a text to remember", "fact", .5))
                .path("id")
                .asText();
        JsonNode again = AgentrootSite.structured(remember("a text to remember", "fact", .8));
        assertEquals(id, again.path("id").asText());
        assertEquals(.8, again.path("confidence").asDouble());
        assertTrue(remember("x", "x", 1).isError());
        assertTrue(remember("x", "fact", 1.5).isError());
        site.ok("memory_delete", "{'id':'" + id + "'}");
    }

    @Test
    void memoriesAreFoundListedExtractedAndDeleted() {
        remember("The user prefers Rust", "preference", 1);
        remember("The deadline is Friday", "fact", 1);
        String last = AgentrootSite.structured(remember("Tests run nightly", "fact", 1))
                .path("id")
                .asText();
        assertEquals(
                List.of("The user prefers Rust"),
                texts(
                        site.ok("memory_search", "{'query':'rusts','category':'preference'}")
                                .path("memories"),
                        "content"));
        assertEquals(
                0,
                site.ok("memory_search", "{'query':'rust','category':'fact'}")
                        .path("count")
                        .asInt());
        for (String query : HOSTILE) {
            assertFalse(
                    site.call("memory_search", Json.object().put("query", query))
                            .isError(),
                    query);
        }
        JsonNode first = site.ok("memory_list", "{'limit':2}").path("memories");
        JsonNode second = site.ok("memory_list", "{'limit':2,'offset':2}").path("memories");
        assertEquals(last, first.path(0).path("id").asText());
        Set<String> ids = new HashSet<>(texts(first, "id"));
        ids.addAll(texts(second, "id"));
        assertEquals(3, ids.size());
        assertTrue(site.ok("memory_delete", "{'id':'" + last + "'}")
                .path("deleted")
                .asBoolean());
        assertEquals(
                0, site.ok("memory_search", "{'query':'nightly'}").path("count").asInt());
        ToolResult again = site.call("memory_delete", "{'id':'" + last + "'}");
        assertEquals("Memory not found: " + last + ". memory_list shows the ids.", again.text());
        assertFalse(again.error().path("deleted").asBoolean(true));
        memoryExtractKeepsOnlyValidMemories();
    }

    private void memoryExtractKeepsOnlyValidMemories() {
        String id = session("{}");
        AgentrootSite.structured(session("session_set", id, ",'key':'editor','value':'vim'"));
        site.ok("search", "{'query':'vim','session_id':'" + id + "'}");
        site.says("Here you are: [{'content':'Uses vim','category':'preference','confidence':0.9}] That is all.");
        JsonNode extracted = site.ok("memory_extract", "{'sessionId':'" + id + "'}");
        assertEquals(1, extracted.path("count").asInt());
        assertTrue(site.questions.getLast().toString().contains("editor: vim"));
        assertEquals(
                1, site.ok("memory_search", "{'query':'vim'}").path("count").asInt());
        site.says(
                "[{'content':'a','category':'invalid','confidence':1},{'content':'b','category':'fact','confidence':1.5},"
                        + "{'content':'','category':'fact','confidence':1}]");
        assertEquals(
                0,
                site.ok("memory_extract", "{'sessionId':'" + id + "'}")
                        .path("count")
                        .asInt());
        site.says("not json");
        assertEquals(
                "UNAVAILABLE",
                site.call("memory_extract", "{'sessionId':'" + id + "'}").errorKind());
        site.says("{}");
        assertEquals(
                0,
                site.ok("memory_extract", "{'sessionId':'" + id + "'}")
                        .path("count")
                        .asInt());
        assertEquals(
                "NOT_FOUND", site.call("memory_extract", "{'sessionId':'nope'}").errorKind());
    }
}
