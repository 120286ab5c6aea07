package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import switchboard.backend.agentroot.text.MetadataExtractor;
import switchboard.backend.embedded.StoreKind;
import switchboard.call.Json;
import switchboard.convert.ConvertedDocument;
import switchboard.convert.TextSplitter;
import switchboard.embed.Embedders;
import switchboard.fetch.RobotsPolicy;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;
import switchboard.testing.WordEmbedder;

/** What holds for all texts and for all sequences of changes. */
class KnowledgeBasePropertiesTest {
    private static final List<String> SEARCHES = List.of(
            "search",
            "vsearch",
            "query",
            "smart_search",
            "explore",
            "search_chunks",
            "search_directories",
            "memory_search");

    private static Path temp;
    private static Path folder;
    private static BackendHarness backend;

    @BeforeContainer
    static void start() throws IOException {
        temp = Files.createTempDirectory("agentroot-properties");
        folder = Files.createDirectories(temp.resolve("docs")).toRealPath();
        AgentrootSettings settings = new AgentrootSettings(
                StoreKind.LOCAL,
                Duration.ZERO,
                Path.of("store"),
                List.of(folder),
                switchboard.config.Size.ofMiB(1),
                10_000,
                "default",
                Map.of(),
                QueryFusion.LINEAR,
                8,
                Duration.ofMinutes(5),
                Duration.ofHours(1),
                20,
                new AgentrootSettings.Sql(
                        Duration.ofMinutes(1),
                        2,
                        switchboard.config.Size.ofMiB(256),
                        switchboard.config.Size.ofMiB(512)),
                new AgentrootSettings.Fetch(false, RobotsPolicy.IGNORE, Duration.ofSeconds(1), 1),
                new AgentrootSettings.Github(java.net.URI.create("http://127.0.0.1:1"), null),
                Map.of());
        Embedders words =
                new Embedders(Map.of(Embedders.DEFAULT, new Embedders.Named("test", new WordEmbedder())), Set.of());
        backend = BackendHarness.start(
                new AgentrootModule(words, Optional.empty(), "test"), settings, temp, Clock.systemUTC());
        Files.writeString(folder.resolve("a.md"), "# C++\n\nwhat's foo-bar in file.rs?");
        add("docs");
        update("docs");
        ok("memory_store", Json.object().put("content", "what's new").put("category", "fact"));
    }

    @AfterContainer
    static void stop() throws IOException {
        backend.close();
        empty(temp);
    }

    private static void empty(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static JsonNode ok(String tool, ObjectNode arguments) {
        ToolResult result = backend.call(tool, arguments);
        assertFalse(result.isError(), tool + " " + arguments + " " + result);
        return result.structured();
    }

    private static void add(String name) {
        ok(
                "collection_add",
                Json.object().put("name", name).put("path", folder.toString()).put("pattern", "**/*"));
    }

    private static JsonNode update(String name) {
        return ok("collection_update", Json.object().put("name", name));
    }

    // ---- any text is a legal query

    @Property(tries = 100)
    void anyTextIsALegalQuery(@ForAll("queries") String query) {
        for (String tool : SEARCHES) {
            ok(tool, Json.object().put("query", query));
        }
        ObjectNode batch = Json.object();
        batch.putArray("queries").addObject().put("query", query);
        assertEquals(
                query,
                ok("batch_search", batch).path("batches").path(0).path("query").asText());
    }

    @Provide
    Arbitrary<String> queries() {
        Arbitrary<String> syntax = Arbitraries.of(
                        "\"",
                        "*",
                        "(",
                        ")",
                        "AND",
                        "OR",
                        "NOT",
                        "NEAR/",
                        ":",
                        "category:",
                        "tag:\"",
                        "-",
                        "+",
                        "^",
                        "~",
                        "[",
                        "]",
                        "{",
                        "}",
                        "\\",
                        "/",
                        "?",
                        "!",
                        "'",
                        "%",
                        "_",
                        "the",
                        "a",
                        "foo",
                        " ",
                        "last 3 days",
                        "since 2026-01-31",
                        "\u0000",
                        "\uD800",
                        "🦀",
                        "é")
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
        return Arbitraries.oneOf(Arbitraries.strings().all().ofMaxLength(200), syntax);
    }

    // ---- whatever is changed, a collection is its folder

    /** A change of the folder, or of the collection. */
    sealed interface Step {
        record Write(String path, String text) implements Step {}

        record Delete(String path) implements Step {}

        record Update() implements Step {}

        record AddAgain() implements Step {}
    }

    @Provide
    Arbitrary<Step> steps() {
        Arbitrary<String> paths =
                Arbitraries.of("a.md", "b.py", "x/c.md", "x/d.rs", "x/y/e.txt", "x/y/f.java", "z/g.tsx", "h");
        Arbitrary<String> texts = Arbitraries.of(
                        "# Title\n\nwords\n",
                        "def f():\n    pass\n\n\nclass C:\n    def m(self):\n        return 1\n",
                        "fn main() {}\n// é🦀\nstruct S;\n",
                        "class A { void m() {} }\n",
                        "}}} broken ((( code \"",
                        "\n\n \n",
                        "plain ")
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(parts -> String.join("", parts));
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(5, Combinators.combine(paths, texts).as(Step.Write::new)),
                net.jqwik.api.Tuple.of(2, paths.map(Step.Delete::new)),
                net.jqwik.api.Tuple.of(2, Arbitraries.create(Step.Update::new)),
                net.jqwik.api.Tuple.of(1, Arbitraries.create(Step.AddAgain::new)));
    }

