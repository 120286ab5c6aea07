package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.app.MovedFolder.digests;
import static switchboard.app.MovedFolder.document;
import static switchboard.app.MovedFolder.in;
import static switchboard.app.MovedFolder.many;
import static switchboard.replica.ReplicaNode.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.replica.ReplicaNode;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentDigest;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Programs;
import switchboard.testing.Replicas;
import switchboard.testing.SwitchboardProcess;
import switchboard.testing.TestGateway;

/** {@code switchboard store move} between folders and a real database. */
@Tag("engines")
class StoreMoveTest {
    private static final Namespace BOOKS = Namespace.of("books");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    Path folder;

    private String schema = "";
    private Path data = Path.of("");

    @BeforeEach
    void configure(TestInfo test) throws IOException {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("switchboard.yaml"), yaml("local", "here"));
    }

    private String yaml(String store, String dataDir) throws IOException {
        Path key = Files.writeString(folder.resolve("state.key"), "0123456789abcdef0123456789abcdef");
        Path url = Files.writeString(folder.resolve("database.url"), postgres.url());
        return """
                server: { stateKey: "${file:%s}" }
                cluster: { database: "${file:%s}", schema: %s, node: mover }
                embedders: { default: { provider: none } }
                backends: { docs: { type: vectordb, store: %s, dataDir: %s } }
                """.formatted(key, url, schema, store, dataDir);
    }

    private String move(String... arguments) {
        List<String> all = new ArrayList<>(List.of("store", "move"));
        all.addAll(List.of(arguments));
        return Replicas.command(data, all.toArray(String[]::new));
    }

    private static void contains(String printed, String... parts) {
        for (String part : parts) {
            assertTrue(printed.contains(part), () -> part + " in: " + printed);
        }
    }

    private long count(String what) {
        return Long.parseLong(postgres.sql("SELECT count(*) FROM " + schema + "." + what));
    }

    @Test
    void documentsComeBackAsTheyWere() throws IOException {
        Path here = data.resolve("here");
        AllowedReaders hr = AllowedReaders.of(List.of("group:hr"));
        in(here, store -> {
            await(store.put(BOOKS, document("a", "walrus and seal 日本語 😀 \u0000 end", AllowedReaders.ALL, 0.6f, 0.8f)));
            await(store.put(BOOKS, document("secret \u0000 ' \ud83d\ude00", "payroll of all", hr, 1f, 0f)));
            await(store.put(BOOKS, document("large", "x y ".repeat(100_000), AllowedReaders.ALL)));
            await(store.put(new Namespace("ann", "books"), document("a", "another seal", AllowedReaders.ALL)));
            await(store.put(Namespace.of("Größe 'and' \"quotes\" 日本語"), document(".", "a short source", hr)));
            StoredDocument described = await(
                            store.put(BOOKS, document("d", "described one", AllowedReaders.ALL, 0f, 1f)))
                    .document();
            await(store.describe(
                    List.of(BOOKS),
                    described.id(),
                    new DocumentDescription("other", Json.object().put("k", 1), hr, "bonus")));
            String gone = await(store.put(Namespace.of("none left"), document("x", "gone", AllowedReaders.ALL)))
                    .document()
                    .id();
            await(store.delete(store.namespaces(), gone));
        });
        Map<String, DocumentDigest> before = digests(here);
        assertEquals(6, before.size());

        String there = move("--to", "cluster");
        contains(there, "0: ", "books: 4 documents, 8 chunks, SHA-256 ", "4 copied\n", "ann/books: 1 documents");
        contains(
                there,
                "6 documents in 3 libraries are in the database",
                "store: cluster",
                "another folder than " + here);
        assertEquals(before, digests(here), "the source stays");
        assertEquals("3", postgres.sql("SELECT count(*) FROM " + schema + ".document WHERE restricted"));
        String again = move("--to=CLUSTER", "--backend=docs");
        contains(again, "0: ", "books: 4 documents, 8 chunks", "0 copied\n");
        assertEquals(6, count("change"), "what is there is not written again");

        contains(
                move("--to", "local", "--dir", folder.resolve("back").toString()), "0: ", "6 documents in 3 libraries");
        assertEquals(before, digests(folder.resolve("back")));
        assertEquals(6, count("document"));
    }

    @Test
    void whatGatewaysChangedInTheDatabaseComesBackToo() {
        in(
                data.resolve("here"),
                store -> await(store.put(BOOKS, document("a", "walrus and seal", AllowedReaders.ALL, 0.6f, 0.8f))));
        contains(move("--to", "cluster"), "0: ");
        StoredDocument described;
        try (ReplicaNode node = new ReplicaNode(postgres, schema, folder.resolve("node")).joined()) {
            StoredDocument moved = await(node.fresh().find(BOOKS, "a")).orElseThrow();
            described = await(node.store()
                            .describe(
                                    moved,
                                    new DocumentDescription(
                                            "t", Json.object(), AllowedReaders.of(List.of("user:bob")), "bonus")))
                    .orElseThrow();
            await(node.store().put(BOOKS, document("b", "narwhal", AllowedReaders.ALL)));
        }
        Path back = folder.resolve("back");
        contains(move("--to", "local", "--dir", back.toString()), "0: ", "books: 2 documents");
        in(back, store -> {
            assertEquals(described, await(store.find(BOOKS, "a")).orElseThrow());
            assertEquals(
                    List.of("a"),
                    await(store.search(words("bonus").in(List.of(BOOKS)))).hits().stream()
                            .map(hit -> hit.chunk().document().source())
                            .toList());
        });
        contains(move("--to", "cluster", "--dir", back.toString()), "0: ", "0 copied\n");
    }

    private static switchboard.store.SearchRequest words(String query) {
        return new switchboard.store.SearchRequest(
                query,
                java.util.Optional.empty(),
                List.of(),
                new switchboard.store.Filter.All(),
                50,
                new switchboard.store.Fusion.KeywordOnly());
    }

    @Test
    void aMoveThatWasKilledOrInterruptedIsContinued() throws Exception {
        int documents = 2_000;
        Path here = data.resolve("here");
        in(here, store -> many(store, documents));
        Map<String, DocumentDigest> before = digests(here);
        ended(Process::destroyForcibly, "--to", "cluster");
        long half = count("document");
        assertTrue(half > 0 && half < documents, () -> half + " documents");
        String rest = move("--to", "cluster");
        contains(rest, "0: ", "books: 2000 documents, 4000 chunks");
        assertEquals(documents - half, number("(\\d+) copied", rest));

        Path back = folder.resolve("back");
        contains(
                ended(Process::destroy, "--to", "local", "--dir", back.toString()),
                " of 2000 documents are in the target and stay there; nothing was removed. Run the same command again");
        int some = digests(back).size();
        assertTrue(some > 0 && some < documents, () -> some + " documents");
        rest = move("--to", "local", "--dir", back.toString());
        assertEquals(documents - some, number("(\\d+) copied", rest));
        assertEquals(before, digests(back));
    }

    private static long number(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertTrue(found.find(), () -> pattern + " in " + text);
        return Long.parseLong(found.group(1));
    }

    /** Runs a move in a process of its own, which {@code end} ends when it has moved some; returns what it has told. */
    private String ended(Consumer<Process> end, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("store", "move"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--config=" + data.resolve("switchboard.yaml"), "--data=" + data));
        Path err = Files.createTempFile(folder, "err", ".txt");
        Process process = new ProcessBuilder(SwitchboardProcess.command(all.toArray(String[]::new)))
                .redirectOutput(Files.createTempFile(folder, "out", ".txt").toFile())
                .redirectError(err.toFile())
                .start();
        try {
            Eventually.within(
                    Duration.ofMinutes(2), () -> !process.isAlive() || text(err).contains("Moving "), () -> text(err));
            assertTrue(process.isAlive(), () -> "it was not over: " + text(err));
            end.accept(process);
            assertTrue(process.waitFor(1, TimeUnit.MINUTES));
            return text(err);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTargetWithOtherContentsIsRefusedAndOneWithTheSameIsNot() {
        in(data.resolve("here"), store -> {
            await(store.put(BOOKS, document("a", "walrus", AllowedReaders.ALL, 0.6f, 0.8f)));
            await(store.put(BOOKS, document("b", "seal", AllowedReaders.ALL)));
            await(store.put(Namespace.of("early"), document("e", "first in order", AllowedReaders.ALL)));
        });
        Path other = folder.resolve("other");
        in(other, store -> {
            await(store.put(BOOKS, document("a", "walrus", AllowedReaders.ALL, 0.8f, 0.6f)));
            await(store.put(BOOKS, document("c", "narwhal", AllowedReaders.ALL)));
        });
        contains(move("--to", "cluster", "--dir", other.toString()), "0: ", "2 copied\n");
        contains(
                move("--to", "cluster"),
                "0: ",
                "1 copied, 1 were there with the same contents",
                "1 were there besides");
        Map<String, DocumentDigest> ours = digests(other);

        in(data.resolve("here"), store -> await(store.put(BOOKS, document("b", "sea lion", AllowedReaders.ALL))));
        in(
                data.resolve("here"),
                store -> await(store.put(Namespace.of("early"), document("new", "n", AllowedReaders.ALL))));
        String refused = move("--to", "cluster");
        contains(refused, "1: ", "other contents of 1 document: b in books. Nothing was copied.");
        assertEquals(4, count("document"));
        contains(
                move("--to", "local", "--dir", data.resolve("here").toString()),
                "1: ",
                "other contents of 1 document: b in books");
        // Who may read it is a part of it.
        in(other, store -> await(store.put(BOOKS, document("c", "narwhal", AllowedReaders.of(List.of("group:hr"))))));
        contains(move("--to", "cluster", "--dir", other.toString()), "1: ", "1 document: c in books");
        assertEquals(ours.keySet(), digests(other).keySet());
    }

    @Test
    void damagedFilesAreNotCopied() throws IOException {
        Path here = data.resolve("here");
        in(here, store -> await(store.put(BOOKS, document("a", "walrus", AllowedReaders.ALL, 0.6f, 0.8f))));
        try (Stream<Path> files = Files.walk(here)) {
            Path largest = files.filter(file -> file.getFileName().toString().startsWith("_"))
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(largest);
            bytes[bytes.length / 2] ^= 1;
            Files.write(largest, bytes);
        }
        contains(move("--to", "cluster"), "3: ", "The folder " + here + " has damaged files (books: ");
        assertEquals(0, count("document"));
    }

    private static void ready(TestGateway gateway) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateway.management("/health/ready").status() == 200,
                () -> gateway.management("/health/ready").body());
    }

    @Test
    void whatCanNotBeMovedIsSaid() throws Exception {
        Path here = data.resolve("here");
        contains(move("--to", "cluster"), "2: ", "There is no folder " + here + " with documents; name it with --dir");
        assertFalse(Files.exists(here));
        contains(move("--to", "nowhere"), "2: ", "--to");
        contains(move("--to", "cluster", "--backend", "nope"), "2: ", "--backend nope: the backends", "[docs]");
        contains(Replicas.command(data, "store"), "2: ", "move");
        try (TestGateway gateway = TestGateway.start(yaml("local", "here"), data)) {
            ready(gateway);
            gateway.modern()
                    .call("docs__ingest_text", Json.object().put("source", "a").put("content", "walrus"));
            contains(move("--to", "cluster"), "3: ", "A gateway uses the folder " + here + ". Stop it first");
        }
        in(here, store -> await(store.put(Namespace.of("zero\u0000"), document("a", "b", AllowedReaders.ALL))));
        contains(move("--to", "cluster"), "1: ", "U+0000");
        in(here, store -> assertTrue(await(store.drop(Namespace.of("zero\u0000")))));
        contains(move("--to", "cluster"), "0: ", "default: 1 documents");
        contains(
                move(
                        "--to",
                        "cluster",
                        "--dir",
                        Files.createDirectory(folder.resolve("empty")).toString()),
                "2: ",
                "There is no folder " + folder.resolve("empty") + " with documents");
        Path none = folder.resolve("none");
        in(none, store -> {});
        contains(move("--to", "cluster", "--dir", none.toString()), "2: ", "has no documents; name the one that has");

        // Gateways have them, with the same ids; their files are not documents of their own.
        try (TestGateway gateway = TestGateway.start(yaml("cluster", "shared"), data)) {
            ready(gateway);
            McpTestClient client = gateway.modern();
            assertEquals(
                    1,
                    client.call("docs__search", Json.object().put("query", "walrus"))
                            .structured()
                            .path("results")
                            .size());
            contains(move("--to", "local", "--dir", folder.resolve("back").toString()), "0: ", "default: 1 documents");
            contains(move("--to", "local", "--dir", data.resolve("shared").toString()), "3: ", "A gateway uses");
        }
        contains(
                move("--to", "local", "--dir", data.resolve("shared").toString()),
                "2: ",
                "has files that follow the database");
        Files.writeString(
                data.resolve("switchboard.yaml"), yaml("local", "here").replaceAll("cluster: .*\n", ""));
        contains(move("--to", "cluster"), "2: ", "There is no section cluster");
        Files.writeString(data.resolve("switchboard.yaml"), yaml("local", "here"));
        Files.writeString(folder.resolve("database.url"), "postgres://x@127.0.0.1:" + Programs.freePort() + "/y");
        contains(move("--to", "cluster"), "3: ", "The database that gateways share can't be used");
    }
}
