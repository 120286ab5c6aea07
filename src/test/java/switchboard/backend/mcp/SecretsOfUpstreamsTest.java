package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.AskedClient;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.FixtureServer;
import switchboard.testing.fixture.IndiscreetProgram;

/** Servers that tell everybody what the gateway told them alone: the operator's secrets reach no caller. */
class SecretsOfUpstreamsTest {
    private static final String SECRET = "pa\"ss /wörd+=";

    @TempDir
    private Path folder;

    private final FixtureServer fixture = new FixtureServer(FixtureServer.Era.BOTH);
    private TestGateway gateway;

    @AfterEach
    void stop() {
        gateway.close();
        fixture.close();
    }

    private static void clean(String what, String said) {
        for (String form : IndiscreetProgram.all(SECRET).split(" ")) {
            assertFalse(form.length() > 5 && said.contains(form), () -> what + " says " + form + ": " + said);
        }
        assertFalse(said.contains(SECRET), said);
        assertFalse(said.contains("pa\\\"ss"), said);
        assertFalse(said.contains("pa\\\\\\\"ss"), said);
    }

    private static String program() {
        return List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        IndiscreetProgram.class.getName())
                .stream()
                .map(word -> "\"" + word + "\"")
                .collect(Collectors.joining(", "));
    }

    @Test
    void nothingThatAProgramSaysHoldsItsSecret() throws IOException {
        Files.writeString(folder.resolve("key"), SECRET);
        gateway = TestGateway.start("""
                backends:
                  told:
                    type: mcp
                    era: legacy
                    command: [%s]
                    process: { secrets: { API_KEY: "${file:key}" } }
                """.formatted(program()), folder);
        McpTestClient client = gateway.modern("told");
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> client.toolNames().contains("say"), () -> "its tools were never listed");
        Map<String, ObjectNode> requests = Map.of(
                "tools/list", Json.object(),
                "prompts/list", Json.object(),
                "resources/list", Json.object(),
                "resources/templates/list", Json.object(),
                "server/discover", Json.object(),
                "prompts/get", Json.object().put("name", "p"),
                "resources/read", Json.object().put("uri", "said://one"));
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> client.request("resources/templates/list", Json.object())
                        .body()
                        .contains("some"),
                () -> "its templates were never listed");
        requests.forEach((method, params) -> {
            String said = client.request(method, params).body();
            clean(method, said);
            assertTrue(method.startsWith("server") || said.contains("***"), () -> method + ": " + said);
        });
        String read = client.request("resources/read", Json.object().put("uri", "said://one"))
                .json()
                .at("/result/contents/1/blob")
                .asText();
        clean("blob", new String(Base64.getDecoder().decode(read), java.nio.charset.StandardCharsets.UTF_8));
        ObjectNode complete = Json.object();
        complete.putObject("ref").put("type", "ref/prompt").put("name", "p");
        complete.putObject("argument").put("name", "a").put("value", "x");
        String completed = client.request("completion/complete", complete).body();
        clean("completion", completed);
        assertTrue(completed.contains("***"), completed);

        List<String> heard = new ArrayList<>();
        try (AskedClient asked = new AskedClient(gateway.url("told"), Map.of(), "yes")) {
            for (String tool : List.of("say", "fail", "ask")) {
                heard.add(asked.call(tool).answer().toString());
            }
            assertTrue(heard.getFirst().contains("https://example.com/a%20b?q=1"), heard::getFirst);
            asked.heard().forEach(message -> heard.add(message.toString()));
        }
        List<String> methods = List.of("notifications/progress", "notifications/message", "elicitation/create");
        for (String method : methods) {
            assertTrue(heard.stream().anyMatch(said -> said.contains(method) && said.contains("***")), method);
        }
        heard.forEach(said -> clean("a call", said));
    }

    @Test
    void nothingThatAServerAtAUrlSaysHoldsItsHeadersOrTheTokenThatTheGatewayGotForItself() throws IOException {
        Files.writeString(folder.resolve("key"), "Bearer " + SECRET.replace("ö", "o"));
        String said = IndiscreetProgram.all(SECRET.replace("ö", "o"));
        fixture.wantToken("a-token");
        fixture.answerTools(result -> {
            ((ObjectNode) result.path("content").get(0)).put("text", said + " and a-token, https://example.com/");
            return result;
        });
        gateway = TestGateway.start("""
                backends:
                  fixture:
                    type: mcp
                    url: "%s"
                    headers: { X-Other: "${file:key}" }
                    oauth: { tokenUrl: "%s", clientId: gateway, clientSecret: "${file:key}" }
                """.formatted(fixture.url(), fixture.url().resolve("/token")), folder);
        McpTestClient client = gateway.modern("fixture");
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> !client.toolNames().isEmpty(), () -> "its tools were never listed");
        String heard = client.call("test_simple_text", Json.object()).text();
        for (String form : said.split(" ")) {
            assertFalse(form.length() > 5 && heard.contains(form), () -> form + " in " + heard);
        }
        assertFalse(heard.contains("a-token"), heard);
        assertTrue(heard.endsWith("https://example.com/"), heard);
        assertEquals(1, fixture.tokenRequests().size());

        Files.writeString(folder.resolve("key"), "Bearer another-one-9876");
        fixture.answerTools(result -> {
            ((ObjectNode) result.path("content").get(0)).put("text", "another-one-9876 and " + said);
            return result;
        });
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> !client.call("test_simple_text", Json.object()).text().contains("another-one-9876"),
                () -> "the secret that the file says now is still told");
        String after = client.call("test_simple_text", Json.object()).text();
        for (String form : said.split(" ")) {
            assertFalse(form.length() > 5 && after.contains(form), () -> "the one before, " + form + " in " + after);
        }
    }
}
