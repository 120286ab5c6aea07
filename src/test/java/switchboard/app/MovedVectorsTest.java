package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.app.MovedFolder.digests;
import static switchboard.app.MovedFolder.document;
import static switchboard.app.MovedFolder.in;
import static switchboard.replica.ReplicaNode.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Lifetime;
import switchboard.embed.EmbedListener;
import switchboard.store.AllowedReaders;
import switchboard.store.ChunkEmbedders;
import switchboard.store.Namespace;
import switchboard.store.NamespaceEmbedders;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.WordEmbedder;

/** What {@code switchboard store move} says of documents that differ in their vectors only, and how it reads large ones. */
@Tag("engines")
class MovedVectorsTest {
    private static final Namespace BOOKS = Namespace.of("books");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private String schema = "";
    private Path data = Path.of("");
    private Path here = Path.of("");

    @BeforeEach
    void configure(TestInfo test) throws IOException {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        data = Files.createDirectories(folder.resolve("data"));
        here = data.resolve("here");
        Path key = Files.writeString(folder.resolve("state.key"), "0123456789abcdef0123456789abcdef");
        Path url = Files.writeString(folder.resolve("database.url"), postgres.url());
        Files.writeString(data.resolve("switchboard.yaml"), """
                server: { stateKey: "${file:%s}" }
                cluster: { database: "${file:%s}", schema: %s, node: mover }
                embedders: { default: { provider: none } }
                backends: { docs: { type: vectordb, store: local, dataDir: here } }
                """.formatted(key, url, schema));
    }

    private String move(String... arguments) {
        List<String> all = new ArrayList<>(List.of("store", "move"));
        all.addAll(List.of(arguments));
        return Replicas.command(data, all.toArray(String[]::new));
    }

    private String sql(String statements) {
        return postgres.sql(statements.replace("$", schema)).strip();
    }

    private static void contains(String printed, String... parts) {
        for (String part : parts) {
            assertTrue(printed.contains(part), () -> part + " in: " + printed);
        }
    }

    @Test
    void vectorsOfAnotherModelAreNoOtherContents() {
        in(here, store -> await(store.put(BOOKS, document("a", "walrus", AllowedReaders.ALL, 0.6f, 0.8f))));
        contains(move("--to", "cluster"), "0: ", "1 copied\n");
        WordEmbedder other = new WordEmbedder();
        in(
                here,
                store -> assertEquals(
                        1,
                        await(store.reindex(
                                NamespaceEmbedders.all(ChunkEmbedders.of(Optional.of(other))),
                                Lifetime.within(java.time.Duration.ofMinutes(1)),
                                EmbedListener.NONE))));
        String refused = move("--to", "cluster");
        contains(
                refused,
                "1: ",
                "The target has vectors of another model of 1 document: a in books. Nothing was copied."
                        + " Run `switchboard reindex` on one side");
        assertEquals("1", sql("SELECT count(*) FROM $.change"));
    }

    /** What an earlier run has copied is compared in all, not only by what it says. */
    @Test
    void vectorsThatChangedSinceAnEarlierRunAreNoticed() {
        in(here, store -> {
            await(store.put(BOOKS, document("a", "walrus", AllowedReaders.ALL, 0.6f, 0.8f)));
            await(store.put(BOOKS, document("b", "narwhal", AllowedReaders.ALL, 0.8f, 0.6f)));
        });
        contains(move("--to", "cluster"), "0: ", "2 copied\n");
        contains(move("--to", "cluster"), "0: ", "2 documents, 4 chunks", "0 copied\n");
        sql("UPDATE $.document SET vectors = (SELECT d.vectors FROM $.document d JOIN $.change c ON c.key = d.key"
                + " WHERE c.position = 1)");
        contains(
                move("--to", "cluster"),
                "1: ",
                "other vectors of the same model of 1 document: ",
                " in books, which an earlier run has copied. Nothing was copied.");
    }

    @Test
    void largeDocumentsAreReadAFewAtATime() {
        in(here, store -> {
            for (int i = 0; i < 3; i++) {
                await(store.put(
                        BOOKS,
                        document("s" + i, "w" + i + " " + "x".repeat(2_100_000), AllowedReaders.ALL, 0.6f, 0.8f)));
            }
            await(store.put(Namespace.of("empty"), document("x", "y z", AllowedReaders.ALL)));
            await(store.delete(
                    List.of(Namespace.of("empty")),
                    await(store.find(Namespace.of("empty"), "x")).orElseThrow().id()));
        });
        contains(
                move("--to", "cluster"),
                "0: ",
                "books: 3 documents, 6 chunks",
                "3 documents in 1 libraries are in the database");
        Path back = folder.resolve("back");
        contains(move("--to", "local", "--dir", back.toString()), "0: ", "3 copied\n");
        assertEquals(digests(here).keySet(), digests(back).keySet());
    }
}
