package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.EventReader;
import switchboard.testing.Eventually;
import switchboard.testing.FaultServer;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TestGateway;

/** Gateways with consoles that share a database, with four teams and an engine: what tests of the calls of all gateways do. */
final class WatchedGateways implements AutoCloseable {
    static final String LIBRARIES = "list_libraries";
    static final String INDEXES = "meilisearch_list_indexes";

    private final Map<String, ApiKey> keys = Map.of(
            "red", ApiKey.generate(new SecureRandom()),
            "blue", ApiKey.generate(new SecureRandom()),
            "keeper", ApiKey.generate(new SecureRandom()),
            "operators", ApiKey.generate(new SecureRandom()));
    private final List<Closing> open = new ArrayList<>();
    private final FaultServer engine =
            new FaultServer(FaultServer.json("{\"results\":[],\"offset\":0,\"limit\":20,\"total\":0}"));
    private final PostgresCluster postgres;
    private final Path folder;

    /** What is open. */
    @FunctionalInterface
    private interface Closing {
        void close() throws IOException;
    }

    WatchedGateways(PostgresCluster postgres, Path folder) throws IOException {
        this.postgres = postgres;
        this.folder = folder;
    }

    /** The folder of the gateway {@code name}, with its files. */
    Path files(String name) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        Files.writeString(own.resolve("state.key"), "a key that is long enough for this");
        Files.writeString(own.resolve("database.url"), postgres.url());
        Files.writeString(own.resolve("teams.yaml"), """
                teams:
                  red: {keys: [{id: red1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:read,search"]}
                  blue: {keys: [{id: blue1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:read,search"]}
                  keeper: {keys: [{id: keeper1, sha256: %s}], grants: ["vectordb:read,search", "meilisearch:*"]}
                  operators: {keys: [{id: o1, sha256: %s}], grants: ["*:*"]}
                """.formatted(
                        key("red").sha256(),
                        key("blue").sha256(),
                        key("keeper").sha256(),
                        key("operators").sha256()));
        Files.writeString(own.resolve("switchboard.yaml"), """
                server: {stateKey: "${file:%s/state.key}"}
                auth: {mode: keys}
                console: {enabled: true, port: 0}
                cluster: {database: "${file:%s/database.url}", schema: calls, node: %s}
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                  meilisearch: {type: meilisearch, url: "%s", required: false}
                """.formatted(own, own, name, engine.url()));
        return own;
    }

    ApiKey key(String team) {
        return keys.get(team);
    }

    /** Starts the gateway {@code name}; returns when it has joined. */
    TestGateway start(String name) throws IOException {
        Path own = files(name);
        TestGateway gateway = TestGateway.start(Files.readString(own.resolve("switchboard.yaml")), own);
        open.addFirst(gateway::close);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/health/ready").status() == 200,
                () -> gateway.management("/health/ready").body());
        return gateway;
    }

    /** Waits until each of {@code gateways} knows of all. */
    static void meet(int nodes, TestGateway... gateways) {
        for (TestGateway gateway : gateways) {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> gateway.management("/metrics").body().contains("switchboard_cluster_nodes " + nodes + ".0"),
                    () -> "they meet");
        }
    }

    ConsoleClient signedIn(TestGateway gateway, String team) {
        ConsoleClient browser = new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
        open.addFirst(browser::close);
        assertEquals(200, browser.signIn(key(team).text()).status());
        return browser;
    }

    /** The stream of calls for a person of {@code team}. */
    EventReader events(TestGateway gateway, String team, String... headers) {
        EventReader events = signedIn(gateway, team).events("api/v1/calls", headers);
        open.addFirst(events::close);
        return events;
    }

    McpTestClient agent(TestGateway gateway, String team) {
        return gateway.modern().with("X-API-Key", key(team).text());
    }

    void call(TestGateway gateway, String team, String... tools) {
        for (String tool : tools) {
            call(agent(gateway, team), tool);
        }
    }

    static void call(McpTestClient agent, String tool) {
        ObjectNode params = Json.object().put("name", tool);
        params.putObject("arguments");
        assertEquals(200, agent.request("tools/call", params).status());
    }

    /** By batches of 50, which MCP 2025-03-26 has. */
    void manyCalls(TestGateway gateway, String team, int count) {
        McpTestClient agent = McpTestClient.legacy(
                gateway.url(), "2025-03-26", Map.of("X-API-Key", key(team).text()));
        open.addFirst(agent::close);
        for (int made = 0; made < count; made += 50) {
            ArrayNode batch = Json.mapper().createArrayNode();
            for (int call = 0; call < 50; call++) {
                ObjectNode request =
                        batch.addObject().put("jsonrpc", "2.0").put("id", call).put("method", "tools/call");
                request.putObject("params").put("name", "one-of-many").putObject("arguments");
            }
            assertEquals(200, agent.post(batch.toString(), Map.of()).status());
        }
    }

    static JsonNode data(EventReader.Event event) {
        try {
            return Json.parse(event.data());
        } catch (JsonProcessingException e) {
            throw new AssertionError(event.data(), e);
        }
    }

    static JsonNode hello(EventReader events) throws InterruptedException {
        EventReader.Event event = events.next();
        assertEquals("hello", event.name(), event::data);
        return data(event);
    }

    /** The next event, but for those that tell whether the calls of all gateways are known: on a busy machine one may be late. */
    static EventReader.Event next(EventReader events) throws InterruptedException {
        EventReader.Event event = events.next();
        return event.name().equals("gateways") ? next(events) : event;
    }

    /** The calls until all of {@code last} are there, in any order, each as gateway, team and tool. */
    static List<String> until(EventReader events, String... last) throws InterruptedException {
        List<String> seen = new ArrayList<>();
        while (!seen.containsAll(List.of(last))) {
            EventReader.Event event = next(events);
            assertEquals("call", event.name(), event::data);
            JsonNode call = data(event);
            seen.add(call.path("gateway").asText() + " " + call.path("team").asText() + " "
                    + call.path("tool").asText());
        }
        return seen;
    }

    @Override
    public void close() throws IOException {
        for (Closing each : open) {
            each.close();
        }
        engine.close();
    }
}
