package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ResourceScope;

/** Metadata, sessions, directories and memories. */
class StateTest extends AgentrootFixture {
    // ---- metadata

    @Test
    void metadataIsMergedAndTyped() throws IOException {
        write("a.md", "a");
        index("docs");
        assertEquals(
                "No metadata found for document: docs/a.md. metadata_add gives it some.",
                call("metadata_get", "{'docid':'docs/a.md'}").text());
        ok("metadata_add", "{'docid':'docs/a.md','metadata':{'author':'Alice','n':1,'x':1.5}}");
        JsonNode added = ok(
                "metadata_add",
                "{'docid':'a.md','metadata':{'author':'Bob','labels':['p','q'],'on':true,'day':'2026-01-31','no':null,'o':{}}}");
        assertEquals(4, added.path("added").asInt());
        assertEquals(List.of("no", "o"), texts(added.path("dropped")));
        JsonNode all = ok("metadata_get", "{'docid':'docs/a.md'}").path("metadata");
        assertEquals("{\"type\":\"Text\",\"value\":\"Bob\"}", all.path("author").toString());
        assertEquals("Integer", all.path("n").path("type").asText());
        assertEquals("Float", all.path("x").path("type").asText());
        assertEquals("Tags", all.path("labels").path("type").asText());
        assertEquals("Boolean", all.path("on").path("type").asText());
        assertEquals("DateTime", all.path("day").path("type").asText());
        String docid = ok("metadata_get", "{'docid':'docs/a.md'}").path("docid").asText();
        assertEquals(all, ok("metadata_get", "{'docid':'" + docid + "'}").path("metadata"));
        assertEquals(
                "Document not found: #ffffff. search shows addresses, multi_get takes a pattern such as *.md.",
                call("metadata_add", "{'docid':'#ffffff','metadata':{'a':1}}").text());
        write("a.md", "another text");
        update("docs");
        assertEquals(all, ok("metadata_get", "{'docid':'docs/a.md'}").path("metadata"));
    }

    @Test
    void metadataIsQueriedByTypeBeforeTheLimit() throws IOException {
        for (int i = 1; i <= 100; i++) {
            write(String.format("f%03d.md", i), "text " + i);
        }
        index("docs");
        for (int i = 1; i <= 100; i++) {
            ok("metadata_add", String.format("{'docid':'docs/f%03d.md','metadata':{'n':%d,'who':'user %d'}}", i, i, i));
        }
        ok("metadata_add", "{'docid':'docs/f007.md','metadata':{'tags':['red'],'day':'2026-01-31','f':2.5,'b':true}}");
        assertEquals(List.of("docs/f100.md"), query("n", "eq", "'100'", 5));
        assertEquals(List.of("docs/f100.md"), query("n", "gt", "99", 5));
        assertEquals(List.of("docs/f001.md"), query("n", "lt", "1.5", 5));
        assertEquals(List.of("docs/f099.md"), query("who", "contains", "'r 99'", 5));
        assertEquals(List.of("docs/f007.md"), query("tags", "has", "'red'", 5));
        assertEquals(List.of("docs/f007.md"), query("tags", "exists", "null", 5));
        assertEquals(List.of("docs/f007.md"), query("day", "gt", "'2026-01-30'", 5));
        assertEquals(List.of(), query("day", "gt", "'2026-01-31'", 5));
        assertEquals(List.of("docs/f007.md"), query("day", "lt", "'2026-02-01T00:00:00Z'", 5));
        assertEquals(List.of("docs/f007.md"), query("f", "gt", "2", 5));
        assertEquals(List.of("docs/f007.md"), query("b", "eq", "true", 5));
        assertEquals(5, query("n", "exists", "null", 5).size());
        assertTrue(call("metadata_query", "{'field':'n','operator':'gt','value':'abc'}")
                .text()
                .startsWith("Invalid numeric value for gt"));
        assertEquals(
                "Missing value for operator eq. Pass value, or use the operator exists.",
                call("metadata_query", "{'field':'n','operator':'eq'}").text());
        assertTrue(call("metadata_query", "{'field':'n','operator':'like','value':'1'}")
                .isError());
        assertEquals(List.of(), query("a.b*[", "eq", "'%'", 5));
    }