    @Property(tries = 15)
    void aCollectionIsItsFolder(@ForAll @Size(max = 20) List<@net.jqwik.api.From("steps") Step> steps)
            throws IOException {
        clear();
        add("model");
        Map<String, String> files = new TreeMap<>();
        Map<String, String> indexed = new TreeMap<>();
        for (Step step : steps) {
            switch (step) {
                case Step.Write write -> {
                    Path file = folder.resolve(write.path());
                    Files.createDirectories(file.getParent());
                    Files.writeString(file, write.text());
                    files.put(write.path(), write.text());
                }
                case Step.Delete delete -> {
                    Files.deleteIfExists(folder.resolve(delete.path()));
                    files.remove(delete.path());
                }
                case Step.Update _ -> {
                    compareCounts(update("model"), indexed, files);
                    indexed = new TreeMap<>(files);
                    compare(indexed);
                }
                case Step.AddAgain _ -> {
                    ok("collection_remove", Json.object().put("name", "model"));
                    add("model");
                    indexed = new TreeMap<>();
                    compare(indexed);
                }
            }
        }
        update("model");
        compare(files);
        ok("collection_remove", Json.object().put("name", "model"));
    }

    private static void clear() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path path : all.toList()) {
                empty(path);
            }
        }
    }

    private static void compareCounts(JsonNode report, Map<String, String> before, Map<String, String> after) {
        long written = after.entrySet().stream()
                .filter(file -> !file.getValue().equals(before.get(file.getKey())))
                .count();
        long removed = before.keySet().stream()
                .filter(path -> !after.containsKey(path))
                .count();
        assertEquals(written, report.path("filesUpdated").asLong(), report.toString());
        assertEquals(removed, report.path("removed").asLong(), report.toString());
    }

    private static void compare(Map<String, String> files) {
        ToolResult all = backend.call("multi_get", Json.object().put("pattern", "model/*"));
        Map<String, String> stored = new TreeMap<>();
        for (JsonNode block : all.result().path("content")) {
            if (block.path("type").asText().equals("resource")) {
                JsonNode resource = block.path("resource");
                stored.put(
                        resource.path("uri").asText().substring("agentroot://model/".length()),
                        resource.path("text").asText());
            }
        }
        assertEquals(files, stored);
        JsonNode status = Json.object();
        for (JsonNode one : ok("status", Json.object()).path("collections")) {
            status = one.path("name").asText().equals("model") ? one : status;
        }
        assertEquals(files.size(), status.path("documents").asInt());
        TextSplitter textSplitter = new TextSplitter(new WordEmbedder().tokens()::count, 510);
        int chunks = files.entrySet().stream()
                .mapToInt(file -> pieces(textSplitter, file.getKey(), file.getValue()))
                .sum();
        assertEquals(chunks, status.path("chunks").asInt());
        assertEquals(folders(files), browsed());
        Map<String, String> hashes = hashes();
        assertEquals(files.keySet(), hashes.keySet());
        files.forEach((path, text) -> walk(hashes.getOrDefault(path, ""), text));
    }

    /** Some chunk of each document. */
    private static Map<String, String> hashes() {
        Map<String, String> hashes = new TreeMap<>();
        for (String type : List.of("text", "code", "function", "class", "method", "struct")) {
            ok(
                            "search_chunks",
                            Json.object()
                                    .put("query", "")
                                    .put("collection", "model")
                                    .put("label", "type:" + type)
                                    .put("limit", 100))
                    .path("results")
                    .forEach(one -> hashes.put(
                            one.path("file").asText().substring("model/".length()),
                            one.path("chunk_hash").asText()));
        }
        return hashes;
    }

    private static int pieces(TextSplitter textSplitter, String path, String text) {
        String extension = MetadataExtractor.extension(path);
        ConvertedDocument.Markup markup =
                extension.equals("md") ? ConvertedDocument.Markup.MARKDOWN : ConvertedDocument.Markup.PLAIN;
        return textSplitter
                .of(new ConvertedDocument(text, markup, null, List.of()), extension)
                .size();
    }

    /** How many files each folder has, the top left out. */
    private static Map<String, Integer> folders(Map<String, String> files) {
        Map<String, Integer> folders = new TreeMap<>();
        for (String path : files.keySet()) {
            String at = path;
            int own = 1;
            while (at.contains("/")) {
                at = at.substring(0, at.lastIndexOf('/'));
                folders.merge(at, own, Integer::sum);
                own = 0;
            }
        }
        return folders;
    }

    private static Map<String, Integer> browsed() {
        Map<String, Integer> folders = new TreeMap<>();
        ok("browse_directory", Json.object().put("collection", "model").put("max_depth", 20))
                .path("directories")
                .forEach(one -> folders.put(
                        one.path("path").asText(), one.path("file_count").asInt()));
        return folders;
    }

    /** From the first chunk to the last and back, every byte of the document once. */
    private static void walk(String chunk, String text) {
        String hash = chunk;
        ToolResult step = step(hash, "prev");
        while (!step.isError()) {
            hash = step.structured().path("chunk_hash").asText();
            step = step(hash, "prev");
        }
        assertEquals(
                "No previous chunk. This is the first one of its document; direction next goes on.", step.text(), text);
        StringBuilder whole = new StringBuilder(ok("get_chunk", Json.object().put("chunk_hash", hash))
                .path("content")
                .asText());
        step = step(hash, "next");
        while (!step.isError()) {
            whole.append(step.structured().path("content").asText());
            step = step(step.structured().path("chunk_hash").asText(), "next");
        }
        assertEquals(text, whole.toString());
        assertEquals(
                text.getBytes(StandardCharsets.UTF_8).length, whole.toString().getBytes(StandardCharsets.UTF_8).length);
    }

    private static ToolResult step(String hash, String direction) {
        return backend.call(
                "navigate_chunks", Json.object().put("chunk_hash", hash).put("direction", direction));
    }
}
