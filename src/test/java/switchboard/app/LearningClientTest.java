package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.PrintedCommand;
import switchboard.testing.PythonTools;
import switchboard.testing.TestGateway;

/** Agents and an operator with the official Python client, and the operator's commands: {@code learning.py} is the script. */
@Tag("engines")
class LearningClientTest {
    private static final String YAML = """
        auth: {mode: keys}
        embedders: {default: {provider: none}}
        insight: {teams: {agents: {watches: {every: 10m, runsPerMinute: 6000}}}}
        search: {deadline: 60s}
        backends:
          vectordb: {type: vectordb}
        """;
    private static final List<String> AGENTS = List.of("ann", "bob", "cid", "dot");

    @TempDir
    private Path folder;

    private final Map<String, ApiKey> keys = new TreeMap<>();

    @Test
    void whatAgentsAskReadAndWatchAndWhatAnOperatorMakesOfIt() throws IOException {
        AGENTS.forEach(id -> keys.put(id, ApiKey.generate(new SecureRandom())));
        keys.put("olga", ApiKey.generate(new SecureRandom()));
        Files.writeString(folder.resolve("teams.yaml"), """
            teams:
              agents: {keys: [%s], grants: ["switchboard:search,read", "vectordb:*"]}
              operators: {keys: [%s], grants: ["switchboard:*", "vectordb:*"]}
            """.formatted(
                        AGENTS.stream().map(this::declared).collect(Collectors.joining(", ")), declared("olga")));
        Files.writeString(folder.resolve("switchboard.yaml"), YAML);
        Files.writeString(folder.resolve("key"), keys.get("ann").text());
        ObjectNode spec = Json.object().put("operator", keys.get("olga").text());
        AGENTS.forEach(id -> spec.withArray("agents").add(keys.get(id).text()));
        try (TestGateway gateway = TestGateway.start(YAML, folder)) {
            spec.put("url", gateway.url().toString());
            Deque<Runnable> steps = new ArrayDeque<>(List.of(this::forget, () -> tune(gateway), this::undo));
            String output = PythonTools.install()
                    .program("learning.py", Json.text(spec))
                    .run(() -> steps.remove().run());
            assertEquals(
                    List.of(
                            "ok citations",
                            "ok standing question",
                            "ok standing question of a session",
                            "ok gaps",
                            "ok log",
                            "ok tuned"),
                    output.lines().filter(line -> line.startsWith("ok ")).toList(),
                    output);
        }
    }

    private String declared(String id) {
        return "{id: %s, sha256: %s}".formatted(id, keys.get(id).sha256());
    }

    /** Proposes weights from what was read, as soon as all of it is in the log, and approves them. */
    private void tune(TestGateway gateway) {
        String proposed = Eventually.first(
                () -> command("tune", "--team=agents", "--url=" + gateway.url(), "--key-file=" + folder.resolve("key")),
                text -> text.contains("Proposal "));
        Matcher id = Pattern.compile("Proposal ([0-9a-f]{8})\\.").matcher(proposed);
        assertTrue(id.find(), proposed);
        assertTrue(command("insight", "judgments", "--team=agents").contains("\"grade\":2"));
        assertTrue(command("tune", "approve", id.group(1)).contains("rank by proposal " + id.group(1)));
    }

    /** Exports what an agent has searched and read with an engine's own tool, and forgets it. */
    private void forget() {
        List<JsonNode> lines = Eventually.first(() -> exported("dot"), found -> found.size() == 2);
        assertEquals("vectordb:search", lines.getFirst().path("tool").asText());
        assertEquals("lighthouse keepers", lines.getFirst().path("query").asText());
        assertEquals(lines.getFirst().path("id"), lines.getLast().path("search"));
        assertEquals(lines.getFirst().at("/hits/0/address"), lines.getLast().path("address"));
        int others = exported("bob").size();
        command("insight", "forget", "--key=dot");
        assertEquals(List.of(), exported("dot"));
        assertEquals(others, exported("bob").size());
        assertTrue(others > 0);
    }

    /** The lines of an agent. */
    private List<JsonNode> exported(String agent) {
        return command("insight", "export", "--team=agents")
                .lines()
                .filter(line -> line.startsWith("{"))
                .map(LearningClientTest::json)
                .filter(line -> line.path("key").asText().equals(agent))
                .toList();
    }

    private static JsonNode json(String line) {
        try {
            return Json.parse(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError(line, e);
        }
    }

    private void undo() {
        assertTrue(command("tune", "undo", "--team=agents").contains("rank as the configuration says"));
    }

    private String command(String... arguments) {
        return PrintedCommand.run(folder, arguments).succeeded();
    }
}
