package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.insight.InsightFolder;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** What of searches is in the files of the data folder, and what is not, or not any more: looked for by its bytes. */
class InsightPrivacyTest {
    private static final List<String> TEAMS = List.of("full", "other", "hashed", "without", "unlogged");
    private static final String YAML = """
            auth: {mode: keys}
            embedders: {default: {provider: none}}
            insight:
              teams:
                full: {watches: {runsPerMinute: 6000}}
                other: {watches: {runsPerMinute: 6000}}
                hashed: {queries: hash}
                without: {queries: none}
            backends: {vectordb: {type: vectordb}}
            """;

    @TempDir
    Path folder;

    private final Map<String, ApiKey> keys = TEAMS.stream()
            .collect(Collectors.toMap(UnaryOperator.identity(), _ -> ApiKey.generate(new SecureRandom())));
    private TestGateway gateway;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("teams.yaml"),
                TEAMS.stream()
                        .map(team -> "  %1$s: {keys: [{id: %1$s-key, sha256: %2$s}],"
                                        .formatted(team, keys.get(team).sha256())
                                + " grants: [\"switchboard:search,read\", \"vectordb:*\"]}\n")
                        .collect(Collectors.joining("", "teams:\n", "")));
        Files.writeString(folder.resolve("switchboard.yaml"), YAML);
        gateway = TestGateway.start(YAML, folder);
        ingest("canarytitle", "A barge carries grain on the river.");
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    private McpTestClient client(String team) {
        return gateway.modern().with("Authorization", "Bearer " + keys.get(team).text());
    }

    private ToolResult ok(String team, String tool, ObjectNode arguments) {
        ToolResult result = client(team).call(tool, arguments);
        assertFalse(result.isError(), result::toString);
        return result;
    }

    private String ingest(String source, String text) {
        return ok("full", "ingest_text", Json.object().put("content", text).put("source", source))
                .structured()
                .path("doc_id")
                .asText();
    }

    /** Searches and reads the first hit, whose address it gives. */
    private String searched(String team, String query) {
        JsonNode hit = ok(team, "search_everywhere", Json.object().put("query", query))
                .structured()
                .at("/results/0");
        String address = hit.path("address").asText();
        ok(team, "fetch_document", Json.object().put("address", address));
        return address;
    }

    private void logged(String team, int lines) {
        Eventually.that(() -> lines(team) == lines, () -> lines(team) + " lines of " + team);
    }

    private int lines(String team) {
        int[] count = {0};
        try {
            new InsightFolder(folder).read(team, _ -> count[0]++);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return count[0];
    }

    /** Files outside of the documents' own store that have {@code text}. */
    private List<String> files(String text) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !folder.relativize(file).startsWith("data"))
                    .filter(file -> bytes(file).contains(text))
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty for a file that has been replaced meanwhile. */
    private static String bytes(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return "";
        }
    }

    private String forget(String... what) {
        StringWriter out = new StringWriter();
        int code = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(out, true))
                .execute(Stream.concat(
                                Stream.of("insight", "forget"),
                                Stream.concat(
                                        Stream.of(what),
                                        Stream.of(
                                                "--config=" + folder.resolve("switchboard.yaml"), "--data=" + folder)))
                        .toArray(String[]::new));
        assertEquals(0, code, out::toString);
        return out.toString();
    }

    private void gone(String text) {
        Eventually.that(
                () -> {
                    try {
                        return files(text).isEmpty();
                    } catch (UncheckedIOException _) {
                        return false; // a file went meanwhile
                    }
                },
                () -> text + " is in " + files(text));
    }

    private String asked(String team, String query) {
        return ok(team, "watch_search", Json.object().put("query", query))
                .structured()
                .at("/watches/0/watch")
                .asText();
    }

    private JsonNode watch(String team, String uri) {
        return ok(team, "watch_search", Json.object().put("watch", uri))
                .structured()
                .at("/watches/0");
    }

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

    @Test
    void whatIsForgottenIsInNoFileAndTheRestStaysAsItIs() {
        String address = searched("full", "grain fullcanary");
        searched("other", "grain othercanary");
        logged("full", 2);
        logged("other", 2);
        String others = bytes(folder.resolve(files("othercanary").getFirst()));
        forget("--team=full");
        assertEquals(List.of(), files("fullcanary"));
        assertEquals(List.of("teams.yaml"), files("full-key"));
        assertEquals(others, bytes(folder.resolve(files("othercanary").getFirst())), "byte for byte");
        assertEquals(1, files(address).size(), "that of the other team");
        forget("--document=" + address);
        gone(address);
        assertEquals(1, files("othercanary").size(), "searches stay");
        gateway.restart();
        assertEquals(List.of(), files("fullcanary"));
        forget("--before=2999-01-31");
        assertEquals(List.of(), files("othercanary"));
    }

    @Test
    void standingQuestionsAreForgottenWhileTheGatewayRuns() {
        String own = asked("full", "grain fullquestion");
        String other = asked("other", "grain otherquestion");
        String document = ingest("newstitle", "More grain for the otherquestion");
        JsonNode news = Eventually.first(
                () -> watch("other", other), found -> found.path("news_count").asInt() == 1);
        String address = news.at("/news/0/address").asText();
        ok("full", "delete_document", Json.object().put("doc_id", document));
        assertTrue(forget("--document=" + address).contains("running gateway forgets"));
        gone(address);
        gone("newstitle");
        forget("--key=full-key");
        gone("fullquestion");
        assertTrue(client("full")
                .call("watch_search", Json.object().put("watch", own))
                .isError());
        assertEquals(1, files("otherquestion").size());
        forget("--team=other", "--before=2001-01-31");
        gateway.restart();
        assertEquals("grain otherquestion", watch("other", other).path("query").asText());
        assertEquals(List.of(), files("fullquestion"));
    }

    @Test
    void standingQuestionsAreForgottenWhileNoGatewayRuns() {
        asked("full", "grain fullquestion");
        String other = asked("other", "grain otherquestion");
        gateway.close();
        String file = files("otherquestion").getFirst();
        String before = bytes(folder.resolve(file));
        assertTrue(forget("--team=full").contains("1 standing questions are gone"));
        assertEquals(List.of(), files("fullquestion"));
        assertEquals(before, bytes(folder.resolve(file)), "byte for byte");
        gateway = TestGateway.start(YAML, folder);
        assertEquals("active", watch("other", other).path("status").asText());
        gateway.close();
        assertTrue(forget("--before=2999-01-31").contains("1 standing questions are gone"));
        assertEquals(List.of(), files("otherquestion"));
    }
}
