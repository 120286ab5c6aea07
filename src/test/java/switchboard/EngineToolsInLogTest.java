package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.backend.weaviate.CollectionEngine;
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.LetterModel;
import switchboard.testing.LoadedEngine;
import switchboard.testing.McpTestClient;
import switchboard.testing.OpenSearchServer;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** What the search log has of searches and reads with the engines' own tools, of every kind of engine. */
@Tag("engines")
class EngineToolsInLogTest {
    @RegisterExtension
    static final PostgresCluster POSTGRES = new PostgresCluster();

    @RegisterExtension
    static final OpenSearchServer OPENSEARCH = new OpenSearchServer();

    private static final String QUERY = "granite";

    @TempDir
    Path folder;

    private final LetterModel model = new LetterModel();
    private final LoadedEngine weaviate = new CollectionEngine();
    private final LoadedEngine meilisearch = new IndexEngine();
    private TestGateway other;
    private TestGateway gateway;
    private Set<String> tools = Set.of();
    private int lines;

    @BeforeAll
    static void fillPostgres() {
        POSTGRES.sql("""
                CREATE EXTENSION IF NOT EXISTS vector;
                CREATE ROLE log_reader LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                CREATE TABLE stones (id int, part text, text text, embedding vector(4), PRIMARY KEY (id, part));
                INSERT INTO stones VALUES (1, 'a b', 'granite', '[1,1,1,1]'), (2, 'c', 'slate', '[9,0,0,1]');
                CREATE TABLE unkeyed (text text, embedding vector(4));
                INSERT INTO unkeyed VALUES ('granite', '[1,1,1,1]'), ('granite', '[1,1,1,2]');
                GRANT USAGE ON SCHEMA public TO log_reader;
                GRANT SELECT ON stones, unkeyed TO log_reader;
                """);
    }

