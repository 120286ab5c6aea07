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
import switchboard.testing.Eventually;
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
        return replica(Files.writeString(Files.createTempFile(folder, "state", ".key"), key));
    }

    private TestGateway replica(Path file) {
        return TestGateway.start("""
                server: { stateKey: "${file:%s}" }
                backends:
                  fixture: { type: mcp, url: "%s" }
                """.formatted(file, fixture.url()));
    }

    private static JsonNode finish(TestGateway gateway, ObjectNode params) {
        return gateway.modern("fixture")
                .able("elicitation")
                .request("tools/call", params)
                .json();
    }

    private static void finishes(TestGateway gateway, ObjectNode params) {
        JsonNode reply = finish(gateway, params);
        assertTrue(reply.at("/result/content/0/text").asText().contains("state-ok"), reply::toString);
    }

    private static void beginsAnew(TestGateway gateway, ObjectNode params) {
        JsonNode reply = finish(gateway, params);
        assertEquals(-32602, reply.at("/error/code").asInt(), reply::toString);
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
    void aKeyThatChangesSignsFromThenOnAndTheOneBeforeStillOpens() throws IOException {
        Path file = Files.writeString(folder.resolve("live.key"), KEY);
        try (TestGateway changing = replica(file);
                TestGateway old = replica(KEY);
                TestGateway next = replica("another " + KEY)) {
            ObjectNode before = begin(changing.modern("fixture").able("elicitation"));
            Files.writeString(file, "another " + KEY);
            ObjectNode after = Eventually.first(
                    () -> begin(changing.modern("fixture").able("elicitation")),
                    params -> !finish(next, params).has("error"));
            finishes(changing, after);
            beginsAnew(old, after);
            finishes(changing, before);
            beginsAnew(next, before);
            finishes(changing, begin(old.modern("fixture").able("elicitation")));
        }
    }

    @Test
    void aKeyThatBecomesTooShortStaysAsItWas() throws IOException {
        Path file = Files.writeString(folder.resolve("live.key"), KEY);
        try (TestGateway changing = replica(file);
                TestGateway other = replica(KEY)) {
            Files.writeString(file, "short");
            gauge(changing, 1);
            finishes(other, begin(changing.modern("fixture").able("elicitation")));
            finishes(changing, begin(other.modern("fixture").able("elicitation")));
            Files.writeString(file, KEY);
            gauge(changing, 0);
        }
    }

    private static void gauge(TestGateway gateway, int value) {
        String line = "switchboard_files_outdated{files=\"secrets\"} " + value;
        Eventually.that(() -> gateway.management("/metrics").body().contains(line), () -> line);
    }

    @Test
    void aShortKeyKeepsTheGatewayFromStarting() {
        RuntimeException refused = assertThrows(RuntimeException.class, () -> replica("short"));
        assertTrue(refused.getMessage().contains("fewer than 32 characters"), refused::getMessage);
    }
}