    private List<String> query(String field, String operator, String value, int limit) {
        return texts(ok(
                        "metadata_query",
                        "{'field':'" + field + "','operator':'" + operator + "','value':" + value + ",'limit':" + limit
                                + "}")
                .path("files"));
    }

    // ---- sessions

    @Test
    void aSessionRemembersAndEnds() throws IOException {
        for (int i = 0; i < 12; i++) {
            write("f" + i + ".md", "heron " + i);
        }
        index("docs");
        JsonNode started = ok("session_start", "{'ttl_seconds':60}");
        String id = started.path("session_id").asText();
        assertTrue(started.hasNonNull("expires_at"));
        assertEquals(60, started.path("ttl_seconds").asInt());
        ok("session_set", "{'session_id':'" + id + "','key':'topic','value':'authentication'}");
        ok("search", "{'query':'heron','session_id':'" + id + "'}");
        JsonNode session = ok("session_get", "{'session_id':'" + id + "'}");
        assertEquals("authentication", session.path("context").path("topic").asText());
        assertEquals(12, session.path("queries").path(0).path("result_count").asInt());
        assertEquals(10, session.path("seen_count").asInt());
        assertTrue(
                ok("session_end", "{'session_id':'" + id + "'}").path("existed").asBoolean());
        assertFalse(
                ok("session_end", "{'session_id':'" + id + "'}").path("existed").asBoolean());
        assertTrue(call("session_get", "{'session_id':'" + id + "'}").text().startsWith("Session not found: " + id));
        assertEquals(
                "NOT_FOUND",
                call("session_set", "{'session_id':'x','key':'a','value':'b'}").errorKind());
    }

    @Test
    void aSessionExpiresOnEveryUse() {
        String id = ok("session_start", "{'ttl_seconds':10}").path("session_id").asText();
        clock.forward(Duration.ofSeconds(9));
        ok("session_get", "{'session_id':'" + id + "'}");
        clock.forward(Duration.ofSeconds(9));
        ok("session_set", "{'session_id':'" + id + "','key':'a','value':'b'}");
        clock.forward(Duration.ofSeconds(11));
        for (String tool : List.of("session_get", "memory_extract")) {
            String key = tool.equals("session_get") ? "session_id" : "sessionId";
            assertTrue(call(tool, "{'" + key + "':'" + id + "'}").text().startsWith("Session expired: " + id));
        }
        assertTrue(call("search", "{'query':'x','session_id':'" + id + "'}").isError());
        assertTrue(call("session_start", "{'ttl_seconds':0}").isError());
    }

    @Test
    void sessionsBelongToTheirOwnerAndAreCapped() {
        String id = ok("session_start", "{}").path("session_id").asText();
        as("other");
        assertEquals(
                "NOT_FOUND", call("session_get", "{'session_id':'" + id + "'}").errorKind());
        assertFalse(
                ok("session_end", "{'session_id':'" + id + "'}").path("existed").asBoolean());
        String first = ok("session_start", "{}").path("session_id").asText();
        for (int i = 0; i < 5; i++) {
            ok("session_start", "{}");
        }
        assertEquals(
                "NOT_FOUND",
                call("session_get", "{'session_id':'" + first + "'}").errorKind());
        as("");
        ok("session_get", "{'session_id':'" + id + "'}");
    }

    private void as(String team) {
        backend.as(caller -> new Caller(team, "p", caller.rights(), ResourceScope.ALL, Map.of()));
    }

    // ---- directories

    @Test
    void directoriesAreToldFromDocuments() throws IOException {
        write("a/b/c.md", "c");
        write("a/d.md", "d");
        write("top.md", "t");
        index("docs");
        JsonNode root = ok("browse_directory", "{'collection':'docs'}");
        assertEquals(List.of("a", "a/b"), texts(root.path("directories"), "path"));
        assertEquals(1, root.path("directories").path(0).path("file_count").asInt());
        assertEquals(1, root.path("directories").path(0).path("child_dir_count").asInt());
        assertEquals(1, root.path("directories").path(1).path("file_count").asInt());
        assertEquals(List.of("docs/top.md"), texts(root.path("files"), "file"));
        JsonNode one = ok("browse_directory", "{'collection':'docs','path':'a','max_depth':1}");
        assertEquals(List.of("a/b"), texts(one.path("directories"), "path"));
        assertEquals(List.of("docs/a/d.md"), texts(one.path("files"), "file"));
        assertEquals(
                1,
                ok("browse_directory", "{'collection':'docs','max_depth':1}")
                        .path("directories")
                        .size());
        assertEquals(
                "NOT_FOUND",
                call("browse_directory", "{'collection':'docs','path':'nope'}").errorKind());
        assertEquals(
                "NOT_FOUND", call("browse_directory", "{'collection':'nope'}").errorKind());
        write("a/x/y/z.md", "z");
        update("docs");
        assertEquals(
                4,
                ok("browse_directory", "{'collection':'docs','max_depth':9}")
                        .path("directories")
                        .size());
    }

