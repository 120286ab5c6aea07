package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.LongRun;
import switchboard.testing.McpTestClient;

/**
 * kill -9 while a collection is updated: what was seen stays, the next update goes on, and in the end the collection is
 * the folder. {@code -Dkill.rounds=50 -Dkill.seed=N} makes more of it.
 */
@Tag("engines")
class KillDuringUpdateTest {
    private static final int ROUNDS = Integer.getInteger("kill.rounds", LongRun.times(4, 10));
    private static final int FILES = 300;

    private final Random random = new Random(Long.getLong("kill.seed", 8));
    private final Map<String, String> files = new TreeMap<>();

    @TempDir
    Path temp;

    private Path folder;
    private int version;
    private long seen;
    private boolean deleted;

    @Test
    void whatWasSeenStaysAndTheRestFollows() throws IOException {
        folder = Files.createDirectory(temp.resolve("docs")).toRealPath();
        for (int i = 0; i < FILES; i++) {
            write(i);
        }
        String yaml = """
                embedders: {default: {provider: none}}
                backends: {agentroot: {type: agentroot, dataDir: store, updateTime: 15s, roots: ['%s']}}
                """.formatted(folder);
        Path data = temp.resolve("data");
        boolean added = false;
        for (int round = 0; round < ROUNDS; round++) {
            try (GatewayProcess gateway = GatewayProcess.start(yaml, data);
                    McpTestClient client = client(gateway)) {
                if (!added) {
                    ok(client, "collection_add", add());
                    added = true;
                }
                killDuringUpdate(gateway, client);
            }
            if (round >= ROUNDS / 3) {
                change();
            }
        }
        try (GatewayProcess gateway = GatewayProcess.start(yaml, data);
                McpTestClient client = client(gateway)) {
            while (!ok(client, "collection_update", Json.object().put("name", "docs"))
                    .path("complete")
                    .asBoolean()) {
                // The next call goes on.
            }
            assertEquals(
                    0,
                    ok(client, "collection_update", Json.object().put("name", "docs"))
                            .path("filesUpdated")
                            .asInt());
            compare(client);
        }
    }

    private ObjectNode add() {
        return Json.object().put("name", "docs").put("path", folder.toString()).put("pattern", "**/*");
    }

    /** Kills after a seeded number of questions, once something is stored; what status showed is there afterwards. */
    private void killDuringUpdate(GatewayProcess gateway, McpTestClient client) {
        assertTrue(stored(client) >= seen, "of " + seen + " documents that were seen there are " + stored(client));
        int questions = 1 + random.nextInt(40);
        try (ExecutorService caller = Executors.newSingleThreadExecutor()) {
            var update = caller.submit(
                    () -> client.call("collection_update", Json.object().put("name", "docs")));
            try (McpTestClient watcher = client(gateway)) {
                Eventually.within(
                        Duration.ofMinutes(3),
                        () -> update.isDone() || stored(watcher) > 0,
                        () -> "something is stored");
                for (int i = 0; i < questions && !update.isDone(); i++) {
                    // Only the first rounds, before anything is deleted, add without removing.
                    seen = deleted ? 0 : stored(watcher);
                }
            }
            gateway.kill();
        }
    }

    private static long stored(McpTestClient client) {
        return ok(client, "status", Json.object()).path("totalDocuments").asLong();
    }

    private void write(int number) throws IOException {
        String name = "d" + number % 7 + "/f" + number + ".md";
        String text = "# File " + number + "\n\nversion " + version++ + " of token" + number + "\n";
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        files.put(name, text);
    }

    private void change() throws IOException {
        for (int i = 0; i < 40; i++) {
            int number = random.nextInt(FILES + 50);
            String name = "d" + number % 7 + "/f" + number + ".md";
            if (random.nextInt(4) == 0) {
                files.remove(name);
                deleted = true;
                Files.deleteIfExists(folder.resolve(name));
            } else {
                write(number);
            }
        }
    }

    private void compare(McpTestClient client) {
        Map<String, String> stored = new TreeMap<>();
        List<String> uris = new ArrayList<>();
        String cursor = "";
        do {
            ObjectNode params = Json.object();
            if (!cursor.isEmpty()) {
                params.put("cursor", cursor);
            }
            JsonNode page = client.result("resources/list", params);
            page.path("resources").forEach(one -> uris.add(one.path("uri").asText()));
            cursor = page.path("nextCursor").asText();
        } while (!cursor.isEmpty());
        for (String uri : uris) {
            JsonNode read = client.result("resources/read", Json.object().put("uri", uri));
            stored.put(
                    uri.substring("agentroot://docs/".length()),
                    read.path("contents").path(0).path("text").asText());
        }
        assertEquals(files, stored);
        assertEquals(files.size(), uris.size());
        JsonNode status =
                ok(client, "status", Json.object()).path("collections").path(0);
        assertEquals(files.size(), status.path("documents").asInt());
        assertEquals(files.size(), status.path("chunks").asInt());
    }

    private static McpTestClient client(GatewayProcess gateway) {
        return McpTestClient.modern(URI.create(gateway.url() + "/agentroot"));
    }

    private static JsonNode ok(McpTestClient client, String tool, ObjectNode arguments) {
        var result = client.call(tool, arguments);
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }
}
