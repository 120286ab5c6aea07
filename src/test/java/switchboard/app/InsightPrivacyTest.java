package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** What of searches is in the files of the data folder, and what is not: looked for by its bytes. */
class InsightPrivacyTest extends LoggedTeams {
    private static final List<String> QUERIES =
            List.of("grain fullcanary", "grain hashedcanary", "grain withoutcanary");

    @Test
    void queriesAreKeptAsTheTeamHasChosen() {
        searched("full", "grain fullcanary");
        searched("hashed", "grain hashedcanary");
        searched("without", "grain withoutcanary");
        searched("unlogged", "grain unloggedcanary");
        logged("full", 2);
        logged("hashed", 2);
        logged("without", 2);
        gateway.close();
        assertEquals(1, files("fullcanary").size(), () -> files("fullcanary").toString());
        for (String canary : List.of("hashedcanary", "withoutcanary", "unloggedcanary", "canarytitle")) {
            assertEquals(List.of(), files(canary));
        }
        assertEquals(1, files("query_hash").size(), "of one team only");
        assertEquals(List.of("teams.yaml"), files("unlogged-key"));
    }

    /** Of the same question, asked again, asked for the rest of its hits, and asked in other words. */
    @Test
    void nothingTellsWhichQueriesAreEqualWhereTheyAreNotKept() throws IOException {
        ingest("storm", "A ferry carries passengers, also in a thunderstorm.");
        ingest("calm", "Passengers like calm water.");
        for (String team : List.of("full", "hashed", "without")) {
            JsonNode answer = found(team, "passengers in a thunderstrom");
            assertEquals("thunderstorm", answer.at("/corrected/0/searched").asText(), answer::toString);
            found(team, "passengers in a thunderstrom");
            ok(
                    team,
                    "search_everywhere",
                    Json.object().put("query", "passengers in a thunderstrom").put("skip_results", 1));
            found(team, "calm water");
            logged(team, 4);
        }
        List<JsonNode> full = lines("full");
        assertEquals("thunderstorm", full.get(0).at("/corrected/0/searched").asText());
        List<JsonNode> hashed = lines("hashed");
        for (List<JsonNode> lines : List.of(full, hashed)) {
            assertEquals(lines.get(1).path("id"), lines.get(2).path("rest_of"), "it would be there");
            assertEquals(lines.get(2).path("id"), lines.get(3).path("after"), "it would be there");
        }
        for (JsonNode line : lines("without")) {
            for (String telling : List.of("query", "query_hash", "corrected", "after", "rest_of")) {
                assertFalse(line.has(telling), line::toString);
            }
        }
        for (String word : List.of("thunderst", "passengers", "calm water")) {
            List<String> files = files(word);
            assertEquals(1, files.size(), files::toString);
            assertTrue(files.getFirst().startsWith("insight/team-full/"), files::toString);
        }
        for (JsonNode line : hashed) {
            assertFalse(line.has("query") || line.has("corrected"), line::toString);
        }
    }

    private void everything(McpTestClient client, String query) {
        JsonNode hit = client.call("search_everywhere", Json.object().put("query", query))
                .structured()
                .at("/results/0");
        client.call(
                "fetch_document",
                Json.object().put("address", hit.path("address").asText()));
        ObjectNode citations = Json.object();
        citations.putArray("citations").add(hit.at("/ref/cite").asText());
        JsonNode checked = client.call("check_citation", citations).structured();
        assertEquals(hit.path("address"), checked.at("/results/0/address"), checked::toString);
        ObjectNode watched = Json.object().put("name", "watch_search");
        watched.putObject("arguments").put("query", query);
        JsonNode refused = client.request("tools/call", watched).json();
        assertTrue(refused.at("/result/isError").asBoolean() || refused.has("error"), refused::toString);
    }

    @Test
    void nothingIsKeptOfTeamsWithoutALog() throws IOException {
        everything(client("silent"), "grain silentcanary");
        everything(client("unlogged"), "grain unloggedcanary");
        String address = searched("full", "grain fullcanary");
        logged("full", 2);
        gateway.close();
        for (String team : List.of("silent", "unlogged")) {
            assertEquals(List.of(), files(team + "canary"));
            assertEquals(List.of("teams.yaml"), files(team + "-key"));
            assertEquals(List.of(), files("team-" + team));
        }
        assertEquals(1, files(address).size(), "that of the team with a log");
    }

    @Test
    void withoutTheSectionThereIsNoFile() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data-of-another"));
        try (TestGateway plain = TestGateway.start(
                "{embedders: {default: {provider: none}}, backends: {vectordb: {type: vectordb}}}", data)) {
            plain.modern().call("ingest_text", Json.object().put("content", "A barge carries grain."));
            everything(plain.modern(), "grain plaincanary");
            plain.restart();
        }
        try (Stream<Path> all = Files.walk(data)) {
            assertEquals(
                    List.of(),
                    all.filter(file -> file.toString().contains("insight")
                                    || file.toString().contains("watches")
                                    || bytes(file).contains("plaincanary"))
                            .toList());
        }
    }

    /** What a team's {@code redact} removes from arguments is nowhere in what is kept of them. */
    @Test
    void whatIsRedactedIsNotKept() throws IOException {
        String teams = Files.readString(folder.resolve("teams.yaml"));
        Files.writeString(
                folder.resolve("teams.yaml"),
                teams.replace("  full: {", "  full: {redact: {arguments: [\"canary[0-9]+\"]}, "));
        gateway.restart();
        searched("full", "grain canary4711");
        String watch = asked("full", "grain canary4712");
        assertEquals("grain [redacted]", watch("full", watch).path("query").asText());
        logged("full", 2);
        assertEquals("grain [redacted]", lines("full").getFirst().path("query").asText());
        assertEquals(List.of(), files("canary47"));
    }

    @Test
    void theKeyOfASearchIsItsIdAndNeverItsText() {
        QUERIES.forEach(query -> searched("full", query));
        logged("full", 2 * QUERIES.size());
        asked("full", "grain fullquestion");
        new TreeMap<>(keys).values().forEach(key -> assertEquals(List.of(), files(key.text())));
    }
}
