package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import switchboard.auth.ApiKey;
import switchboard.auth.Credentials;
import switchboard.call.Json;
import switchboard.config.ConfigLoader;
import switchboard.config.Overrides;
import switchboard.testing.FaultServer;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.RawHttp;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;

/**
 * Secrets that are easy to find again, in every place where the gateway has some, and engines that put them into all of
 * their answers: nothing that the gateway says to anybody contains one of them.
 */
class SecretCanaryTest {
    private static final String WEAVIATE = "canary-weaviate-1f7c2b";
    private static final String MEILISEARCH = "canary-meilisearch-94ad03";
    private static final String OPENSEARCH = "canary-opensearch-0b5e55";
    private static final String EMBEDDER = "canary-embedder-c0ffee";
    private static final String DATABASE = "canary-database-5eed55";
    private static final String BAD_KEY = "sb_0000000000_canary-key-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    private static final String TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJjYW5hcnkifQ.canary-signature";

    private final ApiKey good = ApiKey.generate(new SecureRandom());
    private final ApiKey expired = ApiKey.generate(new SecureRandom());
    private final List<String> secrets =
            List.of(WEAVIATE, MEILISEARCH, OPENSEARCH, EMBEDDER, DATABASE, BAD_KEY, TOKEN, good.text(), expired.text());
    private final LogTap logs = new LogTap();
    private final List<String> heard = new ArrayList<>();

    @TempDir
    Path folder;

    @BeforeEach
    void listen() {
        logs.start();
        root().addAppender(logs);
        root().setLevel(Level.DEBUG);
    }

    @AfterEach
    void stopListening() {
        root().setLevel(Level.INFO);
        root().detachAppender(logs);
    }

