package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.backend.weaviate.CollectionEngine;
import switchboard.call.Json;
import switchboard.testing.BackendHarness;
import switchboard.testing.LoadedEngine;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.TwoForms;

/** What a tool answers is whole in its blocks and whole in {@code structuredContent}, as its schema says, over HTTP. */
@ExtendWith(VertxExtension.class)
class CompleteAnswersTest {
    /** PostgreSQL needs its engine: its tools are held to the same by every test that calls them. */
    private static final List<String> TYPES =
            List.of("agentroot", "vectordb", "weaviate", "meilisearch", "switchboard");

    private static final LoadedEngine WEAVIATE = new CollectionEngine();
    private static final LoadedEngine MEILISEARCH = new IndexEngine();
    private static final TreeSet<String> ANSWERED = new TreeSet<>();
    private static final Map<String, Schema> SCHEMAS = new HashMap<>();

    @TempDir
    private static Path folder;

    private static HttpServer web;
    private static TestGateway gateway;
    private static McpTestClient client;

    @BeforeAll
    static void start(Vertx vertx) throws IOException {
        Path docs = Files.createDirectories(folder.toRealPath().resolve("docs/harbour"));
        Files.writeString(
                docs.resolve("tugs.md"),
                "# Tugs\n\nA tug pulls \"ships\".\n\n## Rope\n\nRopes hold. äöü 漢字\n"
                        + "\n## Winch\n\nA winch pulls the rope of a tug in, slowly.\n".repeat(100));
        Files.writeString(docs.resolve("cranes.md"), "# Cranes\n\nCranes lift crates from ships.\n");
        Files.writeString(docs.resolve("many.md"), "x".repeat(20_000));
        web = vertx.createHttpServer()
                .requestHandler(request -> {
                    if (request.path().endsWith("/chat/completions")) {
                        String said = "Sure: [{\"content\":\"Ropes are new.\",\"category\":\"fact\","
                                + "\"confidence\":0.5}]";
                        request.response()
                                .putHeader("Content-Type", "application/json")
                                .end(new JsonObject()
                                        .put(
                                                "choices",
                                                new JsonArray()
                                                        .add(new JsonObject()
                                                                .put("message", new JsonObject().put("content", said))))
                                        .encode());
                    } else {
                        request.response()
                                .putHeader("Content-Type", "text/html")
                                .end("<h1>Quay</h1><p>Ships moor.</p>");
                    }
                })
                .listen(0, "127.0.0.1")
                .await();
        Files.writeString(folder.resolve("engine.log"), "line one\nline two\n");
        gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                llm: {url: 'http://127.0.0.1:%1$d/v1', model: scripted}
                insight: {teams: {"*": {log: false, watches: {}}}}
                views: {few: {backends: [agentroot], findTools: true}}
                backends:
                  agentroot: {type: agentroot, dataDir: one, roots: ['%2$s']}
                  vectordb: {type: vectordb, dataDir: two, ingestRoots: ['%2$s'], fetch: {allowPrivate: true}}
                  weaviate: {type: weaviate, %3$s, writes: true, logs: {enabled: true, source: file, file: '%4$s'}}
                  meilisearch: {type: meilisearch, %5$s}
                """.formatted(
                        web.actualPort(),
                        folder.toRealPath(),
                        WEAVIATE.settings(),
                        folder.resolve("engine.log"),
                        MEILISEARCH.settings()));
        client = gateway.modern();
        for (McpTestClient one : List.of(client, gateway.modern("few"))) {
            for (JsonNode tool : one.tools()) {
                if (tool.has("outputSchema")) {
                    SCHEMAS.put(
                            tool.path("name").asText(),
                            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                                    .getSchema(tool.path("outputSchema")));
                }
            }
        }
    }

    @AfterAll
    static void stop() {
        gateway.close();
        web.close().await();
        WEAVIATE.close();
        MEILISEARCH.close();
    }

    private static JsonNode ok(McpTestClient one, String tool, String arguments) {
        String name = SCHEMAS.containsKey(tool)
                ? tool
                : SCHEMAS.keySet().stream()
                        .filter(each -> each.endsWith("__" + tool))
                        .findFirst()
                        .orElseThrow();
        ToolResult result = one.call(name, arguments.replace('\'', '"'));
        assertFalse(result.isError(), () -> tool + ": " + result);
        TwoForms.check(tool, result.result());
        assertEquals(List.of(), SCHEMAS.get(name).validate(result.structured()), tool);
        ANSWERED.add(tool);
        return result.structured();
    }

    private static JsonNode ok(String tool, String arguments) {
        return ok(client, tool, arguments);
    }

    @Test
    void everyToolSaysTheSameInBothForms() throws IOException {
        knowledgeBase();
        library();
        engines();
        composed();
        TreeSet<String> all = new TreeSet<>();
        for (String type : TYPES) {
            BackendHarness.descriptors(type)
                    .forEach(tool -> all.add(tool.name().equals("search") ? type + "__search" : tool.name()));
        }
        // Its answer is the other tool's.
        all.remove("call_tool");
        // This gateway has no teams; WhyNotTest has its answers.
        all.remove("why_not");
        assertEquals(all, ANSWERED);
    }

    private static void knowledgeBase() throws IOException {
        ok("collection_add", "{'name':'docs','path':'" + folder.toRealPath().resolve("docs") + "'}");
        ok("collection_update", "{'name':'docs'}");
        JsonNode one = ok("get", "{'file':'docs/harbour/tugs.md'}");
        assertEquals(
                Files.readString(folder.resolve("docs/harbour/tugs.md")),
                one.path("text").asText());
        assertEquals(
                "2: \n3: A tug pulls \"ships\".\n",
                ok("get", "{'file':'docs/harbour/tugs.md','fromLine':2,'maxLines':2,'lineNumbers':true}")
                        .path("text")
                        .asText());
        assertEquals(
                "",
                ok("get", "{'file':'docs/harbour/tugs.md','fromLine':20000}")
                        .path("text")
                        .asText());
        JsonNode several = ok("multi_get", "{'pattern':'docs/harbour/*.md,nothing.md'}");
        assertEquals(2, several.path("files").size(), several::toString);
        assertTrue(several.path("files").path(0).path("text").asText().startsWith("# Cranes"));
        assertEquals(1, several.path("skipped").size());
        ok("multi_get", "{'pattern':'nothing*'}");
        for (String search :
                List.of("agentroot__search", "vsearch", "query", "smart_search", "explore", "search_chunks")) {
            for (String detail : List.of("L0", "L1", "L2")) {
                JsonNode found = ok(search, "{'query':'ships','detail':'" + detail + "'}");
                assertNotEquals(0, found.path("results").size(), search);
            }
            ok(search, "{'query':'nothing \\\"at all\\\"'}");
        }
        ok("batch_search", "{'queries':[{'query':'ships'},{'query':'ropes'}]}");
        ok("search_directories", "{'query':'harbour'}");
        ok("browse_directory", "{'collection':'docs'}");
        ok("status", "{}");
        String docid = one.path("docid").asText();
        ok("metadata_add", "{'docid':'" + docid + "','metadata':{'author':'Alice','year':2001,'done':true}}");
        ok("metadata_get", "{'docid':'" + docid + "'}");
        ok("metadata_query", "{'field':'author','operator':'eq','value':'Alice'}");
        String chunk = ok("search_chunks", "{'query':'tug'}")
                .path("results")
                .path(0)
                .path("chunk_hash")
                .asText();
        boolean first = ok("get_chunk", "{'chunk_hash':'" + chunk + "','include_context':true}")
                        .path("index")
                        .asInt()
                == 0;
        ok("navigate_chunks", "{'chunk_hash':'" + chunk + "','direction':'" + (first ? "next" : "previous") + "'}");
        String session = ok("session_start", "{}").path("session_id").asText();
        ok("agentroot__search", "{'query':'ropes','session_id':'" + session + "'}");
        ok("session_set", "{'session_id':'" + session + "','key':'topic','value':'ropes'}");
        ok("session_get", "{'session_id':'" + session + "'}");
        String memory = ok("memory_store", "{'content':'Ships float.','category':'fact'}")
                .path("id")
                .asText();
        ok("memory_list", "{}");
        ok("memory_search", "{'query':'ships'}");
        ok("memory_extract", "{'sessionId':'" + session + "'}");
        ok("memory_delete", "{'id':'" + memory + "'}");
        ok("session_end", "{'session_id':'" + session + "'}");
        ok("collection_add", "{'name':'other','path':'" + folder.toRealPath().resolve("docs") + "'}");
        ok("collection_remove", "{'name':'other'}");
    }

    private static void library() throws IOException {
        Path file = folder.toRealPath().resolve("docs/harbour/tugs.md");
        String id = ok("ingest_file", "{'path':'" + file + "','metadata':{'team':'harbour'}}")
                .path("doc_id")
                .asText();
        ok("ingest_file", "{'path':'" + file + "'}");
        ok("ingest_text", "{'content':'Ships are of steel.','title':'Steel'}");
        ok("ingest_url", "{'url':'http://127.0.0.1:" + web.actualPort() + "/page'}");
        ok("vectordb__search", "{'query':'ships'}");
        ok("list_documents", "{}");
        ok("list_libraries", "{}");
        assertEquals(
                Files.readString(file).strip(),
                ok("get_document", "{'doc_id':'" + id + "'}")
                        .path("content")
                        .asText()
                        .strip());
        ok("delete_document", "{'doc_id':'" + id + "'}");
    }

    private static void engines() {
        List<LoadedEngine.Document> documents = List.of(new LoadedEngine.Document(
                1, Json.object().put("text", "Ships moor here."), new float[] {0.5f, 0.25f, 1}));
        MEILISEARCH.load("quays", Map.of("text", "text"), documents);
        WEAVIATE.load("Quays", Map.of("text", "text"), documents);
        WEAVIATE.load("Piers", Map.of("text", "text"), documents);
        String index = MEILISEARCH.name("quays");
        ok("meilisearch_list_indexes", "{}");
        ok("meilisearch_get_index_info", "{'indexUid':'" + index + "'}");
        ok("meilisearch_search", "{'indexUid':'" + index + "','q':'ships','showRankingScore':true}");
        String collection = WEAVIATE.name("Quays");
        ok("weaviate-collections-get-config", "{}");
        ok("weaviate-objects-get", "{'collection_name':'" + collection + "','include_vector':true}");
        ok(
                "weaviate-objects-get",
                "{'collection_name':'" + collection + "','uuids':['00000000-0000-0000-0000-000000000000']}");
        ok("weaviate-query-hybrid", "{'query':'ships','collection_name':'" + collection + "','alpha':0}");
        ok("weaviate-collections-create", "{'collection_name':'" + collection + "Two'}");
        ok(
                "weaviate-collections-create",
                "{'collection_name':'" + collection + "Many','multiTenancyConfig':{'enabled':true}}");
        ok("weaviate-tenants-list", "{'collection_name':'" + collection + "Many'}");
        ok(
                "weaviate-objects-upsert",
                "{'collection_name':'" + collection
                        + "','objects':[{'properties':{'text':'A pier.'}},{'properties':{'text':7}}]}");
        ok("weaviate-objects-delete", "{'collection_name':'" + collection + "'}");
        ok("weaviate-logs-fetch", "{}");
    }

    private static void composed() {
        JsonNode found = ok("search_everywhere", "{'query':'ships'}");
        ok("list_sources", "{}");
        ok("search_gaps", "{}");
        ok("watch_search", "{'query':'ships'}");
        ok("watch_search", "{}");
        ok(
                "check_citation",
                "{'citations':['"
                        + found.path("results").path(0).at("/ref/cite").asText() + "']}");
        ok(
                "fetch_document",
                "{'address':'" + found.path("results").path(0).path("address").asText() + "'}");
        McpTestClient few = gateway.modern("few");
        JsonNode tools = ok(few, "find_tools", "{'task':'get a document as a resource'}");
        ToolResult called = few.call(
                "call_tool",
                "{\"name\":\"" + named(tools, "get") + "\",\"arguments\":{\"file\":\"docs/harbour/tugs.md\"}}");
        TwoForms.check("call_tool", called.result());
        assertTrue(called.structured().path("text").asText().startsWith("# Tugs"), called::toString);
    }

    private static String named(JsonNode tools, String tool) {
        List<String> names = new ArrayList<>();
        tools.path("tools").forEach(one -> names.add(one.path("name").asText()));
        return names.stream()
                .filter(name -> name.equals(tool) || name.endsWith("__" + tool))
                .findFirst()
                .orElseThrow(() -> new AssertionError(tools));
    }

    /** A document of more than half of the largest answer, so that it does not fit twice; and one that does not fit. */
    @Test
    void aTextThatIsInBothFormsCountsOnce(@TempDir Path data) throws IOException {
        ApiKey key = ApiKey.generate(new SecureRandom());
        Files.writeString(data.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: red1, sha256: %s}]
                    grants: ["agentroot:*"]
                    limits: {resultSize: 32KiB}
                """.formatted(key.sha256()));
        Path files = Files.createDirectories(data.toRealPath().resolve("files"));
        String fits = "A tug pulls. ".repeat(1_800);
        Files.writeString(files.resolve("fits.md"), fits);
        Files.writeString(files.resolve("large.md"), fits + fits);
        try (TestGateway small = TestGateway.start("""
                auth: {mode: keys}
                audit: {to: none}
                embedders: {default: {provider: none}}
                backends: {agentroot: {type: agentroot, roots: ['%s']}}
                """.formatted(files), data)) {
            McpTestClient red = small.modern().with("Authorization", "Bearer " + key.text());
            ok(red, "collection_add", "{'name':'big','path':'" + files + "'}");
            ok(red, "collection_update", "{'name':'big'}");
            assertEquals(
                    fits, ok(red, "get", "{'file':'big/fits.md'}").path("text").asText());
            ToolResult refused = red.call("get", "{\"file\":\"big/large.md\"}");
            assertEquals("INVALID_ARGUMENT", refused.errorKind(), refused::toString);
            assertEquals(32 * 1024, refused.error().path("maxBytes").asInt());
            assertTrue(refused.error().path("bytes").asInt() < 2 * fits.length() + 2_000, refused::toString);
        }
    }
}
