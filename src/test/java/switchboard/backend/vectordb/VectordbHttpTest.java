package switchboard.backend.vectordb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** The seven tools' acceptance checks through the whole gateway: HTTP, the protocol, the model in process, Lucene. */
@ExtendWith(VertxExtension.class)
class VectordbHttpTest {
    @TempDir
    static Path folder;

    private static HttpServer server;
    private static TestGateway gateway;
    private static McpTestClient client;

    @BeforeAll
    static void start(Vertx vertx) {
        server = vertx.createHttpServer()
                .requestHandler(request -> request.response()
                        .setStatusCode(request.path().equals("/page") ? 200 : 404)
                        .putHeader("Content-Type", "text/html")
                        .end("<title>Site</title><h1>Harbour pilots</h1><p>They board ships at the roadstead.</p>"))
                .listen(0, "127.0.0.1")
                .await();
        gateway = TestGateway.start("""
                backends:
                  vectordb:
                    type: vectordb
                    dataDir: store
                    ingestRoots: ["%s"]
                    fetch: {allowPrivate: true}
                  guarded:
                    type: vectordb
                    dataDir: guarded
                """.formatted(folder));
        client = gateway.modern("vectordb");
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @Test
    void ingestFileIndexesSkipsAndReplaces() throws IOException {
        write("a.md", "# Tides\n\nSpring tides follow the full moon.");
        JsonNode first = ok(ingest("a.md", "files"));
        assertEquals("indexed", first.path("status").asText());
        assertEquals("skipped", ok(ingest("a.md", "files")).path("status").asText());
        write("a.md", "# Tides\n\nNeap tides are the weakest.");
        JsonNode replaced = ok(ingest("a.md", "files"));
        assertEquals("replaced", replaced.path("status").asText());
        Files.write(folder.resolve("a.md"), new byte[] {0, 1, 2, 3, 0, 0, 7});
        ToolResult failed = ingest("a.md", "files");
        assertTrue(failed.isError());
        assertEquals(
                replaced.path("doc_id"),
                search("weakest tides", "files").path(0).path("doc_id"));
        write("five.txt", "lantern fish glow at night");
        assertEquals(1, ok(ingest("five.txt", "files")).path("chunk_count").asInt());
        assertEquals(
                "DENIED",
                client.call("ingest_file", "{\"path\":\"/etc/passwd\"}").errorKind());
    }

    @Test
    void ingestUrlReadsPagesButNotPrivateOnes() {
        String base = "http://127.0.0.1:" + server.actualPort();
        JsonNode page = ok(client.call("ingest_url", "{\"url\":\"" + base + "/page\",\"library\":\"pages\"}"));
        assertEquals("indexed", page.path("status").asText());
        assertEquals(
                "Harbour pilots",
                search("boarding ships", "pages").path(0).path("title").asText());
        assertTrue(client.call("ingest_url", "{\"url\":\"" + base + "/none\"}")
                .text()
                .contains("HTTP 404 fetching"));
        assertTrue(client.call("ingest_url", "{\"url\":\"ftp://x/y\"}")
                .text()
                .contains("URL must start with http:// or https://"));
        McpTestClient guarded = gateway.modern("guarded");
        for (String url : List.of("http://169.254.169.254/latest/meta-data/", base + "/page")) {
            ToolResult refused = guarded.call("ingest_url", "{\"url\":\"" + url + "\"}");
            assertEquals("DENIED", refused.errorKind(), refused.toString());
        }
    }

    @Test
    void searchFindsByWordsAndByMeaning() throws IOException {
        write("engine.md", "# Motors\n\nDiesel engines compress air until fuel ignites.");
        write("bread.md", "# Baking\n\nSourdough needs a lively starter and time.");
        write("code.txt", "error QX-7741-b is raised when the spindle is jammed");
        for (String name : List.of("engine.md", "bread.md", "code.txt")) {
            ok(ingest(name, "searched"));
        }
        assertEquals(
                "code.txt",
                search("QX-7741-b", "searched").path(0).path("title").asText());
        assertEquals(
                "Baking",
                search("how do I make a loaf rise", "searched")
                        .path(0)
                        .path("title")
                        .asText());
        JsonNode answer = ok(client.call(
                "search", "{\"query\":\"fuel\",\"library\":\"searched\",\"filter\":{\"file_type\":\"md\"}}"));
        assertEquals("hybrid", answer.path("mode").asText(), answer.toString());
        assertTrue(answer.path("results").size() >= 1);
        answer.path("results")
                .forEach(hit -> assertEquals("md", hit.path("file_type").asText()));
        for (String bad : List.of("\"top_k\":0", "\"top_k\":101", "\"filter\":{\"a;b\":1}")) {
            ToolResult result = client.call("search", "{\"query\":\"x\"," + bad + "}");
            assertEquals("INVALID_ARGUMENT", result.errorKind(), bad);
        }
        assertTrue(client.toolNames().contains("search"));
    }

    @Test
    void resultsHaveTheirRelevanceAndWhereThereIsNothingTheReasonSaysWhy() throws IOException {
        write("tea.md", "# Tea\n\nPour water of eighty degrees on green tea and let it stand for two minutes.");
        write("bike.md", "# Bicycle\n\nA chain that is too long falls off the sprocket on rough roads.");
        for (String name : List.of("tea.md", "bike.md")) {
            ok(ingest(name, "relevance"));
        }
        String question = "{\"library\":\"relevance\",\"query\":\"how long should green tea stand in the water\"";
        JsonNode both = ok(client.call("search", question + "}")).path("results");
        assertEquals(2, both.size(), both.toString());
        assertTrue(both.path(0).path("relevance").asDouble() > 0.9, both.toString());
        assertTrue(both.path(1).path("relevance").asDouble() < 0.3, both.toString());
        JsonNode near = ok(client.call("search", question + ",\"min_relevance\":0.5}"));
        assertEquals(1, near.path("results").size(), near.toString());
        assertEquals("Tea", near.path("results").path(0).path("title").asText());
        assertTrue(near.path("reason").isMissingNode(), near.toString());
        JsonNode other = ok(
                client.call(
                        "search",
                        "{\"library\":\"relevance\",\"query\":\"who painted the ceiling of the Sistine chapel\",\"min_relevance\":0.5}"));
        assertEquals(0, other.path("results").size(), other.toString());
        assertTrue(other.path("reason").asText().startsWith("No result reaches min_relevance 0.5: "), other.toString());
        for (String nothing : List.of("(((", "🙂", "zxqwvbn", "--", "?!")) {
            JsonNode reply = ok(client.call("search", "{\"library\":\"relevance\",\"query\":\"" + nothing + "\"}"));
            assertEquals(0, reply.path("results").size(), reply.toString());
            assertFalse(reply.path("reason").asText().isEmpty(), reply.toString());
        }
        for (String bad : List.of("-0.1", "1.1", "\"high\"")) {
            ToolResult refused = client.call("search", question + ",\"min_relevance\":" + bad + "}");
            assertEquals("INVALID_ARGUMENT", refused.errorKind(), refused.toString());
            assertTrue(refused.text().contains("min_relevance"), refused.toString());
        }
    }

    @Test
    void wordsAreFoundByTheirLanguageAndCorrectedWhereNoDocumentHasThem() throws IOException {
        write("haus.md", "# Wohnen\n\nDie alten Häuser am Marktplatz werden in diesem Jahr saniert.");
        write("boot.md", "# Hafen\n\nDas Fischerboot liegt seit gestern wieder am Steg vor der Halle.");
        for (String name : List.of("haus.md", "boot.md")) {
            ok(ingest(name, "deutsch"));
        }
        JsonNode plural = ok(client.call("search", "{\"query\":\"Haus\",\"library\":\"deutsch\"}"));
        assertEquals("Wohnen", plural.path("results").path(0).path("title").asText());
        assertEquals(1, plural.path("results").path(0).path("keyword_rank").asInt());
        assertTrue(plural.path("corrected").isMissingNode(), plural.toString());
        JsonNode typo = ok(client.call("search", "{\"query\":\"Marktplats\",\"library\":\"deutsch\"}"));
        assertEquals("Wohnen", typo.path("results").path(0).path("title").asText());
        assertEquals(
                "[{\"written\":\"Marktplats\",\"searched\":\"Marktplatz\"}]",
                typo.path("corrected").toString());
        assertTrue(typo.path("reason").isMissingNode(), typo.toString());
    }

    @Test
    void resultsSayWhyTheyRankIfOneAsks() throws IOException {
        write("lock.md", "# Locks\n\nThe lockkeeper opens the sluices and the barge rises slowly.");
        write("salt.md", "# Salt\n\nBarges carried salt on the canal until the railway came.");
        for (String name : List.of("lock.md", "salt.md")) {
            ok(ingest(name, "explained"));
        }
        for (String fusion : List.of("linear", "rrf")) {
            String question = "{\"library\":\"explained\",\"query\":\"which sluises do barges pass\",\"fusion\":\""
                    + fusion + "\",\"explain\":";
            JsonNode explained = ok(client.call("search", question + "true}")).path("results");
            assertEquals(2, explained.size(), explained.toString());
            for (JsonNode hit : explained) {
                JsonNode parts = hit.path("explanation").path("parts");
                double sum = parts.valueStream()
                        .mapToDouble(part -> part.path("value").asDouble())
                        .sum();
                assertEquals(hit.path("score").asDouble(), sum, 4e-5, hit.toString());
                assertEquals(
                        hit.path("title").asText().equals("Locks") ? "[\"sluices\",\"barge\"]" : "[\"Barges\"]",
                        hit.path("explanation").path("words").toString());
            }
            JsonNode without = ok(client.call("search", question + "false}")).path("results");
            assertEquals(
                    explained
                            .valueStream()
                            .<JsonNode>map(hit -> ((ObjectNode) hit.deepCopy()).without("explanation"))
                            .toList(),
                    without.valueStream().toList());
        }
    }

    @Test
    void whatMcpvectordbLacksIsInTheDefaultViewOnly() {
        McpTestClient everything = gateway.modern();
        assertTrue(everything.toolNames().contains("ingest_text"));
        assertFalse(client.toolNames().contains("ingest_text"));
        ok(everything.call("ingest_text", "{\"content\":\"Kingfishers nest in banks.\",\"library\":\"text\"}"));
        assertEquals(
                "Kingfishers nest in banks.",
                search("kingfisher", "text").path(0).path("content").asText());
    }

    @Test
    void listDocumentsPages() throws IOException {
        for (String name : List.of("l1.md", "l2.md", "l3.md")) {
            write(name, "# " + name + "\n\nlisted");
            ok(ingest(name, "listed"));
        }
        JsonNode page = ok(client.call("list_documents", "{\"library\":\"listed\",\"limit\":2}"));
        assertEquals(2, page.path("count").asInt());
        assertEquals(3, page.path("total").asInt());
        assertEquals("l3.md", page.path("documents").path(0).path("title").asText());
        assertEquals("l2.md", page.path("documents").path(1).path("title").asText());
        assertEquals(
                1,
                ok(client.call("list_documents", "{\"library\":\"listed\",\"limit\":2,\"offset\":2}"))
                        .path("count")
                        .asInt());
        assertEquals(
                0,
                ok(client.call("list_documents", "{\"library\":\"nowhere\"}"))
                        .path("documents")
                        .size());
    }

    @Test
    void listLibrariesCountsDocuments() throws IOException {
        write("lib.md", "one");
        write("lib2.md", "two");
        ok(ingest("lib.md", "counted-b"));
        ok(ingest("lib.md", "counted-a"));
        ok(ingest("lib2.md", "counted-b"));
        List<String> counts = ok(client.call("list_libraries", "{}"))
                .path("libraries")
                .valueStream()
                .filter(library -> library.path("library").asText().startsWith("counted"))
                .map(library -> library.path("library").asText() + " "
                        + library.path("document_count").asInt())
                .toList();
        assertEquals(List.of("counted-a 1", "counted-b 2"), counts);
    }

    @Test
    void deleteDocumentRemovesIt() throws IOException {
        write("gone.md", words(700));
        JsonNode document = ok(ingest("gone.md", "deleted"));
        String id = "{\"doc_id\":\"" + document.path("doc_id").asText() + "\"}";
        assertNotEquals(0, document.path("chunk_count").asInt());
        assertEquals(
                document.path("chunk_count"),
                ok(client.call("delete_document", id)).path("deleted_chunks"));
        assertEquals("NOT_FOUND", client.call("get_document", id).errorKind());
        JsonNode again = ok(client.call("delete_document", id));
        assertEquals(0, again.path("deleted_chunks").asInt(-1));
        assertFalse(again.path("found").asBoolean(true));
        assertTrue(client.call("delete_document", "{\"doc_id\":\"\"}").isError());
    }

    @Test
    void getDocumentReturnsTheText() throws IOException {
        String text = "# Whole\n\n" + words(5000) + "\n\nüñí 😀 end\n";
        write("whole.md", text);
        String id = ok(ingest("whole.md", "read")).path("doc_id").asText();
        for (McpTestClient each : List.of(client, gateway.legacy("vectordb"))) {
            assertEquals(
                    text,
                    ok(each.call("get_document", "{\"doc_id\":\"" + id + "\"}"))
                            .path("content")
                            .asText());
        }
        ToolResult unknown = client.call("get_document", "{\"doc_id\":\"x\"}");
        assertTrue(unknown.text().contains("Document not found: x"));
    }

    @Test
    void errorsKeepTheirDocumentedBody() throws JsonProcessingException {
        ToolResult failed = client.call("get_document", "{\"doc_id\":\"nobody\"}");
        assertTrue(failed.isError());
        assertTrue(failed.structured().isMissingNode());
        JsonNode body = Json.parse(failed.text());
        assertEquals("error", body.path("status").asText());
        assertEquals(
                "Document not found: nobody. search and list_documents give the ids.",
                body.path("error").asText());
    }

    private static void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static ToolResult ingest(String path, String library) {
        return client.call("ingest_file", "{\"path\":\"" + path + "\",\"library\":\"" + library + "\"}");
    }

    private static JsonNode search(String query, String library) {
        return ok(client.call("search", "{\"query\":\"" + query + "\",\"library\":\"" + library + "\"}"))
                .path("results");
    }

    private static JsonNode ok(ToolResult result) {
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }

    private static String words(int count) {
        return IntStream.range(0, count).mapToObj(i -> "word" + i % 211).collect(Collectors.joining(" "));
    }
}
