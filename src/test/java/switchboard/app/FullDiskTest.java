package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.SmallDisk;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** A whole gateway whose disk is really full: callers are told, nothing is lost, and it works again by itself. */
@AsksForErrors("the audit log can't be written")
class FullDiskTest {
    private static final Map<String, String> WRITES = Map.of(
            "vectordb__ingest_text", "{\"content\": \"a pebble\", \"title\": \"pebbles\", \"library\": \"shore\"}",
            "agentroot__collection_add", "{\"name\": \"more\", \"path\": \"%s\", \"pattern\": \"**/*.md\"}",
            "agentroot__collection_update", "{\"name\": \"notes\"}",
            "agentroot__memory_store", "{\"content\": \"remember the pebble\", \"category\": \"fact\"}");

    @TempDir
    Path folder;

    @Test
    void callersAreToldAndNothingConfirmedIsLost() throws IOException {
        Path notes = Files.createDirectory(folder.resolve("notes"));
        Files.writeString(notes.resolve("one.md"), "# One\n\nthe first note\n");
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("data"), 16);
                TestGateway gateway = TestGateway.start(configuration(notes), disk.folder(), TestGateway.OFTEN)) {
            McpTestClient client = gateway.modern();
            List<String> confirmed = new ArrayList<>();
            confirmed.add(ingest(client, "before"));
            ok(client.call("agentroot__collection_add", "{\"name\": \"notes\", \"path\": \"%s\"}".formatted(notes)));
            ok(client.call("agentroot__collection_update", "{\"name\": \"notes\"}"));
            ok(client.call("agentroot__memory_store", "{\"content\": \"the sea is salt\", \"category\": \"fact\"}"));

            for (int round = 1; round <= 3; round++) {
                for (int i = 0; i < 20; i++) {
                    Files.writeString(notes.resolve("r" + round + "-" + i + ".md"), "# Note\n\nnote of round " + round);
                }
                disk.fill();
                for (Map.Entry<String, String> write : WRITES.entrySet()) {
                    for (int i = 0; i < 3; i++) {
                        refused(client.call(write.getKey(), write.getValue().formatted(notes)), write.getKey());
                    }
                }
                assertEquals(confirmed.size(), found(client), "reading goes on");
                shown(gateway, "degraded", "the disk is full");
                disk.free();
                confirmed.add(ingest(client, "round " + round));
                ok(client.call("agentroot__memory_store", "{\"content\": \"round\", \"category\": \"fact\"}"));
                ToolResult update = client.call("agentroot__collection_update", "{\"name\": \"notes\"}");
                assertEquals(20, ok(update).structured().path("filesUpdated").asInt(), update::toString);
                assertEquals(confirmed.size(), found(client));
                shown(gateway, "up", "up");
            }
            gateway.restart();
            assertEquals(confirmed.size(), found(gateway.modern()));
        }
    }

    private static String ingest(McpTestClient client, String title) {
        ToolResult result = client.call(
                "vectordb__ingest_text",
                "{\"content\": \"a stone of %s\", \"title\": \"%s\", \"library\": \"stones\"}".formatted(title, title));
        return ok(result).structured().path("doc_id").asText();
    }

    private static int found(McpTestClient client) {
        return ok(client.call("vectordb__list_documents", "{\"library\": \"stones\"}"))
                .structured()
                .path("total")
                .asInt();
    }

    private static ToolResult ok(ToolResult result) {
        assertFalse(result.isError(), result::toString);
        return result;
    }

    private static void refused(ToolResult result, String tool) {
        assertTrue(result.isError(), tool + " " + result);
        assertEquals("UNAVAILABLE", result.errorKind(), tool + " " + result);
        assertTrue(result.text().contains("the disk is full"), tool + " " + result);
        assertTrue(result.text().contains("make room"), tool + " " + result);
    }

    private static void shown(TestGateway gateway, String status, String detail) throws IOException {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> data(gateway).path("status").asText().equals(status),
                () -> data(gateway).toString());
        assertEquals(detail, data(gateway).path("detail").asText());
        assertEquals(200, gateway.management("/health/ready").status());
    }

    private static JsonNode data(TestGateway gateway) {
        try {
            return Json.parse(gateway.management("/health/ready")
                            .body()
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    .path("disks")
                    .path(0);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String configuration(Path notes) {
        return """
                embedders: {default: {provider: none}}
                audit: {to: file}
                backends:
                  vectordb: {type: vectordb}
                  agentroot: {type: agentroot, roots: ["%s"]}
                """.formatted(notes);
    }
}
