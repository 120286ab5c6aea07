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
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** A team with {@code redact} has refs only of passages that it sees as they are, over HTTP. */
class RedactedRefsTest {
    private static final String SECRET = "The keel belongs to anna@example.com.";

    @TempDir
    Path folder;

    private TestGateway gateway;
    private McpTestClient whole;
    private McpTestClient redacted;

    @BeforeEach
    void start() throws IOException {
        ApiKey wholeKey = ApiKey.generate(new SecureRandom());
        ApiKey redactedKey = ApiKey.generate(new SecureRandom());
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  whole:
                    keys: [{id: one, sha256: %s}]
                    grants: ["*:*"]
                  redacted:
                    keys: [{id: two, sha256: %s}]
                    grants: ["*:*"]
                    redact: {results: [email]}
                """.formatted(wholeKey.sha256(), redactedKey.sha256()));
        gateway = TestGateway.start("""
                auth: {mode: keys}
                audit: {to: none}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                """, folder);
        whole = gateway.modern().with("Authorization", "Bearer " + wholeKey.text());
        redacted = gateway.modern().with("Authorization", "Bearer " + redactedKey.text());
        ingest("secret.md", SECRET);
        ingest("plain.md", "The keel is of oak.");
        ingest("of-bob@example.com.md", "The keel has a name.");
        ingest(
                "long.md",
                "The keel of the boat. " + "It was laid long ago in the old yard. ".repeat(20)
                        + "Ask eve@example.com.");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private void ingest(String source, String text) {
        ToolResult stored =
                whole.call("ingest_text", Json.object().put("content", text).put("source", source));
        assertFalse(stored.isError(), stored::toString);
    }

    /** The refs of an answer by the source in its cite; its text block says the same. */
    private static Map<String, String> cites(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        assertEquals(Json.text(result.structured()), result.text());
        Map<String, String> cites = new TreeMap<>();
        for (JsonNode hit : result.structured().path("results")) {
            if (hit.has("ref")) {
                String cite = hit.at("/ref/cite").asText();
                cites.put(cite.replaceAll("\\[vectordb/default/(.*)#.*", "$1"), cite);
            }
        }
        return cites;
    }

    @Test
    void aPassageThatIsNotShownAsItIsHasNone() {
        for (String tool : new String[] {"search_everywhere", "search"}) {
            ToolResult all = whole.call(tool, "{\"query\": \"keel\"}");
            assertEquals(
                    "[long.md, of-bob%40example.com.md, plain.md, secret.md]",
                    cites(all).keySet().toString());
            ToolResult some = redacted.call(tool, "{\"query\": \"keel\"}");
            assertEquals(4, some.structured().path("results").size(), some::toString);
            assertTrue(some.text().contains("belongs to [redacted]."), some::toString);
            assertEquals(Map.of("plain.md", String.valueOf(cites(all).get("plain.md"))), cites(some));
            ToolResult cut = redacted.call(tool, "{\"query\": \"keel\", \"budget_tokens\": 20000}");
            assertEquals(cites(some), cites(cut));
        }
        ToolResult excerpts = redacted.call("search_everywhere", "{\"query\": \"keel\", \"detail\": \"snippets\"}");
        assertFalse(cites(excerpts).containsKey("long.md"), "what the excerpt leaves out has an address");
    }

    @Test
    void whatIsReadAndWhatACheckShowsIsNotHashedEither() {
        JsonNode address = whole.call("search_everywhere", "{\"query\": \"belongs\"}")
                .structured()
                .at("/results/0/address");
        ObjectNode arguments = Json.object().set("address", address);
        assertTrue(whole.call("fetch_document", arguments).structured().has("ref"));
        ToolResult read = redacted.call("fetch_document", arguments);
        assertEquals(
                "The keel belongs to [redacted].",
                read.structured().path("text").asText());
        assertFalse(read.structured().has("ref"), read::toString);
        assertFalse(read.text().contains("\"ref\""), read::toString);
        String cite = String.valueOf(
                cites(whole.call("search", "{\"query\": \"oak\"}")).get("plain.md"));
        ObjectNode check = Json.object().put("text", cite);
        assertEquals(
                "unchanged",
                redacted.call("check_citation", check)
                        .structured()
                        .at("/results/0/verdict")
                        .asText());
        ingest("plain.md", "Ask anna@example.com.");
        assertTrue(whole.call("check_citation", check)
                .structured()
                .at("/results/0")
                .has("now"));
        JsonNode changed = redacted.call("check_citation", check).structured().at("/results/0");
        assertEquals("changed", changed.path("verdict").asText());
        assertEquals(
                "[address, cite, verdict]",
                new TreeSet<>(changed.propertyStream().map(Map.Entry::getKey).toList()).toString(),
                "place by place, a caller would read all of it");
        assertFalse(redacted.call("check_citation", check).text().contains("Ask"));
    }
}