    @AsksForErrors("FileReloader - ")
    @Test
    void noSecretIsEverSaid() throws IOException {
        String everything =
                "{\"message\":\"Bearer %s %s %s %s\",\"error\":[{\"message\":\"no access for %s\"}],\"code\":\"x\"}"
                        .formatted(WEAVIATE, MEILISEARCH, EMBEDDER, DATABASE, WEAVIATE);
        String openSearch =
                "{\"error\":{\"type\":\"x\",\"reason\":\"no access for bot:%s\"},\"status\":400}".formatted(OPENSEARCH);
        try (FaultServer engine = new FaultServer(
                FaultServer.reply(500, "application/json", everything),
                FaultServer.reply(401, "application/json", everything),
                FaultServer.reply(400, "application/json", everything),
                FaultServer.reply(400, "application/json", openSearch),
                FaultServer.reply(422, "text/html", everything),
                FaultServer.json(everything),
                FaultServer.closingAfter("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + everything),
                FaultServer.reset(),
                FaultServer.reply(403, "application/json", everything),
                FaultServer.reply(404, "application/json", everything))) {
            String yaml = configuration(engine);
            try (TestGateway gateway = TestGateway.start(yaml, folder)) {
                strangers(gateway);
                members(gateway);
                List.of("/metrics", "/health/ready", "/health/live")
                        .forEach(path -> heard.add(gateway.management(path).body()));
            }
            heard.add(new ConfigLoader(BackendTypes.shipped().settings(), Map.of())
                    .parse(yaml, "canary.yaml", folder, Overrides.NONE)
                    .toString());
            assertTrue(engine.requests().stream().anyMatch(head -> head.contains(WEAVIATE)), "the key was used");
        }
        heard.add(new Credentials("127.0.0.1", "", "Bearer " + TOKEN, BAD_KEY).toString());
        heard.add(good.toString());
        heard.add(Files.readString(folder.resolve("data/audit/audit.jsonl")));
        heard.addAll(logs.lines);
        assertTrue(heard.size() > 100, () -> "only " + heard.size() + " things were heard");
        for (String said : heard) {
            assertEquals(
                    Optional.empty(), secrets.stream().filter(said::contains).findFirst(), said);
        }
    }

    /** Everything that can be wrong with a credential, and where else one can be put. */
    private void strangers(TestGateway gateway) {
        for (Map<String, String> headers : List.of(
                Map.of("Authorization", "Bearer " + BAD_KEY),
                Map.of("Authorization", "Bearer " + TOKEN),
                Map.of("Authorization", "Bearer " + expired.text()),
                Map.of("Authorization", "Bearer " + good.text() + "x"),
                Map.of("Authorization", "Basic " + TOKEN),
                Map.of("Authorization", good.text()),
                Map.of("X-API-Key", BAD_KEY),
                Map.of("X-API-Key", good.text(), "Authorization", "Bearer " + TOKEN),
                Map.of("X-API-Key", good.text(), "Host-Of-Nobody", BAD_KEY),
                Map.of("X-API-Key", good.text(), "Mcp-Session-Id", TOKEN),
                Map.of("X-API-Key", good.text(), "MCP-Protocol-Version", TOKEN),
                Map.of("X-API-Key", good.text(), "traceparent", TOKEN),
                Map.of("X-API-Key", good.text(), "Origin", "https://" + TOKEN))) {
            try (McpTestClient client = McpTestClient.modern(gateway.url())) {
                hear(client.post("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", headers));
                hear(client.post("not json", headers));
            }
        }
        for (String path : List.of("/mcp?api_key=" + BAD_KEY, "/mcp/" + TOKEN, "/" + BAD_KEY)) {
            try (RawHttp http = new RawHttp(gateway.url().getPort())) {
                heard.add(http.get(path, "Connection: close\n").readAll());
            }
        }
    }

    /** Every tool of every backend, while its engine fails in every way, and calls that fail before they get there. */
    private void members(TestGateway gateway) {
        for (McpTestClient client : List.of(
                gateway.modern().with("X-API-Key", good.text()),
                McpTestClient.legacy(gateway.url(), McpTestClient.LEGACY, Map.of("X-API-Key", good.text())))) {
            for (String tool : client.toolNames()) {
                for (String arguments : List.of(
                        "{}",
                        "{\"query\":\"x\"}",
                        "{\"query\":\"x\",\"collection_name\":\"C\",\"collectionName\":\"C\",\"indexUid\":\"i\"}",
                        "{\"content\":\"some text\"}",
                        "{\"q\":\"x\",\"indexUid\":\"i\"}",
                        "{\"collection\":\"C\",\"query\":\"x\"}",
                        "{\"url\":\"http://u:" + DATABASE.replace("canary", "other") + "@127.0.0.1:1/\"}",
                        "{\"library\":7}")) {
                    hear(client.request("tools/call", call(tool, arguments)));
                }
            }
            hear(client.request("tools/call", call("nothing", "{}")));
            hear(client.request("resources/list", Json.object()));
            hear(client.request("resources/read", Json.object().put("uri", "x://y")));
            hear(client.request("no/such", Json.object()));
            client.close();
        }
    }

    private static ObjectNode call(String tool, String arguments) {
        try {
            ObjectNode params = Json.object().put("name", tool);
            params.set("arguments", Json.parse(arguments));
            return params;
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(arguments, e);
        }
    }

    private String configuration(FaultServer engine) throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  canary:
                    keys:
                      - {id: good, sha256: %s}
                      - {id: old, sha256: %s, expires: 2020-01-01}
                    grants: ["*:*"]
                """.formatted(good.sha256(), expired.sha256()));
        for (Map.Entry<String, String> secret : Map.of(
                        "weaviate",
                        WEAVIATE,
                        "meilisearch",
                        MEILISEARCH,
                        "opensearch",
                        OPENSEARCH,
                        "embedder",
                        EMBEDDER)
                .entrySet()) {
            Files.writeString(folder.resolve(secret.getKey()), secret.getValue());
        }
        Files.writeString(
                folder.resolve("database"), "postgresql://agent:" + DATABASE + "@127.0.0.1:" + closedPort() + "/db");
        return """
                auth: {mode: keys}
                audit: {arguments: full}
                embedders:
                  default: {provider: openai, url: "%1$s", apiKey: "${file:embedder}"}
                backends:
                  vectordb: {type: vectordb}
                  weaviate: {type: weaviate, url: "%1$s", apiKey: "${file:weaviate}", writes: true}
                  meilisearch: {type: meilisearch, url: "%1$s", apiKey: "${file:meilisearch}"}
                  opensearch: {type: opensearch, url: "%1$s", username: bot, password: "${file:opensearch}"}
                  postgres: {type: postgres, connection: {url: "${file:database}"}}
                """.formatted(engine.url());
    }

    private static int closedPort() throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void hear(HttpReply reply) {
        heard.add(reply.headers().map() + "\n" + reply.body());
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    /** Everything that is logged, with the messages of all causes. */
    private static final class LogTap extends AppenderBase<ILoggingEvent> {
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            StringBuilder line = new StringBuilder(event.getLoggerName() + " " + event.getFormattedMessage());
            for (IThrowableProxy cause = event.getThrowableProxy(); cause != null; cause = cause.getCause()) {
                line.append('\n').append(cause.getClassName()).append(": ").append(cause.getMessage());
            }
            lines.add(line.toString());
        }
    }
}
