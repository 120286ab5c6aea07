package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;
import switchboard.testing.logs.AsksForErrors;

/** One damaged library stops no other one; operators see its name, and callers what to do. */
@AsksForErrors({"can't be read", "with the name of the namespace"})
class DamagedLibraryTest {
    @TempDir
    Path folder;

    /** What may happen to the files of a library. */
    private interface Damage {
        void to(Path library) throws IOException;
    }

    @Test
    void aLibraryWhoseCommitIsCut() throws IOException {
        tried(library -> {
            for (Path file : files(library.resolve("index"), "segments_")) {
                Files.write(file, new byte[3]);
            }
        });
    }

    @Test
    void aLibraryThatLacksAFile() throws IOException {
        tried(library -> {
            for (Path file : files(library.resolve("index"), "_")) {
                Files.delete(file);
            }
        });
    }

    @Test
    void aLibraryWhoseFilesAreCut() throws IOException {
        tried(library -> {
            for (Path file : files(library.resolve("index"), "_")) {
                Files.write(file, java.util.Arrays.copyOf(Files.readAllBytes(file), (int) Files.size(file) / 2));
            }
        });
    }

    @Test
    void aLibraryWhoseBytesAreOthers() throws IOException {
        tried(library -> {
            for (Path file : files(library.resolve("index"), "_")) {
                if (file.toString().endsWith(".si") || file.toString().endsWith(".cfe")) {
                    continue; // small, and checked whenever they are opened
                }
                try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                    long from = bytes.length() / 8;
                    bytes.seek(from);
                    byte[] other = new byte[(int) (bytes.length() * 3 / 4)];
                    java.util.Arrays.fill(other, (byte) 0xA7);
                    bytes.write(other);
                }
            }
        });
    }

    @Test
    void aLibraryWhoseNameCantBeReadIsSaidToBeDamagedToWhoNamesIt() throws IOException {
        Path data = stored();
        Path name = library(data).resolve("space.json");
        byte[] intact = Files.readAllBytes(name);
        Files.write(name, new byte[3]);
        try (TestGateway gateway = TestGateway.start(configuration(), data)) {
            McpTestClient client = gateway.modern();
            for (ToolResult one : List.of(
                    client.call("vectordb__search", "{\"query\": \"stone\", \"library\": \"broken\"}"),
                    client.call("vectordb__list_documents", "{\"library\": \"broken\"}"),
                    client.call("vectordb__ingest_text", "{\"content\": \"more\", \"library\": \"broken\"}"))) {
                assertEquals("UNAVAILABLE", one.errorKind(), one::toString);
                assertTrue(one.text().contains("damaged") && one.text().contains("backup"), one::toString);
                assertFalse(one.text().contains(data.toString()), one::toString);
            }
            ToolResult none = client.call("vectordb__list_documents", "{\"library\": \"broke\"}");
            assertTrue(none.structured().path("reason").asText().contains("There is no library"), none::toString);
            ToolResult all = client.call("vectordb__search", "{\"query\": \"stone\"}");
            assertTrue(!all.isError() && all.text().contains("stone"), all::toString);
            assertTrue(part(gateway).path("detail").asText().contains("broken"), () -> part(gateway)
                    .toString());

            Files.write(name, intact);
            ToolResult found = client.call("vectordb__search", "{\"query\": \"stone\", \"library\": \"broken\"}");
            assertTrue(!found.isError() && found.text().contains("stone"), found::toString);
            ToolResult written =
                    client.call("vectordb__ingest_text", "{\"content\": \"more\", \"library\": \"broken\"}");
            assertFalse(written.isError(), written::toString);
            ToolResult listed = client.call("vectordb__list_documents", "{\"library\": \"broken\"}");
            assertEquals(31, listed.structured().path("total").asInt(), listed::toString);
            Eventually.that(() -> part(gateway).path("status").asText().equals("up"), () -> part(gateway)
                    .toString());
        }
    }

    private void tried(Damage damage) throws IOException {
        Path data = stored();
        damage.to(library(data));
        try (TestGateway gateway = TestGateway.start(configuration(), data)) {
            McpTestClient client = gateway.modern();
            ToolResult one = client.call("vectordb__search", "{\"query\": \"stone\", \"library\": \"broken\"}");
            assertTrue(one.isError(), one::toString);
            assertEquals("UNAVAILABLE", one.errorKind(), one::toString);
            assertTrue(one.text().contains("damaged") && one.text().contains("backup"), one::toString);
            for (String tool : List.of("vectordb__search", "search_everywhere")) {
                ToolResult all = client.call(tool, "{\"query\": \"stone\"}");
                assertFalse(all.isError(), all::toString);
                assertTrue(all.text().contains("stone"), all::toString);
            }
            ToolResult listed = client.call("vectordb__list_documents", "{\"limit\": 5}");
            assertFalse(listed.isError(), listed::toString);
            assertEquals(30, listed.structured().path("total").asInt(), listed::toString);
            assertTrue(listed.structured().path("reason").asText().contains("broken"), listed::toString);
            ToolResult written = client.call(
                    "vectordb__ingest_text", "{\"content\": \"more\", \"title\": \"more\", \"library\": \"good\"}");
            assertFalse(written.isError(), written::toString);
            Eventually.that(() -> part(gateway).path("status").asText().equals("degraded"), () -> part(gateway)
                    .toString());
            assertTrue(part(gateway).path("detail").asText().contains("broken"), () -> part(gateway)
                    .toString());
            assertTrue(gateway.management("/metrics")
                    .body()
                    .contains("switchboard_store_namespaces_damaged{store=\"vectordb\"} 1"));
        }
    }

    /** The data folder of a gateway that has stopped, with the libraries good and broken. */
    private Path stored() {
        Path data = folder.resolve("data");
        try (TestGateway gateway = TestGateway.start(configuration(), data)) {
            McpTestClient client = gateway.modern();
            for (String library : List.of("good", "broken")) {
                for (int i = 0; i < 30; i++) {
                    ToolResult done = client.call(
                            "vectordb__ingest_text",
                            "{\"content\": \"a stone of number %d\", \"title\": \"stone %d\", \"library\": \"%s\"}"
                                    .formatted(i, i, library));
                    assertFalse(done.isError(), done::toString);
                }
            }
        }
        return data;
    }

    private static Path library(Path data) throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(path -> path.getFileName().toString().startsWith("s-broken-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static List<Path> files(Path folder, String prefix) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(path -> path.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }

    private static JsonNode part(TestGateway gateway) {
        try {
            return Json.parse(gateway.management("/health/ready").body().getBytes(StandardCharsets.UTF_8))
                    .path("backends")
                    .path(0);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String configuration() {
        return """
                embedders: {default: {provider: none}}
                backends:
                  vectordb: {type: vectordb}
                """;
    }
}
