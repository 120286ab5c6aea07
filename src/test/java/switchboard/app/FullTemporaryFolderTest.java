package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.call.Json;
import switchboard.convert.MadeFiles;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.SmallDisk;
import switchboard.testing.SwitchboardProcess;
import switchboard.testing.ToolResult;

/** The folder for temporary files is full: who needs it is told what to do, the rest goes on, and room is found again. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FullTemporaryFolderTest {
    private static final Map<String, String> IN_NEED = new LinkedHashMap<>();

    static {
        IN_NEED.put("vectordb__ingest_file", "{\"path\": \"%s/report.docx\", \"library\": \"n%d\"}");
        IN_NEED.put(
                "agentroot__collection_add",
                "{\"name\": \"rows%2$d\", \"provider\": \"sql\", \"path\": \"%1$s/rows.db\","
                        + " \"config\": {\"query\": \"SELECT id, content FROM t\"}}");
    }

    @TempDir
    Path folder;

    private int turn;

    private String arguments(String template, Path root) {
        return template.formatted(root, turn++);
    }

    @Test
    void whoNeedsRoomIsToldAndTheRestGoesOn() throws IOException, SQLException {
        Path root = Files.createDirectories(folder.resolve("root")).toRealPath();
        Files.write(root.resolve("report.docx"), MadeFiles.docx("Report", "words in a report"));
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + root.resolve("rows.db"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (id INTEGER, content TEXT)");
            statement.execute("INSERT INTO t VALUES (1, 'one row')");
        }
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), """
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb, ingestRoots: ['%1$s']}
                  agentroot: {type: agentroot, roots: ['%1$s']}
                """.formatted(root));
        List<String> options = new ArrayList<>(SwitchboardProcess.SHORT_LIVED);
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("tmp"), 64)) {
            options.add("-Djava.io.tmpdir=" + disk.folder());
            try (GatewayProcess gateway = GatewayProcess.start(
                            new GatewayProcess.Launch(config, folder.resolve("data"), "512m", 0), Main.class, options);
                    McpTestClient client = McpTestClient.modern(gateway.url())) {
                for (Map.Entry<String, String> call : IN_NEED.entrySet()) {
                    ok(client.call(call.getKey(), arguments(call.getValue(), root)));
                }
                assertEquals("up", temporary(gateway).path("status").asText());
                disk.fill();
                for (Map.Entry<String, String> call : IN_NEED.entrySet()) {
                    ToolResult refused = client.call(call.getKey(), arguments(call.getValue(), root));
                    assertTrue(refused.isError(), call.getKey() + " " + refused);
                    assertEquals("UNAVAILABLE", refused.errorKind(), call.getKey() + " " + refused);
                    assertTrue(refused.text().contains("the disk is full"), call.getKey() + " " + refused);
                    assertTrue(
                            refused.text().contains("temporary")
                                    || refused.text().contains("SQLite"),
                            refused::text);
                    assertTrue(refused.text().contains("make room"), call.getKey() + " " + refused);
                    assertFalse(refused.text().contains(folder.toString()), "it names no folder of the machine");
                }
                ok(client.call(
                        "vectordb__ingest_text",
                        "{\"content\": \"a stone\", \"title\": \"stones\", \"library\": \"stones\"}"));
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> temporary(gateway).path("status").asText().equals("degraded"),
                        () -> temporary(gateway).toString());
                assertEquals(
                        "the disk is full", temporary(gateway).path("detail").asText());
                disk.free();
                for (Map.Entry<String, String> call : IN_NEED.entrySet()) {
                    ok(client.call(call.getKey(), arguments(call.getValue(), root)));
                }
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> temporary(gateway).path("status").asText().equals("up"),
                        () -> temporary(gateway).toString());
            }
        }
    }

    private static void ok(ToolResult result) {
        assertFalse(result.isError(), result::toString);
    }

    private static JsonNode temporary(GatewayProcess gateway) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI ready = gateway.managementUrl().resolve("/health/ready");
            HttpResponse<String> answer =
                    http.send(HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), "it makes nothing unready");
            for (JsonNode disk : Json.parse(answer.body()).path("disks")) {
                if (disk.path("id").asText().equals("temporary")) {
                    return disk;
                }
            }
            throw new AssertionError(answer.body());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
