package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.HandClock;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.TestIssuer;
import switchboard.testing.ToolResult;

/** Standing questions of people with access tokens: the claims of the last token count, for a while. */
class StandingQuestionsOfTokensTest {
    private static final String AUDIENCE = "https://gateway.test/mcp";

    @TempDir
    Path folder;

    private final TestIssuer issuer = TestIssuer.start();
    private final ApiKey feeder = ApiKey.generate(new SecureRandom());
    private final HandClock clock = new HandClock(Instant.now());
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  people:
                    grants: ["switchboard:search,read", "vectordb:search,read"]
                    bindings: {vectordb: {groups: "{list:groups}"}}
                  feeders:
                    keys: [{id: feed, sha256: %s}]
                    grants: ["*:*"]
                    bindings: {vectordb: {documents: all}}
                """.formatted(feeder.sha256()));
        gateway = TestGateway.start("""
                server: {publicUrl: "%s"}
                auth:
                  mode: keys
                  tokens:
                    issuers: {corporate: {issuer: "%s", jwks: "%s", team: people, carry: [groups]}}
                embedders: {default: {provider: none}}
                insight: {teams: {people: {log: false, watches: {maxAge: 1h, every: 10m, runsPerMinute: 6000}}}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(AUDIENCE, issuer.identifier(), issuer.jwksUrl()), folder, clock);
    }

    @AfterEach
    void stop() {
        gateway.close();
        issuer.close();
    }

    private JsonNode watch(ObjectNode arguments, String... groups) {
        Map<String, Object> claims = issuer.claims(AUDIENCE, "ada", clock.instant());
        claims.put("groups", List.of(groups));
        McpTestClient client = gateway.modern().with("Authorization", "Bearer " + issuer.sign(claims));
        ToolResult result = client.call("watch_search", arguments);
        assertFalse(result.isError(), result::toString);
        return result.structured().at("/watches/0");
    }

    private void ingest(String source, String... allow) {
        ObjectNode arguments =
                Json.object().put("content", "Salaries: " + source).put("source", source);
        for (String reader : allow) {
            arguments.withArray("allow").add(reader);
        }
        ToolResult stored = gateway.modern()
                .with("Authorization", "Bearer " + feeder.text())
                .call("ingest_text", arguments);
        assertFalse(stored.isError(), stored::toString);
    }

    private String fileText() {
        try (Stream<Path> files = Files.walk(folder.resolve("watches"))) {
            return Files.readString(files.filter(path -> path.toString().endsWith(".json"))
                    .findFirst()
                    .orElseThrow());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void theClaimsOfTheLastTokenCountAndSleepWhenItIsOld() {
        ingest("for all", "everyone");
        String uri = watch(Json.object().put("query", "salaries"), "hr")
                .path("watch")
                .asText();
        ObjectNode same = Json.object().put("watch", uri);
        ingest("for hr", "group:hr");
        ingest("for it", "group:it");
        JsonNode found = Eventually.first(
                () -> watch(same, "hr"), watch -> watch.path("news").size() == 1);
        assertTrue(found.path("news").toString().contains("for hr"), found::toString);

        assertEquals(0, watch(same, "it").path("news").size(), "what the reader may not read now is left out");
        clock.forward(Duration.ofMinutes(11));
        JsonNode other = Eventually.first(
                () -> watch(same, "it"), watch -> watch.path("news").size() == 1);
        assertTrue(other.path("news").toString().contains("for it"), other::toString);
        Eventually.that(() -> fileText().contains("\"it\""), () -> "the claims of the last token");
        assertFalse(fileText().contains("eyJ"), "the token itself is not kept");

        clock.forward(Duration.ofMinutes(70));
        Eventually.that(() -> fileText().contains("used too long ago"), () -> "it sleeps: " + fileText());
        ingest("more for it", "group:it");
        assertEquals("asleep", watch(same, "it").path("status").asText());
        JsonNode awake = Eventually.first(
                () -> watch(same, "it"), watch -> watch.path("news").size() == 2);
        assertEquals("active", awake.path("status").asText());
    }
}
