package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** Front matter whose lists or mappings are nested so deeply that no stack has room for them is no front matter. */
class DeepFrontMatterTest {
    @TempDir
    Path temp;

    @Test
    void itsDocumentIsIndexedLikeOthers() throws IOException {
        Path docs = Files.createDirectories(temp.toRealPath().resolve("docs"));
        write(docs.resolve("lists.md"), "[".repeat(8_000) + "]".repeat(8_000));
        write(docs.resolve("mappings.md"), "{a: ".repeat(5_000) + "1" + "}".repeat(5_000));
        try (TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {agentroot: {type: agentroot, roots: ['%s']}}
                """.formatted(docs), temp.resolve("data"))) {
            McpTestClient client = gateway.modern("agentroot");
            client.call("collection_add", "{\"name\": \"docs\", \"path\": \"" + docs + "\"}");
            JsonNode update =
                    client.call("collection_update", "{\"name\": \"docs\"}").structured();
            assertEquals(2, update.path("added").asInt(), update::toString);
            assertEquals(0, update.path("skippedTotal").asInt(), update::toString);
            String found = client.call("search", "{\"query\": \"lighthouse\"}").toString();
            assertTrue(found.contains("lists.md") && found.contains("mappings.md"), found);
        }
    }

    private static void write(Path file, String value) throws IOException {
        Files.writeString(file, "---\ntitle: x\na: " + value + "\n---\n# Notes\n\nA lighthouse has a lamp.\n");
    }
}
