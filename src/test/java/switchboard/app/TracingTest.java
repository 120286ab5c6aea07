package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.McpTestClient;
import switchboard.testing.SpanCollector;
import switchboard.testing.SpanCollector.Span;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;

/** Spans of a request, from the client's own to the engine's request, as a collector gets them. */
class TracingTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";

    @TempDir
    Path folder;

    @Test
    void aCallIsASpanOfTheClientsTraceWithSpansForTheBackendAndTheEngine() throws IOException {
        Files.writeString(folder.resolve("key"), "secret-of-the-collector");
        try (SpanCollector collector = new SpanCollector();
                FaultServer engine = new FaultServer(FaultServer.reply(503, "application/json", "{}"));
                TestGateway gateway = TestGateway.start("""
                        tracing: {endpoint: "%s", headers: {x-key: "${file:key}"}}
                        embedders: {default: {provider: none}}
                        backends:
                          meili: {type: meilisearch, url: "%s", connection: {retries: 0}}
                        """.formatted(collector.url(), engine.url()), folder);
                McpTestClient client = McpTestClient.modern(gateway.url("meili"))) {
            call(client, "00-" + TRACE + "-" + PARENT + "-01");
            gateway.app().close();

            Span server = named(collector, "tools/call meilisearch_search");
            assertEquals(TRACE, server.trace());
            assertEquals(PARENT, server.parent());
            assertEquals("tools/call", server.attributes().get("mcp.method.name"));
            assertEquals("execute_tool", server.attributes().get("gen_ai.operation.name"));
            assertEquals("UNAVAILABLE", server.attributes().get("error.type"));
            assertEquals("2026-07-28", server.attributes().get("mcp.protocol.version"));
            Span backend = named(collector, "retrieval meili");
            assertEquals(server.id(), backend.parent());
            assertEquals("retrieval", backend.attributes().get("gen_ai.operation.name"));
            assertEquals("meili", backend.attributes().get("gen_ai.data_source.id"));
            Span request = named(collector, "POST");
            assertEquals(backend.id(), request.parent());
            assertEquals(TRACE, request.trace());
            assertEquals("503", request.attributes().get("http.response.status_code"));
            assertEquals("503", request.attributes().get("error.type"));
            assertTrue(
                    engine.requests().stream()
                            .anyMatch(head -> head.contains("traceparent: 00-" + TRACE + "-" + request.id() + "-01")),
                    () -> "the engine's own spans are parts of it: " + engine.requests());
            assertEquals("secret-of-the-collector", collector.keys().getFirst());
            assertFalse(
                    collector.spans().toString().contains("what was asked"), () -> "arguments stay here: " + collector);
        }
    }

    @Test
    void aTraceThatIsNotRecordedIsPassedOnAndNotToldOf() {
        try (SpanCollector collector = new SpanCollector();
                FaultServer engine = new FaultServer(FaultServer.reply(503, "application/json", "{}"));
                TestGateway gateway = TestGateway.start("""
                        tracing: {endpoint: "%s"}
                        embedders: {default: {provider: none}}
                        backends:
                          meili: {type: meilisearch, url: "%s", connection: {retries: 0}}
                        """.formatted(collector.url(), engine.url()), folder);
                McpTestClient client = McpTestClient.modern(gateway.url("meili"))) {
            call(client, "00-" + TRACE + "-" + PARENT + "-00");
            call(client, null);
            gateway.app().close();
            assertTrue(engine.requests().stream()
                    .anyMatch(head -> head.matches("(?s).*traceparent: 00-" + TRACE + "-[0-9a-f]{16}-00.*")));
            assertFalse(collector.spans().stream().anyMatch(span -> span.trace().equals(TRACE)));
            assertNotEquals(
                    TRACE, named(collector, "tools/call meilisearch_search").trace(), "one of its own");
        }
    }

    @Test
    @AsksForErrors("HttpExporter - ")
    void aCollectorThatDoesNotAnswerCostsNoCall() {
        try (FaultServer collector = new FaultServer(FaultServer.silentAfter(""));
                TestGateway gateway = TestGateway.start("""
                        tracing: {endpoint: "%s/v1/traces"}
                        embedders: {default: {provider: none}}
                        backends: {vectordb: {type: vectordb}}
                        """.formatted(collector.url()), folder);
                McpTestClient client = McpTestClient.modern(gateway.url("vectordb"))) {
            for (int i = 0; i < 50; i++) {
                assertFalse(client.call("list_libraries", "{}").isError());
            }
            Eventually.that(() -> !collector.requests().isEmpty(), () -> "it is told");
            assertFalse(client.call("list_libraries", "{}").isError());
        }
    }

    private static void call(McpTestClient client, String traceparent) {
        ObjectNode params = Json.object().put("name", "meilisearch_search");
        params.putObject("arguments").put("indexUid", "books").put("q", "what was asked");
        ObjectNode meta = Json.object();
        if (traceparent != null) {
            meta.put("traceparent", traceparent);
        }
        assertEquals(200, client.request("tools/call", params, meta).status());
    }

    private static Span named(SpanCollector collector, String name) {
        return collector.spans().stream()
                .filter(span -> span.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no span " + name + " in " + collector.spans()));
    }
}
