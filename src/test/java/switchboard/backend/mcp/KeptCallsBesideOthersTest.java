package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.AskingServer;

/** Kept calls beside others: questions that nobody answers, answers that are lost, bounds, and sessions that end early. */
class KeptCallsBesideOthersTest {
    /** How the server is reached. */
    enum Wire {
        HTTP,
        STDIO
    }

    private static final ObjectNode FORM = Json.object();
    private static final ObjectNode FOLDERS = Json.object();

    static {
        FORM.put("action", "accept").putObject("content").put("name", "Zoë \uD83D\uDE00");
        FOLDERS.putArray("roots").addObject().put("uri", "file:///here");
    }

    @TempDir
    private Path folder;

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey scarlet = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final AskingServer http = new AskingServer();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Wire wire = Wire.HTTP;
    private TestGateway gateway;

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        gateway.close();
        http.close();
    }

    private void start(Wire how, String more) throws IOException {
        wire = how;
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: r, sha256: %s}, {id: s, sha256: %s}], grants: ["*:*"]}
                  blue: {keys: [{id: b, sha256: %s}], grants: ["*:*"]}
                """.formatted(red.sha256(), scarlet.sha256(), blue.sha256()));
        String server = how == Wire.HTTP
                ? "url: \"" + http.url() + "\""
                : AskingServer.command(folder.resolve("received")).stream()
                        .collect(Collectors.joining("\", \"", "command: [\"", "\"]"));
        gateway = TestGateway.start(
                """
                server: { stateKey: "${file:%s}" }
                auth: {mode: keys}
                backends:
                  asking: { type: mcp, era: legacy, %s%s }
                """.formatted(
                                Files.writeString(folder.resolve("state.key"), "a key that is long enough for this"),
                                server,
                                more),
                folder);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> client(red).toolNames().contains("ask"),
                () -> "its tools were never listed");
    }

    private McpTestClient client(ApiKey key) {
        return gateway.modern("asking").with("X-API-Key", key.text());
    }

    private McpTestClient able(ApiKey key) {
        return client(key).able("elicitation").able("sampling").able("roots");
    }

    private List<JsonNode> received() {
        if (wire == Wire.HTTP) {
            return http.received();
        }
        return new GrowingFile(folder.resolve("received"))
                .lines().stream().map(KeptCallsBesideOthersTest::parsed).toList();
    }

    private static JsonNode parsed(String line) {
        try {
            return Json.parse(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    private static ObjectNode call(String tool) {
        return Json.object().put("name", tool).set("arguments", Json.object());
    }

    private static String text(JsonNode result) {
        return result.at("/content/0/text").asText();
    }

    /** {@code params} with the state of {@code asked} and {@code answer} to each of its questions. */
    private static ObjectNode answering(ObjectNode params, JsonNode asked, ObjectNode answer) {
        ObjectNode next = params.deepCopy();
        next.set("requestState", asked.path("requestState"));
        ObjectNode responses = next.putObject("inputResponses");
        asked.path("inputRequests").fieldNames().forEachRemaining(key -> responses.set(key, answer));
        return next;
    }

    private static JsonNode question(JsonNode asked) {
        assertEquals("input_required", asked.path("resultType").asText(), asked::toString);
        return asked.path("inputRequests").elements().next();
    }

    private long got(String method) {
        return received().stream()
                .filter(message -> message.path("method").asText().equals(method))
                .count();
    }

    /** A question that belongs to no call's stream, twice, and nobody answers; the next call is asked, and so are the first ones. */
    @ParameterizedTest
    @EnumSource(Wire.class)
    void questionsThatNobodyAnswersDoNotSilenceTheNextCall(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        List<JsonNode> asked = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            JsonNode next = client.result("tools/call", call("folders"));
            assertEquals("roots/list", question(next).path("method").asText());
            asked.add(next);
        }
        for (JsonNode one : asked.reversed()) {
            JsonNode done = client.result("tools/call", answering(call("folders"), one, FOLDERS));
            assertTrue(text(done).contains("file:///here"), done::toString);
        }
    }

    @Test
    void anAnswerNeedsNoneOfThePoolsConnections() throws IOException {
        start(Wire.HTTP, ", connection: {pool: {size: 1}}");
        McpTestClient client = able(red);
        JsonNode asked = client.result("tools/call", call("ask"));
        assertTrue(text(client.result("tools/call", answering(call("ask"), asked, FORM)))
                .contains("Zoë"));
    }

    @Test
    void aCallWhoseAnswerTheServerRefusesEndsAndSaysSo() throws IOException {
        start(Wire.HTTP, "");
        McpTestClient client = able(red);
        JsonNode asked = client.result("tools/call", call("ask"));
        http.refuseAnswers();
        JsonNode failed = client.result("tools/call", answering(call("ask"), asked, FORM));
        assertTrue(failed.path("isError").asBoolean(), failed::toString);
        assertTrue(text(failed).contains("400"), failed::toString);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> got("notifications/cancelled") == 1,
                () -> "the server was not told: " + received());
        assertTrue(text(client.result("tools/call", answering(call("ask"), asked, FORM)))
                .contains("is gone"));
    }

    @Test
    void aCallThatIsCutShortIsCancelledAndItsSessionReplaced() throws IOException {
        start(Wire.HTTP, "");
        McpTestClient client = able(red);
        client.result("tools/call", call("runs"));
        long sessions = got("initialize");
        JsonNode cut = client.result("tools/call", call("cut"));
        assertTrue(text(cut).contains("ended the stream"), cut::toString);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> got("notifications/cancelled") == 1,
                () -> "the server was not told: " + received());
        assertEquals(
                "roots/list",
                question(client.result("tools/call", call("folders")))
                        .path("method")
                        .asText());
        assertEquals(sessions + 1, got("initialize"));
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void whatIsAnnouncedInACallersSessionIsHeard(Wire how) throws IOException {
        start(how, "");
        McpTestClient client = able(red);
        client.result("tools/call", call("runs"));
        long read = got("tools/list");
        client.result("tools/call", call("announce"));
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> got("tools/list") > read,
                () -> "the lists were not read again: " + received());
    }

    /** Half of the processes, or one call over all: the one that waits longest ends, never the one that begins to wait. */
    @ParameterizedTest
    @EnumSource(Wire.class)
    void theOldestOfAllEndsAndNotTheNewest(Wire how) throws IOException {
        start(how, how == Wire.HTTP ? ", questions: {most: 1}" : ", process: {most: 3}");
        for (ApiKey key : List.of(blue, red)) {
            JsonNode first = able(key).result("tools/call", call("ask"));
            ApiKey next = key.equals(red) ? blue : red;
            JsonNode second = able(next).result("tools/call", call("ask"));
            String gone = text(able(key).result("tools/call", answering(call("ask"), first, FORM)));
            assertTrue(gone.contains("is gone"), gone);
            String done = text(able(next).result("tools/call", answering(call("ask"), second, FORM)));
            assertTrue(done.contains("Zoë"), done);
        }
    }
}
