package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.SwitchboardProcess;

/** {@code backup}, {@code doctor} and {@code reindex} as processes of their own, with and without one that serves. */
@Tag("engines")
class UpkeepCommandsTest {
    private static final String WORDS_ONLY = """
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb}}
            """;
    private static final String WITH_MODEL = "backends: {vectordb: {type: vectordb}}\n";

    @TempDir
    Path folder;

    record Outcome(int code, String out, String err) {}

    @Test
    void aStoreIsCheckedCopiedAndGivenVectors() throws Exception {
        Path data = folder.resolve("data");
        try (GatewayProcess gateway = GatewayProcess.start(WORDS_ONLY, data);
                McpTestClient client = McpTestClient.modern(gateway.url())) {
            client.call(
                    "ingest_text",
                    Json.object().put("content", "Zebras have stripes.").put("source", "zebras.md"));
            assertEquals("keyword", found(client).path("mode").asText());
        }
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), WITH_MODEL);

        Outcome before = run(config, data, "doctor");
        assertEquals(0, before.code(), before::toString);
        assertTrue(before.out().contains("1 documents, all files intact; 1 of them without vectors"), before::toString);
        Outcome reindex = run(config, data, "reindex");
        assertEquals(0, reindex.code(), reindex::toString);
        assertTrue(reindex.out().contains("vectordb: 1 documents have vectors of bge-small"), reindex::toString);

        Path copy = folder.resolve("copy");
        try (GatewayProcess gateway = GatewayProcess.start(WITH_MODEL, data);
                McpTestClient client = McpTestClient.modern(gateway.url())) {
            assertEquals("hybrid", found(client).path("mode").asText());
            Outcome again = run(config, data, "reindex");
            assertTrue(again.out().contains("vectordb: 0 documents"), again::toString);
            Outcome doctor = run(config, data, "doctor");
            assertEquals(0, doctor.code(), doctor::toString);
            assertTrue(doctor.out().contains("1 documents, all files intact\n"), doctor::toString);
            assertTrue(doctor.out().contains("ok   ports: a gateway serves this data folder"), doctor::toString);
            Outcome backup = run(config, data, "backup", copy.toString());
            assertEquals(0, backup.code(), backup::toString);
            assertTrue(backup.out().contains("vectordb: 1 namespaces copied"), backup::toString);
            Outcome onto = run(config, data, "backup", copy.toString());
            assertEquals(1, onto.code(), onto::toString);
            assertEquals("hybrid", found(client).path("mode").asText(), "it served all the time");
        }
        Path restored = Files.createDirectories(folder.resolve("restored/data"));
        Files.move(copy.resolve("vectordb"), restored.resolve("vectordb"));
        try (GatewayProcess gateway = GatewayProcess.start(WITH_MODEL, folder.resolve("restored"));
                McpTestClient client = McpTestClient.modern(gateway.url())) {
            assertEquals(1, found(client).path("results").size());
        }
    }

    @Test
    void aDamagedStoreIsNamedWithAnExitCode() throws Exception {
        Path data = folder.resolve("data");
        try (GatewayProcess gateway = GatewayProcess.start(WORDS_ONLY, data);
                McpTestClient client = McpTestClient.modern(gateway.url())) {
            client.call(
                    "ingest_text",
                    Json.object().put("content", "Zebras have stripes.").put("source", "zebras.md"));
        }
        try (var files = Files.walk(data)) {
            Path stored = files.filter(file -> file.toString().endsWith(".cfs"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(stored);
            bytes[bytes.length / 2] ^= 0x55;
            Files.write(stored, bytes);
        }
        Outcome doctor = run(Files.writeString(folder.resolve("switchboard.yaml"), WORDS_ONLY), data, "doctor");
        assertEquals(1, doctor.code(), doctor::toString);
        assertTrue(doctor.out().contains("vectordb \"default\""), doctor::toString);
    }

    private static JsonNode found(McpTestClient client) {
        return client.call("vectordb__search", Json.object().put("query", "stripes"))
                .structured();
    }

    private Outcome run(Path config, Path data, String... command) throws IOException, InterruptedException {
        Path err = Files.createTempFile(folder, "run", ".err");
        List<String> line = new ArrayList<>(SwitchboardProcess.command(command));
        line.addAll(List.of("--config", config.toString(), "--data", data.toString()));
        line.addAll(List.of("--port=0", "--management-port=0"));
        Process process = new ProcessBuilder(line).redirectError(err.toFile()).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(5, TimeUnit.MINUTES));
        return new Outcome(process.exitValue(), out, Files.readString(err));
    }
}
