package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.backend.meilisearch.IndexEngine;
import switchboard.backend.weaviate.CollectionEngine;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.LetterModel;
import switchboard.testing.LoadedEngine;
import switchboard.testing.McpTestClient;
import switchboard.testing.OpenSearchServer;
import switchboard.testing.PostgresCluster;
import switchboard.testing.PythonTools;
import switchboard.testing.TestGateway;

/**
 * One search over every kind of source with the official Python client: an embedded store, PostgreSQL, OpenSearch, Weaviate
 * and Meilisearch (stand-ins), a relayed MCP server, and a search over HTTP.
 */
@Tag("engines")
class EverySourceTest {
    @RegisterExtension
    static final PostgresCluster POSTGRES = new PostgresCluster();

    @RegisterExtension
    static final OpenSearchServer OPENSEARCH = new OpenSearchServer();

    private static final List<String> BACKENDS =
            List.of("http", "mcp", "meilisearch", "opensearch", "postgres", "vectordb", "weaviate");

    private static String text(String backend) {
        return "The granite of " + backend + " is " + "very ".repeat(BACKENDS.indexOf(backend)) + "hard.";
    }

    private static void ingest(McpTestClient client, String tool, String backend) {
        assertFalse(client.call(tool, Json.object().put("source", "s").put("content", text(backend)))
                .isError());
    }

    private static void load(LoadedEngine engine, String backend) {
        engine.load(
                "Stones",
                Map.of("text", "text"),
                List.of(new LoadedEngine.Document(
                        1, Json.object().put("text", text(backend)), new float[] {1, 1, 1, 1})));
    }

    private static void fillPostgres() {
        POSTGRES.sql("""
                CREATE EXTENSION IF NOT EXISTS vector;
                CREATE ROLE stone_reader LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                CREATE TABLE stones (id int PRIMARY KEY, text text, embedding vector(4));
                INSERT INTO stones VALUES (1, '%s', '[1,1,1,1]');
                GRANT USAGE ON SCHEMA public TO stone_reader;
                GRANT SELECT ON stones TO stone_reader;
                """.formatted(text("postgres")));
    }

    /** A server that knows one document, whatever is asked. */
    private static HttpServer wiki() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/search",
                exchange ->
                        answer(exchange, Json.object().set("found", Json.array().add(page()))));
        server.createContext("/page/7", exchange -> answer(exchange, page()));
        server.start();
        return server;
    }

    private static ObjectNode page() {
        return Json.object().put("id", "7").put("text", text("http"));
    }

    private static void answer(HttpExchange exchange, ObjectNode body) throws IOException {
        try (exchange) {
            byte[] bytes = Json.text(body).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    @Test
    void oneSearchFindsWhatEverySourceHas() throws IOException {
        fillPostgres();
        OPENSEARCH.send(
                "PUT", "/stones/_doc/1?refresh=true", Json.text(Json.object().put("text", text("opensearch"))));
        HttpServer wiki = wiki();
        try (LetterModel model = new LetterModel();
                LoadedEngine weaviate = new CollectionEngine();
                LoadedEngine meilisearch = new IndexEngine();
                TestGateway other = TestGateway.start("""
                        embedders: {default: {provider: none}}
                        backends: {vectordb: {type: vectordb}}
                        """)) {
            ingest(other.modern(), "ingest_text", "mcp");
            load(weaviate, "weaviate");
            load(meilisearch, "meilisearch");
            try (TestGateway gateway = TestGateway.start("""
                    embedders: {default: %s}
                    backends:
                      http:
                        type: http
                        url: http://127.0.0.1:%d
                        sources:
                          pages:
                            search: {path: "/search?q={query}"}
                            results: {list: /found, id: /id}
                            document: {request: {path: "/page/{id}"}}
                      mcp: {type: mcp, url: "%s"}
                      meilisearch: {type: meilisearch, embedder: default, %s}
                      opensearch: {type: opensearch, url: "%s", indices: [stones]}
                      postgres:
                        type: postgres
                        connection: {host: 127.0.0.1, port: %d, database: %s, user: stone_reader}
                      vectordb: {type: vectordb}
                      weaviate: {type: weaviate, embedder: default, %s}
                    search:
                      sources:
                        "mcp:library":
                          tool: {name: search, limit: top_k, results: /results, id: /doc_id}
                          document: {tool: get_document, argument: doc_id}
                    """.formatted(
                            model.yaml(),
                            wiki.getAddress().getPort(),
                            other.url("vectordb"),
                            meilisearch.settings(),
                            OPENSEARCH.url(),
                            POSTGRES.port(),
                            POSTGRES.database(),
                            weaviate.settings()))) {
                Eventually.that(
                        () -> !gateway.modern("mcp").toolNames().isEmpty(), () -> "its tools were never listed");
                ingest(gateway.modern(), "vectordb__ingest_text", "vectordb");
                ObjectNode spec =
                        Json.object().put("url", gateway.url().toString()).put("query", "which granite is hard");
                BACKENDS.forEach(spec.putArray("backends")::add);
                String output = PythonTools.install()
                        .program("every_source.py", Json.text(spec))
                        .run(() -> {});
                assertEquals(
                        List.of("ok auto", "ok legacy"),
                        output.lines().filter(line -> line.startsWith("ok ")).toList(),
                        output);
            }
        } finally {
            OPENSEARCH.send("DELETE", "/stones", "");
            wiki.stop(0);
        }
    }
}
