package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import switchboard.backend.embedded.StoreKind;
import switchboard.call.Json;
import switchboard.config.Size;
import switchboard.embed.Embedders;
import switchboard.fetch.RobotsPolicy;
import switchboard.llm.Llm;
import switchboard.testing.BackendHarness;
import switchboard.testing.HandClock;
import switchboard.testing.ToolResult;
import switchboard.testing.WordEmbedder;

/** A knowledge base with a folder to index, a clock to set and an embedder to break. */
abstract class AgentrootFixture {
    final WordEmbedder embedder = new WordEmbedder();
    final HandClock clock = HandClock.ticking(Instant.parse("2026-03-01T12:00:00.001Z"));

    @TempDir
    Path temp;

    Path folder;
    BackendHarness backend;

    /** The language model of the next backend that is opened, and where its GitHub is. */
    @Nullable
    Llm llm;

    URI github = URI.create("http://127.0.0.1:1");

    /** The nodes that share the documents; null for a store by itself. */
    @Nullable
    SharedNodes nodes() {
        return null;
    }

    @BeforeEach
    void begin() throws IOException {
        if (nodes() != null) {
            nodes().clear();
        }
        folder = Files.createDirectory(temp.resolve("docs")).toRealPath();
        backend = open(true, Duration.ofHours(1));
    }

    @AfterEach
    void end() {
        backend.close();
    }

    /** How words and vectors are combined from the next {@link #open} on. */
    QueryFusion fusion = QueryFusion.LINEAR;

    BackendHarness open(boolean vectors, Duration updateTime) {
        Embedders embedders = vectors
                ? new Embedders(Map.of(Embedders.DEFAULT, new Embedders.Named("test", embedder)), Set.of())
                : Embedders.none();
        AgentrootSettings settings = new AgentrootSettings(
                nodes() == null ? StoreKind.LOCAL : StoreKind.CLUSTER,
                Duration.ZERO,
                Path.of("store"),
                List.of(folder),
                Size.ofMiB(1),
                10_000,
                "default",
                Map.of(),
                fusion,
                8,
                Duration.ofMinutes(5),
                updateTime,
                20,
                new AgentrootSettings.Sql(Duration.ofMinutes(1), 2, Size.ofMiB(256), Size.ofMiB(512)),
                new AgentrootSettings.Fetch(true, RobotsPolicy.IGNORE, Duration.ofMinutes(1), 5),
                new AgentrootSettings.Github(github, null),
                Map.of());
        AgentrootModule module = new AgentrootModule(embedders, Optional.ofNullable(llm), "switchboard/test");
        Path data = temp.resolve("data");
        return nodes() == null
                ? BackendHarness.start(module, settings, data, clock)
                : nodes().start(module, settings, data, clock);
    }

    void restart(boolean vectors) {
        backend.close();
        backend = open(vectors, Duration.ofHours(1));
    }

    Path write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    ToolResult call(String tool, String json) {
        return backend.call(tool, json.replace('\'', '"'));
    }

    JsonNode ok(String tool, String json) {
        return ok(call(tool, json));
    }

    static JsonNode ok(ToolResult result) {
        assertFalse(result.isError(), result.toString());
        return result.structured();
    }

    /** Adds all files as a collection, and indexes them. */
    JsonNode index(String name) {
        return index(name, "**/*");
    }

    JsonNode index(String name, String pattern) {
        return index(name, folder, pattern);
    }

    JsonNode index(String name, Path path, String pattern) {
        ObjectNode add =
                Json.object().put("name", name).put("path", path.toString()).put("pattern", pattern);
        ok(backend.call("collection_add", add));
        return update(name);
    }

    JsonNode update(String name) {
        return ok(backend.call("collection_update", Json.object().put("name", name)));
    }

    ToolResult search(String tool, String query) {
        return backend.call(tool, Json.object().put("query", query));
    }

    /** The files of a search's results, in order. */
    List<String> found(String tool, String query) {
        return files(ok(search(tool, query)));
    }

    static List<String> files(JsonNode reply) {
        List<String> files = new ArrayList<>();
        reply.path("results").forEach(one -> files.add(one.path("file").asText()));
        return files;
    }

    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(one -> texts.add(one.asText()));
        return texts;
    }

    static List<String> texts(JsonNode array, String key) {
        List<String> texts = new ArrayList<>();
        array.forEach(one -> texts.add(one.path(key).asText()));
        return texts;
    }
}
