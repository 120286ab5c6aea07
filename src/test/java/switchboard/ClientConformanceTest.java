package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.NodeTools;
import switchboard.testing.TestGateway;

/**
 * The client side of the official conformance suite against the gateway as a client of servers behind it: the suite's
 * server is the upstream of a gateway, and what its clients ask for makes the gateway ask.
 */
@Tag("engines")
class ClientConformanceTest {
    private static NodeTools tools;
    private static HttpServer door;

    @TempDir
    private Path results;

    @BeforeAll
    static void start() throws IOException {
        tools = NodeTools.install();
        door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        door.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        door.createContext("/", ClientConformanceTest::enter);
        door.start();
    }

    @AfterAll
    static void stop() {
        door.stop(0);
    }

    @ParameterizedTest
    @CsvSource({
        "initialize, 2025-11-25",
        "tools_call, 2025-11-25",
        "sse-retry, 2025-11-25",
        "json-schema-2020-12-preservation, 2025-11-25",
        "tools_call, 2026-07-28",
        "request-metadata, 2026-07-28",
        "http-standard-headers, 2026-07-28",
        "http-custom-headers, 2026-07-28",
        "http-invalid-tool-headers, 2026-07-28",
        "sep-2322-client-request-state, 2026-07-28",
        "json-schema-ref-no-deref, 2026-07-28",
        "json-schema-2020-12-preservation, 2026-07-28",
        "auth/client-credentials-basic, 2026-07-28"
    })
    void theGatewayIsAConformingClient(String scenario, String revision) throws IOException {
        NodeTools.Run run = tools.run(
                "sh",
                "run-on-node20.sh",
                "client",
                "--command",
                "node gateway-as-client.mjs http://127.0.0.1:"
                        + door.getAddress().getPort() + "/",
                "--scenario",
                scenario,
                "--spec-version",
                revision,
                "--force", // extensions belong to no revision
                "-o",
                results.toString());
        assertEquals(0, run.exit(), run.output());
        List<JsonNode> judged = judged();
        assertFalse(judged.isEmpty(), run.output());
        for (JsonNode check : judged) {
            assertEquals("SUCCESS", check.path("status").asText(), check::toPrettyString);
        }
    }

    /** The checks that say something about the client; what it need not do is skipped. */
    private List<JsonNode> judged() throws IOException {
        List<JsonNode> judged = new ArrayList<>();
        try (Stream<Path> files = Files.walk(results)) {
            for (Path file : files.filter(path -> path.endsWith("checks.json")).toList()) {
                for (JsonNode check : Json.parse(Files.readAllBytes(file))) {
                    String status = check.path("status").asText();
                    if (!status.equals("INFO") && !status.equals("SKIPPED")) {
                        judged.add(check);
                    }
                }
            }
        }
        return judged;
    }

    private static void enter(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode visit = Json.parse(exchange.getRequestBody().readAllBytes());
            String said = "";
            int status = 200;
            try {
                drive(visit.path("server").asText(), visit.path("scenario").asText(), visit.path("context"));
            } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
                said = String.valueOf(e);
                status = 500;
            }
            byte[] answer = said.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    /** Does through a gateway what the scenario needs done. */
    private static void drive(String server, String scenario, JsonNode context)
            throws IOException, InterruptedException {
        String oauth = scenario.startsWith("auth/") ? oauth(server, context) : "";
        try (TestGateway gateway = TestGateway.start("""
                backends:
                  suite: { type: mcp, url: "%s"%s }
                """.formatted(server, oauth))) {
            switch (scenario) {
                case "initialize", "request-metadata", "json-schema-ref-no-deref" -> {
                    // Connecting and listing is all that is looked at.
                }
                case "sep-2322-client-request-state" ->
                    rounds(gateway.modern("suite").able("elicitation"));
                case "http-standard-headers" -> everything(gateway.modern("suite"));
                case "json-schema-2020-12-preservation" -> echo(gateway.modern("suite"));
                default -> calls(gateway.legacy("suite"), context.path("toolCalls"));
            }
        }
    }

    /** What an operator finds out once and configures: where tokens are to be had, and who the gateway is there. */
    private static String oauth(String server, JsonNode context) throws IOException, InterruptedException {
        URI url = URI.create(server);
        JsonNode resource = get(url.resolve("/.well-known/oauth-protected-resource" + url.getPath()));
        URI issuer = URI.create(resource.at("/authorization_servers/0").asText());
        JsonNode metadata = get(issuer.resolve("/.well-known/oauth-authorization-server"));
        Path secret = Files.writeString(
                Files.createTempFile("client", ".secret"),
                context.path("client_secret").asText());
        secret.toFile().deleteOnExit();
        return ", oauth: { tokenUrl: \"%s\", clientId: \"%s\", clientSecret: \"${file:%s}\" }"
                .formatted(
                        metadata.path("token_endpoint").asText(),
                        context.path("client_id").asText(),
                        secret);
    }

    private static JsonNode get(URI url) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return Json.parse(http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofByteArray())
                    .body());
        }
    }

    /** Calls what it is told to call, or every tool; that client has no headers of its own to send. */
    private static void calls(McpTestClient client, JsonNode toolCalls) {
        Eventually.within(Eventually.OF_A_PROCESS, () -> !client.toolNames().isEmpty(), () -> "no tool was listed");
        if (toolCalls.isArray()) {
            toolCalls.forEach(call -> client.call(
                    call.path("name").asText(),
                    call.withObjectProperty("arguments").deepCopy()));
        } else {
            client.tools().forEach(tool -> client.call(tool.path("name").asText(), arguments(tool)));
        }
    }

    private static ObjectNode arguments(JsonNode tool) {
        ObjectNode arguments = Json.object();
        tool.at("/inputSchema/properties").properties().forEach(property -> {
            switch (property.getValue().path("type").asText()) {
                case "string" -> arguments.put(property.getKey(), "eu");
                case "number", "integer" -> arguments.put(property.getKey(), 2);
                default -> throw new AssertionError("no argument for " + property);
            }
        });
        return arguments;
    }

    private static void everything(McpTestClient client) {
        client.toolNames().forEach(name -> client.call(name, Json.object()));
        client.result("resources/list", Json.object())
                .path("resources")
                .forEach(resource -> client.request(
                        "resources/read",
                        Json.object().put("uri", resource.path("uri").asText())));
        client.result("prompts/list", Json.object())
                .path("prompts")
                .forEach(prompt -> client.request(
                        "prompts/get",
                        Json.object().put("name", prompt.path("name").asText())));
    }

    /** Each tool; answers what is asked, with another call in between. */
    private static void rounds(McpTestClient client) {
        for (String tool : client.toolNames()) {
            ObjectNode params = Json.object().put("name", tool);
            JsonNode result = client.result("tools/call", params);
            if (result.path("resultType").asText().equals("input_required")) {
                client.call("test_mrtr_unrelated", Json.object());
                ObjectNode responses = params.putObject("inputResponses");
                result.path("inputRequests").fieldNames().forEachRemaining(key -> responses
                        .putObject(key)
                        .put("action", "accept")
                        .putObject("content")
                        .put("confirmed", true));
                if (result.has("requestState")) {
                    params.set("requestState", result.path("requestState"));
                }
                client.result("tools/call", params);
            }
        }
    }

    private static void echo(McpTestClient client) {
        JsonNode schema = client.tools().stream()
                .filter(tool -> !tool.path("name").asText().equals("json_schema_echo"))
                .findFirst()
                .orElseThrow()
                .path("inputSchema");
        client.call("json_schema_echo", Json.object().set("schema", schema));
    }
}
