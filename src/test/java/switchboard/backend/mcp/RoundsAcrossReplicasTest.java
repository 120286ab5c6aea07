package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.FixtureServer;
import switchboard.testing.fixture.FixtureServer.Era;

/** A call that one process of the gateway began, and a client that brings the answers to another one. */
class RoundsAcrossReplicasTest {
    private static final String KEY = "a key that is long enough for this";

    @TempDir
    private Path folder;

    private final FixtureServer fixture = new FixtureServer(Era.MODERN);

    @AfterEach
    void stop() {
        fixture.close();
    }

    private TestGateway replica(String key) throws IOException {
        Path file = Files.writeString(Files.createTempFile(folder, "state", ".key"), key);
        return TestGateway.start("""
                server: { stateKey: "${file:%s}" }
                backends:
                  fixture: { type: mcp, url: "%s" }
                """.formatted(file, fixture.url()));
    }

    private static ObjectNode begin(McpTestClient client) {
        ObjectNode params = Json.object().put("name", "test_input_required_result_request_state");
        JsonNode asked = client.result("tools/call", params);
        params.set("requestState", asked.path("requestState"));
        params.putObject("inputResponses")
                .putObject("confirm")
                .put("action", "accept")
                .putObject("content")
                .put("ok", true);
        return params;
    }

    @Test
    void aReplicaWithTheSameKeyGoesOn() throws IOException {
        try (TestGateway one = replica(KEY);
                TestGateway other = replica(KEY)) {
            ObjectNode params = begin(one.modern("fixture").able("elicitation"));
            JsonNode result = other.modern("fixture").able("elicitation").result("tools/call", params);
            assertTrue(result.at("/content/0/text").asText().contains("state-ok"), result::toString);
        }
    }

    @Test
    void oneWithAnotherKeySaysThatTheCallMustBeBegunAnew() throws IOException {
        try (TestGateway one = replica(KEY);
                TestGateway other = replica(KEY + ".")) {
            ObjectNode params = begin(one.modern("fixture").able("elicitation"));
            JsonNode error = other.modern("fixture")
                    .able("elicitation")
                    .request("tools/call", params)
                    .json()
                    .path("error");
            assertEquals(-32602, error.path("code").asInt(), error::toString);
        }
    }

    @Test
    void aShortKeyKeepsTheGatewayFromStarting() {
        RuntimeException refused = assertThrows(RuntimeException.class, () -> replica("short"));
        assertTrue(refused.getMessage().contains("fewer than 32 characters"), refused::getMessage);
    }
}
