package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;

/** Who may not read a collection does not notice that it changes, on a stream of either era. */
class ChangesOfHiddenCollectionsTest extends StaffFixture {
    private static final String LISTED = "notifications/resources/list_changed";
    private static final String SECRET = "agentroot://secret/salaries.md";
    private static final List<String> SUBSCRIBED = List.of(SECRET, open(1), open(2), open(3), open(4));
    private static final String ENVELOPE = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"t\",\"version\":\"1\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{}}";

    private static String open(int number) {
        return "agentroot://open" + number + "/handbook.md";
    }

    private RawHttp listening(TestGateway gateway, String id) {
        RawHttp stream = new RawHttp(gateway.url().getPort());
        stream.post(
                "/mcp",
                "X-API-Key: " + key(id)
                        + "\nAccept: application/json, text/event-stream\nMCP-Protocol-Version: 2026-07-28\n"
                        + "Mcp-Method: subscriptions/listen\n",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"subscriptions/listen\",\"params\":"
                        + "{\"notifications\":{\"resourcesListChanged\":true,\"resourceSubscriptions\":[\""
                        + String.join("\",\"", SUBSCRIBED) + "\"]}," + ENVELOPE + "}}");
        stream.readUntil("notifications/subscriptions/acknowledged");
        return stream;
    }

    private RawHttp session(TestGateway gateway, String id) {
        McpTestClient client = McpTestClient.legacy(gateway.url(), McpTestClient.LEGACY, Map.of("X-API-Key", key(id)));
        for (String uri : SUBSCRIBED) {
            assertEquals(
                    200,
                    client.request("resources/subscribe", Json.object().put("uri", uri))
                            .status());
        }
        RawHttp stream = new RawHttp(gateway.url().getPort());
        stream.get(
                        "/mcp",
                        "X-API-Key: " + key(id) + "\nMcp-Session-Id: " + client.session()
                                + "\nMCP-Protocol-Version: 2025-11-25\nAccept: text/event-stream\n")
                .readUntil("text/event-stream");
        return stream;
    }

    private void add(McpTestClient client, String collection, String... allow) {
        ObjectNode arguments = Json.object()
                .put("name", collection)
                .put("path", folder.resolve("files").resolve(collection).toString());
        for (String reader : allow) {
            arguments.withArray("allow").add(reader);
        }
        assertFalse(client.call("collection_add", arguments).isError());
    }

    private static void call(McpTestClient client, String tool, String collection) {
        assertFalse(client.call(tool, Json.object().put("name", collection)).isError());
    }

    private static String updated(String uri) {
        return "\"uri\":\"" + uri + "\"";
    }

    private static int count(String seen, String text) {
        return seen.split(Pattern.quote(text), -1).length - 1;
    }

    /** Changes a collection that everyone may read, so that its notice ends what a stream has seen before. */
    private void open(McpTestClient feed, int number) throws IOException {
        write("open" + number + "/handbook.md", "# Handbook");
        add(feed, "open" + number);
        call(feed, "collection_update", "open" + number);
    }

    private static void saw(List<RawHttp> streams, int until, int lists, int secret) {
        for (RawHttp stream : streams) {
            String seen = stream.readUntil(updated(open(until)));
            assertEquals(lists, count(seen, LISTED), seen);
            assertEquals(secret, count(seen, updated(SECRET)), seen);
        }
    }

    @Test
    void theyAreNotNotifiedInEitherEra() throws IOException {
        write("secret/salaries.md", "# Pay");
        try (TestGateway gateway = start("agentroot", "roots");
                RawHttp annListens = listening(gateway, "ann");
                RawHttp annSession = session(gateway, "ann");
                RawHttp bobListens = listening(gateway, "bob");
                RawHttp bobSession = session(gateway, "bob")) {
            List<RawHttp> ann = List.of(annListens, annSession);
            List<RawHttp> bob = List.of(bobListens, bobSession);
            McpTestClient feed = client(gateway, "feed");
            add(feed, "secret", "group:hr");
            call(feed, "collection_update", "secret");
            open(feed, 1);
            saw(ann, 1, 2, 1);
            saw(bob, 1, 1, 0);
            // Who gets a collection is notified, and who loses it; then only those who have it.
            add(feed, "secret", "group:it");
            open(feed, 2);
            saw(ann, 2, 4, 2);
            saw(bob, 2, 3, 1);
            write("secret/salaries.md", "# More pay");
            call(feed, "collection_update", "secret");
            open(feed, 3);
            saw(ann, 3, 5, 2);
            saw(bob, 3, 5, 2);
            call(feed, "collection_remove", "secret");
            open(feed, 4);
            saw(ann, 4, 6, 2);
            saw(bob, 4, 7, 3);
        }
    }
}
