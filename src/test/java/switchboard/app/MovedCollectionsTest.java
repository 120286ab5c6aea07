package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** {@code switchboard store move} of {@code agentroot}: collections, documents, metadata and memories, there and back. */
@Tag("engines")
class MovedCollectionsTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private Path docs;
    private Path data;

    private String yaml(String store, String dataDir) throws IOException {
        Path key = Files.writeString(folder.resolve("state.key"), "0123456789abcdef0123456789abcdef");
        Path url = Files.writeString(folder.resolve("database.url"), postgres.url());
        return """
                server: { stateKey: "${file:%s}" }
                cluster: { database: "${file:%s}", schema: moved, node: mover }
                embedders: { default: { provider: none } }
                backends: { notes: { type: agentroot, store: %s, dataDir: %s, roots: ['%s'] } }
                """.formatted(key, url, store, dataDir, docs);
    }

    private String move(String... arguments) {
        return Replicas.command(data, arguments);
    }

    private static JsonNode ok(TestGateway gateway, String tool, String arguments) {
        try (McpTestClient client = gateway.modern()) {
            ToolResult result = client.call("notes__" + tool, arguments.replace('\'', '"'));
            assertFalse(result.isError(), result::toString);
            return result.structured();
        }
    }

    private TestGateway ready(String store, String dataDir) throws IOException {
        TestGateway gateway = TestGateway.start(yaml(store, dataDir), data);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/health/ready").status() == 200,
                () -> gateway.management("/health/ready").body());
        return gateway;
    }

    /** What was there before is there. */
    private static void complete(TestGateway gateway) {
        assertTrue(ok(gateway, "search", "{'query':'lighthouse','collection':'birds'}")
                .toString()
                .contains("birds/a.md"));
        assertEquals(
                "Ada",
                ok(gateway, "metadata_get", "{'docid':'birds/a.md'}")
                        .at("/metadata/author/value")
                        .asText());
        assertTrue(ok(gateway, "memory_search", "{'query':'tide table'}")
                .toString()
                .contains("on the door"));
        JsonNode again = ok(gateway, "collection_update", "{'name':'birds'}");
        assertEquals(
                List.of(0, 2),
                List.of(again.path("added").asInt(), again.path("unchanged").asInt()));
    }

    @Test
    void collectionsAndMemoriesAreMovedThereAndBack() throws IOException {
        docs = Files.createDirectories(folder.resolve("docs")).toRealPath();
        data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(docs.resolve("a.md"), "# Lighthouse\n\nA lighthouse in the fog.\n");
        Files.writeString(docs.resolve("b.md"), "# Heron\n\nA bird of quiet water.\n");
        try (TestGateway gateway = ready("local", "here")) {
            ok(gateway, "collection_add", "{'name':'birds','path':'" + docs + "'}");
            ok(gateway, "collection_update", "{'name':'birds'}");
            ok(gateway, "metadata_add", "{'docid':'birds/a.md','metadata':{'author':'Ada'}}");
            ok(gateway, "memory_store", "{'content':'The tide table is on the door','category':'fact'}");
        }
        Files.writeString(data.resolve("switchboard.yaml"), yaml("local", "here"));
        String moved = move("store", "move", "--to", "cluster");
        assertTrue(moved.startsWith("0: "), moved);
        try (TestGateway gateway = ready("cluster", "there")) {
            complete(gateway);
        }
        Files.writeString(data.resolve("switchboard.yaml"), yaml("cluster", "there"));
        String back = move(
                "store", "move", "--to", "local", "--dir", data.resolve("back").toString());
        assertTrue(back.startsWith("0: "), back);
        try (TestGateway gateway = ready("local", "back")) {
            complete(gateway);
        }
    }
}