    @BeforeEach
    void start() throws IOException {
        for (int i = 1; i <= 3; i++) {
            OPENSEARCH.send("PUT", "/stones/_doc/s" + i + "?refresh=true", "{\"text\": \"granite " + i + "\"}");
        }
        List<LoadedEngine.Document> documents = List.of(document(1), document(2), document(3));
        weaviate.load("Stones", Map.of("text", "text"), documents);
        meilisearch.load("stones", Map.of("text", "text"), documents);
        Path docs = Files.createDirectories(folder.resolve("docs"));
        Files.writeString(docs.resolve("one file.md"), "# One\n\nGranite is hard.\n");
        Files.writeString(docs.resolve("two.md"), "# Two\n\nGranite, and again granite.\n");
        other = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {vectordb: {type: vectordb}}
                """);
        store(other.modern(), "ingest_text", "first");
        gateway = TestGateway.start(
                """
                auth: {mode: none}
                embedders: {default: %s}
                insight: {teams: {"*": {}}}
                backends:
                  agentroot: {type: agentroot, dataDir: data/two, roots: ['%s']}
                  mcp: {type: mcp, url: "%s"}
                  meilisearch: {type: meilisearch, %s}
                  opensearch: {type: opensearch, url: "%s", indices: [stones]}
                  postgres:
                    type: postgres
                    connection: {host: 127.0.0.1, port: %d, database: %s, user: log_reader}
                  vectordb: {type: vectordb}
                  weaviate: {type: weaviate, embedder: default, %s}
                search:
                  sources:
                    "mcp:library":
                      tool: {name: search, limit: top_k, results: /results, id: /doc_id}
                      document: {tool: get_document, argument: doc_id}
                """.formatted(
                                model.yaml(),
                                docs.toRealPath(),
                                other.url("vectordb"),
                                meilisearch.settings(),
                                OPENSEARCH.url(),
                                POSTGRES.port(),
                                POSTGRES.database(),
                                weaviate.settings()),
                folder);
        Eventually.that(() -> !gateway.modern("mcp").toolNames().isEmpty(), () -> "its tools were never listed");
        tools = Set.copyOf(gateway.modern().toolNames());
        for (String source : List.of("first", "second", "third")) {
            store(gateway.modern(), name("vectordb", "ingest_text"), source);
        }
        ok("agentroot", "collection_add", "{\"name\": \"docs\", \"path\": \"" + docs.toRealPath() + "\"}");
        ok("agentroot", "collection_update", "{\"name\": \"docs\"}");
    }

    @AfterEach
    void stop() {
        gateway.close();
        other.close();
        weaviate.close();
        meilisearch.close();
        model.close();
        OPENSEARCH.send("DELETE", "/stones", "");
    }

    private static LoadedEngine.Document document(int id) {
        return new LoadedEngine.Document(id, Json.object().put("text", "granite " + id), new float[] {1, 1, 1, id});
    }

    private static void store(McpTestClient client, String tool, String source) {
        assertFalse(client.call(
                        tool,
                        Json.object()
                                .put("source", source)
                                .put("content", "granite of " + source)
                                .put("library", "l"))
                .isError());
    }

    /** Tools of several backends with the same name have their backends' names. */
    private String name(String backend, String tool) {
        String whole = backend + "__" + tool;
        return tools.contains(whole) ? whole : tool;
    }

    private ToolResult ok(String backend, String tool, String arguments) {
        ToolResult result = gateway.modern().call(name(backend, tool), arguments);
        assertFalse(result.isError(), result::toString);
        return result;
    }

    private List<JsonNode> log() {
        List<JsonNode> all = new ArrayList<>();
        try {
            new InsightFolder(folder).read("", all::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** The lines that {@code tool} adds. */
    private List<JsonNode> logged(String backend, String tool, String arguments, int count) {
        ok(backend, tool, arguments);
        lines += count;
        List<JsonNode> all = Eventually.first(this::log, found -> found.size() >= lines);
        assertEquals(lines, all.size(), all::toString);
        return all.subList(lines - count, lines);
    }

    /** A search with an engine's own tool is logged, and each of its hits has the address that can be read. */
    private JsonNode searched(String backend, String tool, String arguments, String source, int hits) {
        JsonNode line = logged(backend, tool, arguments, 1).getFirst();
        assertEquals("search", line.path("event").asText());
        assertEquals(backend + ":" + tool, line.path("tool").asText());
        assertEquals(QUERY, line.path("query").asText());
        assertEquals("[\"" + backend + ":" + source + "\"]", Json.text(line.path("asked")));
        assertEquals(hits, line.path("hits").size(), line::toString);
        assertEquals(hits, line.at("/sources/0/hits").asInt(), line::toString);
        int first = line.path("skipped").asInt();
        for (JsonNode hit : line.path("hits")) {
            assertEquals(++first, hit.path("position").asInt());
            assertEquals(backend + ":" + source, hit.path("source").asText());
            String address = hit.path("address").asText();
            JsonNode read = logged("switchboard", "fetch_document", "{\"address\": \"" + address + "\"}", 1)
                    .getFirst();
            assertEquals(line.path("id"), read.path("search"));
            assertEquals(hit.path("position"), read.path("position"));
        }
        return line;
    }

    /** What is read with an engine's own tool belongs to the search that gave it. */
    private void read(JsonNode search, int hit, String backend, String tool, String arguments) {
        JsonNode line = logged(backend, tool, arguments, 1).getFirst();
        assertEquals("fetched", line.path("event").asText());
        assertEquals(search.path("id"), line.path("search"));
        assertEquals(search.path("hits").path(hit).path("address"), line.path("address"));
    }

    private static String id(JsonNode search, int hit) {
        String address = search.path("hits").path(hit).path("address").asText();
        return address.substring(address.lastIndexOf('/') + 1);
    }

    @Test
    void everyEngine() {
        JsonNode stored = searched("vectordb", "search", "{\"query\": \"granite\"}", "l", 3);
        assertTrue(stored.at("/hits/0/relevance").isNumber(), stored::toString);
        read(stored, 1, "vectordb", "get_document", "{\"doc_id\": \"" + id(stored, 1) + "\"}");

        for (String tool : List.of("search", "query", "explore", "smart_search", "search_chunks")) {
            searched("agentroot", tool, "{\"query\": \"granite\"}", "docs", 2);
        }
        JsonNode near = searched("agentroot", "vsearch", "{\"query\": \"granite\", \"minScore\": 0.01}", "docs", 2);
        JsonNode file = ok("agentroot", "search", "{\"query\": \"granite\", \"limit\": 1}")
                .structured();
        lines++;
        String name = file.at("/results/0/file").asText();
        JsonNode read =
                logged("agentroot", "get", "{\"file\": \"" + name + "\"}", 1).getFirst();
        assertTrue(near.path("hits")
                .findValuesAsText("address")
                .contains(read.path("address").asText()));
        assertEquals(
                2,
                logged("agentroot", "multi_get", "{\"pattern\": \"*.md\"}", 2).size());
        String chunk = file.at("/results/0/chunk_hash").asText();
        assertEquals(
                read.path("address"),
                logged("agentroot", "get_chunk", "{\"chunk_hash\": \"" + chunk + "\"}", 1)
                        .getFirst()
                        .path("address"));

        JsonNode objects = searched(
                "weaviate",
                "weaviate-query-hybrid",
                "{\"query\": \"granite\", \"collection_name\": \"" + weaviate.name("Stones") + "\", \"offset\": 1}",
                weaviate.name("Stones"),
                2);
        assertEquals(1, objects.path("skipped").asInt());
        read(
                objects,
                0,
                "weaviate",
                "weaviate-objects-get",
                "{\"collection_name\": \"" + weaviate.name("Stones") + "\", \"uuids\": [\"" + id(objects, 0) + "\"]}");

        searched(
                "meilisearch",
                "meilisearch_search",
                "{\"q\": \"granite\", \"indexUid\": \"" + meilisearch.name("stones") + "\"}",
                meilisearch.name("stones"),
                3);

        JsonNode found = searched(
                "opensearch", "opensearch_search", "{\"index\": \"stones\", \"query\": \"granite\"}", "stones", 3);
        read(
                found,
                2,
                "opensearch",
                "opensearch_get_document",
                "{\"index\": \"stones\", \"id\": \"" + id(found, 2) + "\"}");

        searched("postgres", "search_similar", "{\"text_query\": \"granite\"}", "public.stones", 2);
        searched(
                "postgres",
                "semantic_search",
                "{\"text_query\": \"granite\", \"table_name\": \"stones\", \"vector_column\": \"embedding\"}",
                "public.stones",
                2);

        JsonNode relayed = searched("mcp", "search", "{\"query\": \"granite\"}", "library", 1);
        read(relayed, 0, "mcp", "get_document", "{\"doc_id\": \"" + id(relayed, 0) + "\"}");
    }

    @Test
    void theLogHasWhatTheCallerWasGiven() {
        JsonNode line = logged("vectordb", "search", "{\"query\": \"granite\", \"skip_results\": 1}", 1)
                .getFirst();
        assertEquals(1, line.path("skipped").asInt());
        assertEquals(2, line.path("hits").size(), line::toString);
        assertEquals(2, line.at("/hits/0/position").asInt());
        JsonNode answer = ok("vectordb", "search", "{\"query\": \"granite\", \"budget_tokens\": 150}")
                .structured();
        lines++;
        JsonNode fitted =
                Eventually.first(this::log, all -> all.size() == lines).getLast();
        assertEquals(answer.path("results").size(), fitted.path("hits").size());
        assertTrue(answer.path("results").size() < 3, answer::toString);
        assertEquals(150, fitted.path("budget_tokens").asInt());
    }

    @Test
    void eachQueryOfACallIsASearchOfItsOwn() {
        ObjectNode arguments = Json.object();
        arguments.putArray("queries").addObject().put("query", "granite");
        arguments.withArray("queries").addObject().put("query", " ");
        arguments.withArray("queries").addObject().put("query", "basalt");
        List<JsonNode> both = logged("agentroot", "batch_search", Json.text(arguments), 2);
        assertEquals("granite", both.getFirst().path("query").asText());
        assertEquals("basalt", both.getLast().path("query").asText());
        assertEquals(0, both.getLast().path("hits").size());
        assertEquals(
                2,
                both.stream().map(line -> line.path("id").asText()).distinct().count());
    }

    @Test
    void whatAsksNoQuestionIsNoSearch() {
        ok("meilisearch", "meilisearch_search", "{\"indexUid\": \"" + meilisearch.name("stones") + "\"}");
        ok(
                "meilisearch",
                "meilisearch_search",
                "{\"q\": \"granite\", \"limit\": 0, \"indexUid\": \"" + meilisearch.name("stones") + "\"}");
        ok("opensearch", "opensearch_search", "{\"index\": \"stones\"}");
        ok(
                "postgres",
                "semantic_search",
                "{\"query_vector\": [1, 1, 1, 1], \"table_name\": \"stones\", \"vector_column\": \"embedding\"}");
        ok("weaviate", "weaviate-objects-get", "{\"collection_name\": \"" + weaviate.name("Stones") + "\"}");
        ok("agentroot", "get", "{\"file\": \"docs/two.md\"}");
        ok("agentroot", "status", "{}");
        JsonNode line =
                logged("vectordb", "search", "{\"query\": \"granite\"}", 1).getFirst();
        assertEquals("vectordb:search", line.path("tool").asText());
    }

    @Test
    void aHitThatDoesNotTellWhichDocumentItIsHasNoAddress() {
        JsonNode line = logged(
                        "postgres",
                        "semantic_search",
                        "{\"text_query\": \"granite\", \"table_name\": \"unkeyed\", \"vector_column\": \"embedding\"}",
                        1)
                .getFirst();
        assertEquals(2, line.path("hits").size());
        assertEquals(2, line.at("/hits/1/position").asInt());
        assertEquals(List.of(), line.path("hits").findValuesAsText("address"));
        assertEquals("postgres:public.unkeyed", line.at("/sources/0/source").asText());
        assertEquals(2, line.at("/sources/0/hits").asInt());
    }
}
