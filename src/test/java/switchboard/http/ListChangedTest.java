package switchboard.http;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestServer;

/** What a backend announces reaches the open streams of the views that show it, in both eras. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListChangedTest {
    private static final String ENVELOPE = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private TestServer server;

    @BeforeAll
    void start() {
        server = TestServer.start();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @Test
    void anAnnouncementReachesTheStreamOfASession() {
        try (McpTestClient client = McpTestClient.legacy(server.uri("/mcp"));
                RawHttp stream = standing("/mcp", client)) {
            server.listChanges("toy").announce(ListType.TOOLS);
            stream.readUntil("\"method\":\"notifications/tools/list_changed\"");
            server.listChanges("toy").announce(ListType.RESOURCES);
            stream.readUntil("\"method\":\"notifications/resources/list_changed\"");
        }
    }

    @Test
    void anAnnouncementReachesAListeningClientThatAskedForIt() {
        try (RawHttp stream = new RawHttp(server.port())) {
            stream.post(
                    "/mcp",
                    "Accept: application/json, text/event-stream\nMCP-Protocol-Version: 2026-07-28\n"
                            + "Mcp-Method: subscriptions/listen\n",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":"
                            + "{\"notifications\":{\"promptsListChanged\":true}," + ENVELOPE + "}}");
            stream.readUntil("notifications/subscriptions/acknowledged");
            server.listChanges("toy").announce(ListType.TOOLS);
            server.listChanges("toy").announce(ListType.PROMPTS);
            String seen = stream.readUntil("\"method\":\"notifications/prompts/list_changed\"");
            assertFalse(seen.contains("tools/list_changed"), seen);
        }
    }

    @Test
    void aViewHearsNothingOfBackendsItDoesNotShow() {
        try (McpTestClient client = McpTestClient.legacy(server.uri("/mcp/mirror"));
                RawHttp stream = standing("/mcp/mirror", client)) {
            server.listChanges("toy").announce(ListType.TOOLS);
            server.listChanges("mirror").announce(ListType.PROMPTS);
            String seen = stream.readUntil("\"method\":\"notifications/prompts/list_changed\"");
            assertFalse(seen.contains("tools/list_changed"), seen);
        }
    }

    private RawHttp standing(String path, McpTestClient client) {
        RawHttp stream = new RawHttp(server.port());
        stream.get(
                        path,
                        "Mcp-Session-Id: " + client.session()
                                + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                .readUntil("text/event-stream");
        return stream;
    }
}
