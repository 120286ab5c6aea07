package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.FolderCopy;
import switchboard.testing.McpTestClient;
import switchboard.testing.NodeTools;
import switchboard.testing.TestGateway;

/** The workflows and examples that agentroot documents, by the official clients, on a project and on this repository. */
@Tag("engines")
class SeedReplayTest {
    @TempDir
    Path temp;

    @Test
    void theDocumentedWorkflowsRun() throws IOException {
        Path project = Files.createDirectory(temp.resolve("project")).toRealPath();
        Map<String, String> files = Map.of(
                "src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n",
                "src/error.rs",
                        "//! Error handling: how errors are handled.\n\n/// Handles an error.\nfn handle_error() {}\n",
                "src/search/bm25.rs", "fn bm25() {}\n",
                "src/auth.md", "# Authentication\n\nHow authentication works.\n",
                "docs/tutorial.md", "# A tutorial of error handling\n\nError handling, step by step.\n");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = project.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        Path repository = Files.createDirectory(temp.resolve("repository")).toRealPath();
        for (String part : List.of("src/main/java/switchboard/backend", "backends", "docs")) {
            FolderCopy.of(Path.of(part), repository.resolve(part));
        }
        try (TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {agentroot: {type: agentroot, roots: ['%s', '%s']}}
                """.formatted(project, repository))) {
            NodeTools.Run run = NodeTools.install()
                    .run(
                            "node",
                            "agentroot-seed.mjs",
                            gateway.url("agentroot").toString(),
                            project.toString(),
                            repository.toString());
            assertEquals(0, run.exit(), run.output());
        }
    }

    /** The messages of the documentation as they stand there: without a session, with empty parameters. */
    @Test
    void theDocumentedMessagesAreAnswered() {
        try (TestGateway gateway = TestGateway.start("""
                embedders: {default: {provider: none}}
                backends: {agentroot: {type: agentroot}}
                """);
                McpTestClient client = gateway.modern("agentroot")) {
            JsonNode tools = client.post(
                            "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/list\", \"params\": {}}", Map.of())
                    .json();
            assertEquals(29, tools.path("result").path("tools").size());
            JsonNode found = client.post("""
                            {"jsonrpc": "2.0", "id": 3, "method": "tools/call",
                             "params": {"name": "search", "arguments": {"query": "error handling", "limit": 10}}}
                            """, Map.of()).json();
            assertEquals(
                    "Found 0 results for \"error handling\"",
                    found.path("result").path("content").path(0).path("text").asText());
            JsonNode initialized = client.post("""
                            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
                             {"protocolVersion": "2024-11-05", "capabilities": {},
                              "clientInfo": {"name": "claude", "version": "1"}}}
                            """, Map.of()).json();
            assertEquals(
                    "2024-11-05",
                    initialized.path("result").path("protocolVersion").asText());
            assertTrue(initialized.path("result").path("capabilities").has("tools"));
        }
    }
}