    @Test
    void directoriesAreFoundByNameAndConcept() throws IOException {
        write("src/auth/login.rs", "fn login() {}\n");
        write("src/auth/token.rs", "fn token() {}\n");
        write("src/db/pool.rs", "fn pool() {}\n");
        index("docs");
        JsonNode found = ok(search("search_directories", "auth")).path("directories");
        assertEquals("src/auth", found.path(0).path("path").asText());
        assertEquals("rust", found.path(0).path("dominant_language").asText());
        assertFalse(texts(found, "path").contains("src/db"));
        assertEquals(
                "src/db",
                ok(search("search_directories", "pool"))
                        .path("directories")
                        .path(0)
                        .path("path")
                        .asText());
        assertEquals(
                0, ok(search("search_directories", "C++ zzz")).path("count").asInt());
    }

    @Test
    void aFolderSaysItsDepthLanguagesAndConcepts() throws IOException {
        write("src/auth/login.rs", "fn login() {}\n");
        write("src/auth/token.rs", "fn token() {}\n");
        write("src/auth/page.py", "def page(): pass\n");
        index("docs");
        JsonNode folders = ok("browse_directory", "{'collection':'docs'}").path("directories");
        assertEquals(List.of("src", "src/auth"), texts(folders, "path"));
        JsonNode auth = folders.path(1);
        assertEquals(2, auth.path("depth").asInt());
        assertEquals(1, folders.path(0).path("depth").asInt());
        assertEquals(3, auth.path("file_count").asInt());
        assertEquals(0, auth.path("child_dir_count").asInt());
        assertEquals("docs", auth.path("collection").asText());
        assertEquals("agentroot://docs/src/auth", auth.path("uri").asText());
        assertEquals("rust", auth.path("dominant_language").asText());
        assertEquals("[\"rust\",\"python\"]", auth.path("languages").toString());
        assertEquals(
                "[\"login\",\"page\",\"pass\",\"token\"]", auth.path("concepts").toString());
    }

    /** The beginnings of words, which no text contains, so that only the folders count. */
    @Test
    void aWordCountsMostInAFoldersNameThenInItsPathAndConcepts() throws IOException {
        write("library/auth/token.rs", "fn token() {}\n");
        write("library/auth/readme.txt", "nothing to see");
        index("docs");
        assertEquals(Map.of("library", 4.0, "library/auth", 2.0), folderScores("libr"));
        assertEquals(Map.of("library/auth", 4.0), folderScores("aut"));
        assertEquals(Map.of("library/auth", 3.0), folderScores("toke"));
        assertEquals(Map.of("library/auth", 7.0), folderScores("aut toke"));
        assertEquals(Map.of(), folderScores("li"), "two letters begin no word");
    }

    private Map<String, Double> folderScores(String query) {
        Map<String, Double> scores = new LinkedHashMap<>();
        ok(search("search_directories", query))
                .path("directories")
                .forEach(folder -> scores.put(
                        folder.path("path").asText(), folder.path("score").asDouble()));
        return scores;
    }

    @Test
    void theBestFileOfAFolderGivesItOnePointAtMost() throws IOException {
        write("one/a.md", "heron heron heron");
        write("one/b.md", "heron beside much other text about ponds and reeds");
        write("two/c.md", "a heron among many other birds of the pond, of which this text has a lot to say");
        write("three/d.md", "nothing");
        index("docs");
        Map<String, Double> files = new LinkedHashMap<>();
        ok(search("search", "heron"))
                .path("results")
                .forEach(one ->
                        files.put(one.path("file").asText(), one.path("score").asDouble()));
        Map<String, Double> folders = folderScores("heron");
        assertEquals(List.of("one", "two"), List.copyOf(folders.keySet()));
        // Two points for the concept, and the score of the best file.
        assertEquals(2 + files.get("docs/one/a.md"), folders.get("one"), 0.0001);
        assertEquals(2 + files.get("docs/two/c.md"), folders.get("two"), 0.0001);
    }

