package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A gateway with one embedded store, whose documents differ in their metadata. */
final class FilteredLibraries implements AutoCloseable {
    private final TestGateway gateway = TestGateway.start("""
            embedders:
              default: {provider: none}
            backends:
              vectordb: {type: vectordb}
            """);
    private final McpTestClient client = gateway.modern();

    /** The client that asks. */
    McpTestClient client() {
        return client;
    }

    /** Adds a document with {@code metadata} to a library. */
    void ingest(String library, ObjectNode metadata) {
        ObjectNode text = Json.object()
                .put("content", "A tugboat of " + metadata)
                .put("title", library)
                .put("library", library);
        text.set("metadata", metadata);
        assertFalse(client.call("ingest_text", text).isError());
    }

    /** A search that every document would be found by, with {@code filters}. */
    ToolResult search(String filters) {
        return client.call("search_everywhere", "{\"query\": \"tugboat\", \"filters\": " + filters + "}");
    }

    /** The status of each source of an answer. */
    static Map<String, String> statuses(ToolResult result) {
        Map<String, String> statuses = new TreeMap<>();
        result.structured()
                .path("sources")
                .forEach(source -> statuses.put(
                        source.path("source").asText(), source.path("status").asText()));
        return statuses;
    }

    @Override
    public void close() {
        gateway.close();
    }
}
