package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import switchboard.backend.agentroot.AgentrootModule;
import switchboard.backend.agentroot.AgentrootSettings;
import switchboard.backend.agentroot.QueryFusion;
import switchboard.backend.embedded.StoreKind;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Json;
import switchboard.config.Size;
import switchboard.embed.Embedders;
import switchboard.fetch.RobotsPolicy;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;

/**
 * One agentroot collection of many source files with ten functions each: how fast it is indexed (without vectors), how
 * large it is, how long each tool that reads takes, how much heap. Arguments: documents (100000), calls of each tool (100),
 * a folder to keep all of it in, with which the next run goes on.
 */
final class KnowledgeBase {
    private static final int FUNCTIONS = 10;
    private static final int WORDS = 12;
    private static final int VOCABULARY = 50_000;
    private static final int FILES_IN_FOLDER = 50;
    private static final int FOLDERS_IN_FOLDER = 40;

    private final Random random = new Random(8);
    private final BackendHarness backend;
    private final Path folder;
    private final int documents;
    private final int calls;

    private KnowledgeBase(BackendHarness backend, Path folder, int documents, int calls) {
        this.backend = backend;
        this.folder = folder;
        this.documents = documents;
        this.calls = calls;
    }

    public static void main(String[] arguments) throws IOException {
        int documents = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100_000;
        int calls = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100;
        boolean kept = arguments.length > 2;
        Path work = kept ? Path.of(arguments[2]) : Files.createTempDirectory("switchboard-knowledge");
        Path folder = Files.createDirectories(work.resolve("files")).toRealPath();
        AgentrootSettings settings = new AgentrootSettings(
                StoreKind.LOCAL,
                Duration.ZERO,
                Path.of("store"),
                List.of(folder),
                Size.ofMiB(1),
                documents,
                Embedders.DEFAULT,
                Map.of(),
                QueryFusion.LINEAR,
                64,
                Duration.ofMinutes(5),
                Duration.ofMinutes(4),
                1000,
                new AgentrootSettings.Sql(Duration.ofMinutes(1), 2, Size.ofMiB(256), Size.ofMiB(512)),
                new AgentrootSettings.Fetch(false, RobotsPolicy.IGNORE, Duration.ofSeconds(1), 1),
                new AgentrootSettings.Github(URI.create("http://127.0.0.1:1"), null),
                Map.of());
        try (BackendHarness backend = BackendHarness.start(
                new AgentrootModule(Embedders.none(), Optional.empty(), "bench"), settings, work)) {
            KnowledgeBase run = new KnowledgeBase(backend, folder, documents, calls);
            if (run.status().path(0).path("documents").asInt() < documents) {
                run.write();
                run.index("indexed");
                run.index("looked through again, nothing changed");
            }
            System.out.println(run.status());
            long bytes = size(work.resolve("store"));
            System.out.printf("index: %d MiB, %d bytes a document%n", bytes >> 20, bytes / documents);
            run.heap("after indexing");
            if (calls > 0) {
                run.read();
                run.heap("after reading");
            }
        } finally {
            if (!kept) {
                delete(work);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }

    // ---- the corpus

    private static String path(int number) {
        int leaf = number / FILES_IN_FOLDER;
        return "p%02d/m%02d/file%06d.py".formatted(leaf / FOLDERS_IN_FOLDER, leaf % FOLDERS_IN_FOLDER, number);
    }

    private void write() throws IOException {
        long bytes = 0;
        if (Files.exists(folder.resolve(path(documents - 1)))) {
            return;
        }
        for (int i = 0; i < documents; i++) {
            Path file = folder.resolve(path(i));
            Files.createDirectories(file.getParent());
            StringBuilder text = new StringBuilder();
            for (int f = 0; f < FUNCTIONS; f++) {
                text.append("def f")
                        .append(i)
                        .append('_')
                        .append(f)
                        .append("(x):\n    return '")
                        .append(words(WORDS))
                        .append("'\n");
            }
            bytes += text.length();
            Files.writeString(file, text);
        }
        System.out.printf("%d files, %d MiB%n", documents, bytes >> 20);
    }

    /** Words by Zipf's law. */
    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "w" : " w").append((int) Math.pow(VOCABULARY, random.nextDouble()));
        }
        return text.toString();
    }

    private void index(String what) {
        if (status().isEmpty()) {
            call(
                    "collection_add",
                    Json.object().put("name", "big").put("path", folder.toString()).put("pattern", "**/*"));
        }
        long start = System.nanoTime();
        int rounds = 0;
        int added = 0;
        JsonNode update;
        do {
            update = call("collection_update", Json.object().put("name", "big"));
            added += update.path("added").asInt();
            rounds++;
        } while (!update.path("complete").asBoolean());
        double seconds = (System.nanoTime() - start) / 1e9;
        JsonNode status = status().path(0);
        System.out.printf(
                "%s: %d documents, %d chunks; %d of %d documents new, %.0f s (%d calls), %.0f documents a second%n",
                what,
                status.path("documents").asInt(),
                status.path("chunks").asInt(),
                added,
                documents,
                seconds,
                rounds,
                documents / seconds);
    }

    private JsonNode status() {
        return call("status", Json.object()).path("collections");
    }

    private static long size(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private void heap(String when) {
        long most = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.printf("%s: %d MiB of heap used, at most %d MiB%n", when, used >> 20, most >> 20);
    }

    // ---- the tools that read

    private JsonNode call(String tool, ObjectNode arguments) {
        ToolResult result = backend.call(tool, arguments);
        if (result.isError()) {
            throw new IllegalStateException(tool + ": " + result.text());
        }
        return result.structured();
    }

    private void read() {
        System.out.printf("%-40s %9s %9s%n", "", "p50 ms", "p99 ms");
        first();
        for (String tool : List.of("search", "vsearch", "query", "smart_search", "explore", "search_chunks")) {
            measure(tool, () -> call(tool, Json.object().put("query", words(3))));
        }
        measure("search with a filter", () -> call(
                "search", Json.object().put("query", words(3)).put("category", "code")));
        measure("batch_search of 3", this::batch);
        measure("search_directories", () -> call(
                "search_directories", Json.object().put("query", "m12 " + words(1))));
        measure("browse_directory", () -> browse("p00"));
        measure("browse_directory, all", () -> browse(""));
        measure("status", () -> call("status", Json.object()));
        measure("get", () -> call("get", Json.object().put("file", "big/" + any())));
        measure("get by docid", () -> backend.call("get", Json.object().put("file", docid()))); // a few are ambiguous
        measure("multi_get of a folder", () -> call("multi_get", Json.object().put("pattern", "big/p00/m03/*.py")));
        measure("multi_get of everything", () -> call("multi_get", Json.object().put("pattern", "*")));
        chunks();
        metadata();
        memories();
        measure("resources/list, first page", () -> backend.send(new BackendRequest.ListResources(null)));
        measure(
                "resources/list, last page",
                () -> backend.send(new BackendRequest.ListResources(String.valueOf(Math.max(0, documents - 100)))));
        measure("completion of a path", this::complete);
    }

    private String any() {
        return path(random.nextInt(documents));
    }

    private String docid() {
        return call("get", Json.object().put("file", "big/" + any()))
                .path("docid")
                .asText();
    }

    private JsonNode browse(String path) {
        return call(
                "browse_directory", Json.object().put("collection", "big").put("path", path));
    }

    private JsonNode batch() {
        ObjectNode arguments = Json.object();
        for (int i = 0; i < 3; i++) {
            arguments.withArray("queries").addObject().put("query", words(3));
        }
        return call("batch_search", arguments);
    }

    private void chunks() {
        List<String> hashes = new ArrayList<>();
        for (JsonNode one : call(
                        "search_chunks",
                        Json.object().put("query", "w1 w2 w3").put("limit", 100))
                .path("results")) {
            hashes.add(one.path("chunk_hash").asText());
        }
        Supplier<ObjectNode> chunk =
                () -> Json.object().put("chunk_hash", hashes.get(random.nextInt(hashes.size())));
        measure("get_chunk with its neighbours", () -> call(
                "get_chunk", chunk.get().put("include_context", true)));
        measure("navigate_chunks", () -> backend.call(
                "navigate_chunks", chunk.get().put("direction", "next")));
    }

    private void metadata() {
        for (int i = 0; i < 200; i++) {
            ObjectNode arguments = Json.object().put("docid", "big/" + path(i * (documents / 200)));
            arguments.putObject("metadata").put("score", i).put("author", "author " + i % 7);
            call("metadata_add", arguments);
        }
        measure("metadata_get", () -> call(
                "metadata_get",
                Json.object().put("docid", "big/" + path(random.nextInt(200) * (documents / 200)))));
        measure("metadata_query", () -> call(
                "metadata_query",
                Json.object().put("field", "score").put("operator", "gt").put("value", random.nextInt(200))));
    }

    private void memories() {
        for (int i = 0; i < 200; i++) {
            call("memory_store", Json.object().put("content", i + " " + words(10)).put("category", "fact"));
        }
        measure("memory_search", () -> call("memory_search", Json.object().put("query", words(2))));
        measure("memory_list", () -> call("memory_list", Json.object()));
        String session = call("session_start", Json.object()).path("session_id").asText();
        measure("session_get", () -> call("session_get", Json.object().put("session_id", session)));
    }

    private BackendReply complete() {
        return backend.send(new BackendRequest.Complete(
                "agentroot://{collection}/{+path}", "path", any().substring(0, 10), java.util.Map.of()));
    }

    /** The first call after an update tells the folders from all documents; one that times out is gone on with. */
    private void first() {
        long start = System.nanoTime();
        ObjectNode arguments = Json.object().put("collection", "big").put("path", "p00");
        int tries = 1;
        while (backend.call("browse_directory", arguments).isError()) {
            tries++;
        }
        System.out.printf(
                "%-40s %9.1f (%d calls)%n",
                "browse_directory, the first", (System.nanoTime() - start) / 1e6, tries);
    }

    private void measure(String what, Supplier<?> call) {
        for (int i = 0; i < Math.max(1, calls / 10); i++) {
            call.get();
        }
        long[] nanos = new long[calls];
        for (int i = 0; i < calls; i++) {
            long start = System.nanoTime();
            call.get();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        System.out.printf("%-40s %9.1f %9.1f%n", what, nanos[calls / 2] / 1e6, nanos[calls * 99 / 100] / 1e6);
    }
}
