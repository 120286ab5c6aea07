package switchboard.federation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/**
 * Two teams with libraries of the same names in one store, and each with libraries of its own in a second one: what the
 * composed tools say to one is what they say where the other has never been.
 */
class TwoTeamsEverywhereTest {
    private static final List<String> TEAMS = List.of("red", "blue");
    private static final List<String> WORDS =
            List.of("river", "stone", "harbour", "lantern", "orchard", "thunder", "velvet", "copper");
    private static final int DOCUMENTS = 25;

    private final Map<String, ApiKey> keys = TEAMS.stream()
            .collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));

    @TempDir
    Path folder;

    private TestGateway start(String name, List<String> teams) throws IOException {
        Path data = Files.createDirectories(folder.resolve(name));
        Files.writeString(
                data.resolve("teams.yaml"),
                teams.stream()
                        .map(team -> """
                                  %1$s:
                                    keys: [{id: %1$s1, sha256: %2$s}]
                                    grants: ["switchboard:search,read", "vectordb:*", "archive:*:%1$s-*"]
                                    bindings: {vectordb: {owner: %1$s}}
                                """.formatted(team, keys.get(team).sha256()))
                        .collect(Collectors.joining("", "teams:\n", "")));
        return TestGateway.start("""
                auth: {mode: keys}
                audit: {to: none}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, dataDir: data/one}
                  archive: {type: vectordb, dataDir: data/two}
                """, data);
    }

    private McpTestClient client(TestGateway gateway, String team) {
        return gateway.modern().with("Authorization", "Bearer " + keys.get(team).text());
    }

    /** The same for a team in every gateway, and as much alike in both teams as may be. */
    private static void fill(McpTestClient client, String team) {
        Random random = new Random(team.hashCode());
        for (int i = 0; i < DOCUMENTS; i++) {
            StringBuilder text = new StringBuilder(team + "secret ");
            for (int w = 10 + i; w > 0; w--) {
                text.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
            }
            boolean shared = random.nextBoolean();
            ToolResult stored = client.call(
                    shared ? "ingest_text" : "archive__ingest_text",
                    Json.object()
                            .put("content", text.toString())
                            .put("source", "source-" + i)
                            .put("library", shared ? "shared" : team + "-notes"));
            assertFalse(stored.isError(), stored::toString);
        }
    }

    /** Without what differs from store to store: ids and times. */
    private static String plain(ToolResult result) {
        return result.toString()
                .replaceAll("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID")
                .replaceAll("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z", "TIME")
                .replaceAll("\\\\?\"ms\\\\?\":[0-9]+", "MS");
    }

    private static List<ToolResult> answers(McpTestClient client) {
        List<ToolResult> answers = new ArrayList<>();
        for (String query : List.of("river stone", "redsecret", "bluesecret", "copper", "harbour lantern velvet")) {
            answers.add(client.call(
                    "search_everywhere", Json.object().put("query", query).put("limit", 50)));
            ObjectNode named = Json.object().put("query", query);
            named.putArray("sources").add("archive:*-notes").add("vectordb:shared");
            answers.add(client.call("search_everywhere", named.put("skip_results", 2)));
            ObjectNode explained = Json.object().put("query", query).put("explain", true);
            answers.add(client.call("search_everywhere", explained.put("mode", "keyword")));
        }
        answers.add(client.call("list_sources", "{}"));
        answers.add(client.call("find_tools", "{\"task\": \"delete a document\", \"limit\": 50}"));
        return answers;
    }

    @Test
    void nothingOfOneTeamReachesTheOther() throws IOException {
        try (TestGateway both = start("both", TEAMS)) {
            for (String team : TEAMS) {
                fill(client(both, team), team);
            }
            for (String team : TEAMS) {
                String other = team.equals("red") ? "blue" : "red";
                List<ToolResult> together = answers(client(both, team));
                assertTrue(together.getFirst().toString().contains(team + "secret"));
                together.forEach(answer -> assertFalse(
                        answer.toString().contains(other + "secret")
                                || answer.toString().contains(other + "-notes"),
                        answer::toString));
                try (TestGateway own = start("alone-" + team, List.of(team))) {
                    fill(client(own, team), team);
                    List<ToolResult> alone = answers(client(own, team));
                    for (int i = 0; i < alone.size(); i++) {
                        assertEquals(plain(alone.get(i)), plain(together.get(i)), "answer " + i);
                    }
                }
                for (JsonNode hit : together.getFirst().structured().path("results")) {
                    String address = "{\"address\": \"" + hit.path("address").asText() + "\"}";
                    assertFalse(
                            client(both, team).call("fetch_document", address).isError());
                    assertTrue(
                            client(both, other).call("fetch_document", address).isError());
                }
            }
        }
    }
}
