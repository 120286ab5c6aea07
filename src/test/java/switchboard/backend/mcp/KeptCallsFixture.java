package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GrowingFile;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.AskingServer;

/** A gateway of two teams before a server of 2025-11-25 that asks, and what its clients send and read. */
abstract class KeptCallsFixture {
    /** How the server is reached. */
    enum Wire {
        HTTP,
        STDIO
    }

    static final ObjectNode FORM = Json.object();
    static final ObjectNode MODEL = Json.object();
    static final ObjectNode FOLDERS = Json.object();

    static {
        FORM.put("action", "accept").putObject("content").put("name", "Zoë \uD83D\uDE00");
        MODEL.put("role", "assistant")
                .put("model", "m")
                .putObject("content")
                .put("type", "text")
                .put("text", "Something.");
        FOLDERS.putArray("roots").addObject().put("uri", "file:///here");
    }

    @TempDir
    Path folder;

    final ApiKey red = ApiKey.generate(new SecureRandom());
    final ApiKey scarlet = ApiKey.generate(new SecureRandom());
    final ApiKey blue = ApiKey.generate(new SecureRandom());
    final AskingServer http = new AskingServer();
    final List<AutoCloseable> open = new ArrayList<>();
    Wire wire = Wire.HTTP;
    TestGateway gateway;

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        gateway.close();
        http.close();
    }

    void start(Wire how, String more) throws IOException {
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

    McpTestClient client(ApiKey key) {
        return gateway.modern("asking").with("X-API-Key", key.text());
    }

    McpTestClient able(ApiKey key) {
        return client(key).able("elicitation").able("sampling").able("roots");
    }

    List<JsonNode> received() {
        if (wire == Wire.HTTP) {
            return http.received();
        }
        return new GrowingFile(folder.resolve("received"))
                .lines().stream().map(KeptCallsFixture::parsed).toList();
    }

    static JsonNode parsed(String line) {
        try {
            return Json.parse(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    static ObjectNode call(String tool) {
        return Json.object().put("name", tool).set("arguments", Json.object());
    }

    static String text(JsonNode result) {
        return result.at("/content/0/text").asText();
    }

    /** {@code params} with the state of {@code asked} and {@code answer} to each of its questions. */
    static ObjectNode answering(ObjectNode params, JsonNode asked, ObjectNode answer) {
        ObjectNode next = params.deepCopy();
        next.set("requestState", asked.path("requestState"));
        ObjectNode responses = next.putObject("inputResponses");
        asked.path("inputRequests").fieldNames().forEachRemaining(key -> responses.set(key, answer));
        return next;
    }

    static JsonNode question(JsonNode asked) {
        assertEquals("input_required", asked.path("resultType").asText(), asked::toString);
        return asked.path("inputRequests").elements().next();
    }
}