    // ---- memories

    private JsonNode remember(String content, String category, double confidence) {
        return ok(backend.call(
                "memory_store",
                Json.object().put("content", content).put("category", category).put("confidence", confidence)));
    }

    @Test
    void theSameContentIsOneMemory() {
        String id = remember("uses Rust", "preference", .5).path("id").asText();
        JsonNode again = remember("uses Rust", "fact", .8);
        assertEquals(id, again.path("id").asText());
        assertEquals("preference", again.path("category").asText());
        assertEquals(.8, again.path("confidence").asDouble());
        assertEquals(.8, remember("uses Rust", "fact", .1).path("confidence").asDouble());
        JsonNode listed = ok("memory_list", "{}").path("memories");
        assertEquals(1, listed.size());
        assertEquals(2, listed.path(0).path("access_count").asInt());
        assertTrue(call("memory_store", "{'content':'x','category':'x'}").isError());
        assertTrue(call("memory_store", "{'content':'x','category':'fact','confidence':1.5}")
                .isError());
        assertTrue(call("memory_store", "{'content':'  ','category':'fact'}").isError());
    }

    @Test
    void aMemorysScoreIsBelowOne() {
        remember("The user prefers Rust", "preference", 1);
        // The only text with the word, as long as the average: ln(1 + 0.5 / 1.5) / (1 + 1.2) by BM25, which is 0.1308.
        JsonNode found = ok("memory_search", "{'query':'rust'}").path("memories");
        assertEquals(0.1308 / 1.1308, found.path(0).path("score").asDouble(), 0.0001);
        assertEquals("The user prefers Rust", found.path(0).path("content").asText());
    }

    @Test
    void aSearchOfMemoriesGivesTheBestOfThoseWanted() {
        remember("Rust Rust Rust", "fact", 1);
        remember("Rust is what the user prefers to nearly everything else there is", "fact", 1);
        remember("Rust", "preference", 1);
        assertEquals(3, ok("memory_search", "{'query':'rust'}").path("count").asInt());
        JsonNode best = ok("memory_search", "{'query':'rust','limit':1,'category':'fact'}");
        assertEquals(List.of("Rust Rust Rust"), texts(best.path("memories"), "content"));
    }

    @Test
    void memoriesAreFoundListedAndDeleted() {
        remember("The user prefers Rust", "preference", 1);
        remember("The deadline is Friday", "fact", 1);
        String last = remember("Tests run nightly", "fact", 1).path("id").asText();
        assertEquals(
                1,
                ok("memory_search", "{'query':'rusts preferring'}")
                        .path("count")
                        .asInt());
        assertEquals(
                0,
                ok("memory_search", "{'query':'rust','category':'fact'}")
                        .path("count")
                        .asInt());
        assertEquals(
                1,
                ok("memory_search", "{'query':'rust','category':'preference'}")
                        .path("count")
                        .asInt());
        assertEquals(2, ok("memory_list", "{'category':'fact'}").path("count").asInt());
        JsonNode first = ok("memory_list", "{'limit':2}").path("memories");
        JsonNode second = ok("memory_list", "{'limit':2,'offset':2}").path("memories");
        assertEquals(last, first.path(0).path("id").asText());
        Set<String> ids = new HashSet<>(texts(first, "id"));
        ids.addAll(texts(second, "id"));
        assertEquals(3, ids.size());
        assertTrue(ok("memory_delete", "{'id':'" + last + "'}").path("deleted").asBoolean());
        assertEquals(0, ok("memory_search", "{'query':'nightly'}").path("count").asInt());
        var again = call("memory_delete", "{'id':'" + last + "'}");
        assertEquals("Memory not found: " + last + ". memory_list shows the ids.", again.text());
        assertFalse(again.error().path("deleted").asBoolean(true));
    }

    @Test
    void extractionWithoutAModelIsAnError() {
        String id = ok("session_start", "{}").path("session_id").asText();
        assertEquals(
                "UNAVAILABLE",
                call("memory_extract", "{'sessionId':'" + id + "'}").errorKind());
        assertEquals("NOT_FOUND", call("memory_extract", "{'sessionId':'nope'}").errorKind());
    }
}
