package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.call.Json;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.SwitchboardProcess;
import switchboard.testing.ToolResult;

/**
 * A gateway whose JVM says that it runs on another system: of the libraries with native code none has a file. It serves,
 * takes documents and source code in, and finds them by keyword.
 */
class OtherPlatformTest {
    @TempDir
    Path folder;

    @Test
    void withoutAnyNativeLibraryDocumentsAndSourceCodeAreFoundByKeyword() throws Exception {
        Path code = Files.createDirectory(folder.resolve("code")).toRealPath();
        Files.writeString(code.resolve("Stork.java"), "class Stork {\n    void clatter() {}\n}\n");
        Files.writeString(code.resolve("heron.py"), "def wait_for_fish():\n    return True\n");
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), """
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot, roots: ["%s"]}
                """.formatted(code));
        List<String> options = new ArrayList<>(SwitchboardProcess.SHORT_LIVED);
        options.addAll(List.of("-DSWITCHBOARD_REQUEST_LOG=OFF", "-Dos.name=FreeBSD"));
        var launch = new GatewayProcess.Launch(config, folder.resolve("data"), "512m", 0);
        try (GatewayProcess gateway = GatewayProcess.start(launch, Main.class, options)) {
            McpTestClient client = McpTestClient.modern(gateway.url());
            ok(client, "ingest_text", Map.of("content", "# Owls\n\nAn owl hunts at night.", "source", "owls"));
            JsonNode found = ok(client, "vectordb__search", Map.of("query", "which bird hunts at night"));
            assertEquals("keyword", found.path("mode").asText(), found::toString);
            assertEquals("owls", found.at("/results/0/source").asText());
            assertTrue(gateway.log().contains("The shipped embedding model can't run on FreeBSD"), "it said so");

            ok(client, "collection_add", Map.of("name", "code", "path", code.toString(), "pattern", "**/*"));
            JsonNode updated = ok(client, "collection_update", Map.of("name", "code"));
            assertEquals(2, updated.path("filesUpdated").asInt(), updated::toString);
            JsonNode source = ok(client, "agentroot__search", Map.of("query", "clatter"));
            assertTrue(source.toString().contains("Stork.java"), source::toString);
        }
    }

    private static JsonNode ok(McpTestClient client, String tool, Map<String, Object> arguments) {
        ToolResult result = client.call(tool, Json.text(Json.mapper().valueToTree(arguments)));
        assertFalse(result.isError(), result::toString);
        return result.structured();
    }
}
