package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.FixtureServer;
import switchboard.testing.fixture.FixtureServer.Era;

/** Which verbs a tool of another server needs: what that server says of itself counts only where the operator says so. */
class UpstreamHintsTest {
    private final FixtureServer fixture = new FixtureServer(Era.BOTH);
    private final ApiKey reader = ApiKey.generate(new SecureRandom());
    private final ApiKey writer = ApiKey.generate(new SecureRandom());

    @TempDir
    Path folder;

    @AfterEach
    void stop() {
        fixture.close();
    }

    /** Three tools: one that calls itself read-only, one that calls itself harmless in other words, one without hints. */
    private TestGateway gateway(String trust) throws IOException {
        fixture.listTools(list -> {
            ArrayNode tools = (ArrayNode) list.path("tools");
            tools.removeAll();
            tool(tools, "claims_to_read").putObject("annotations").put("readOnlyHint", true);
            tool(tools, "claims_no_harm")
                    .putObject("annotations")
                    .put("idempotentHint", true)
                    .put("destructiveHint", false);
            tool(tools, "claims_nothing");
            return list;
        });
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  readers: {keys: [{id: r, sha256: %s}], grants: ["fixture:read,search"]}
                  writers: {keys: [{id: w, sha256: %s}], grants: ["fixture:*"]}
                """.formatted(reader.sha256(), writer.sha256()));
        TestGateway gateway = TestGateway.start("""
                auth: {mode: keys}
                embedders: {default: {provider: none}}
                backends:
                  fixture: {type: mcp, url: "%s", trust: {%s}}
                """.formatted(fixture.url(), trust), folder);
        Eventually.that(
                () -> names(gateway, writer).size() == 3, () -> "its tools were listed: " + names(gateway, writer));
        return gateway;
    }

    private static ObjectNode tool(ArrayNode tools, String name) {
        ObjectNode tool = tools.addObject().put("name", name).put("description", name);
        tool.putObject("inputSchema").put("type", "object");
        return tool;
    }

    private static Set<String> names(TestGateway gateway, ApiKey key) {
        return new TreeSet<>(client(gateway, key).toolNames());
    }

    private static McpTestClient client(TestGateway gateway, ApiKey key) {
        return gateway.modern("fixture").with("X-API-Key", key.text());
    }

    private static boolean refused(TestGateway gateway, ApiKey key, String tool) {
        HttpReply reply = client(gateway, key)
                .request("tools/call", Json.object().put("name", tool).set("arguments", Json.object()));
        return reply.json().has("error");
    }

    @Test
    void hintsLowerNothingByThemselves() throws IOException {
        try (TestGateway gateway = gateway("")) {
            assertEquals(Set.of(), names(gateway, reader));
            assertTrue(refused(gateway, reader, "claims_to_read"));
            assertTrue(refused(gateway, reader, "claims_nothing"));
        }
    }

    @Test
    void whereTheyAreTrustedOnlyTheReadOnlyOneNeedsLess() throws IOException {
        try (TestGateway gateway = gateway("hints: true")) {
            assertEquals(Set.of("claims_to_read"), names(gateway, reader));
            assertTrue(refused(gateway, reader, "claims_no_harm"));
        }
    }

    @Test
    void whatTheOperatorSaysCountsWhateverTheServerSays() throws IOException {
        try (TestGateway gateway =
                gateway("hints: true, verbs: {claims_to_read: [update], claims_nothing: [search]}")) {
            assertEquals(Set.of("claims_nothing"), names(gateway, reader));
            assertTrue(refused(gateway, reader, "claims_to_read"));
        }
    }
}
