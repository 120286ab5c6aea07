package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.words;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.embed.EmbedListener;
import switchboard.store.AllowedReaders;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentDescription;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.StoredDocument;
import switchboard.testing.Eventually;
import switchboard.testing.IndexContents;
import switchboard.testing.PostgresCluster;
import switchboard.testing.WireProxy;
import switchboard.testing.WordEmbedder;

/** A build reads what was changed since it began, and the changes that it then follows bring nothing a second time. */
@Tag("engines")
class ChangesDuringBuildTest {
    private static final int CHANGED = 6;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private String sql(String schema, String query) {
        return postgres.sql(query.replace("$", schema)).strip();
    }

    /** How many segments were ever written: deletions alone don't show, because merges take them away at any time. */
    private long segments(String node) throws IOException {
        long segments = 0;
        try (Stream<Path> spaces = Files.list(folder.resolve(node).resolve("spaces"))) {
            for (Path space : spaces.filter(Files::isDirectory).toList()) {
                try (Directory directory = new NIOFSDirectory(space.resolve("index"))) {
                    segments += SegmentInfos.readLatestCommit(directory).counter;
                }
            }
        }
        return segments;
    }

    private static List<String> scores(ReplicaNode node, String query) {
        List<String> scores = new ArrayList<>();
        node.search(words(query), BOOKS)
                .hits()
                .forEach(hit -> scores.add(hit.chunk().document().source() + " " + hit.score()));
        return scores;
    }

    private static void described(ReplicaNode node, String source, String title, String foundBy) {
        StoredDocument now = await(node.fresh().find(BOOKS, source)).orElseThrow();
        await(node.store()
                        .describe(
                                List.of(BOOKS),
                                now.id(),
                                new DocumentDescription(title, Json.object(), AllowedReaders.ALL, foundBy)))
                .orElseThrow();
    }

    private static String title(ReplicaNode node, String source) {
        return await(node.fresh().find(BOOKS, source)).orElseThrow().title();
    }

    private static void found(ReplicaNode node, String query, String... sources) {
        assertEquals(List.of(sources), ReplicatedStoreTest.sources(node, query, BOOKS), query);
    }

    @Test
    void documentsThatArriveDuringABuildAreWrittenOnce() throws IOException {
        try (ReplicaNode writer = new ReplicaNode(postgres, "arriving", folder.resolve("writer")).joined()) {
            await(writer.store().put(BOOKS, document("first", "A heron on the first stone")));
            // Of a newer version for a while: the build has begun, and reads nothing yet.
            sql(
                    "arriving",
                    "CREATE TABLE $.kept AS SELECT vectors FROM $.document; UPDATE $.document SET vectors = '\\x63'");
            try (ReplicaNode built = new ReplicaNode(postgres, "arriving", folder.resolve("built")).joined()) {
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> built.store().starting().orElse("").contains("0 of 1 documents"),
                        () -> built.store().starting().orElse("ready"));
                for (int i = 0; i < CHANGED; i++) {
                    await(writer.store().put(BOOKS, document("s" + i, "A heron and a walrus, number " + i)));
                }
                sql("arriving", "UPDATE $.document d SET vectors = k.vectors FROM $.kept k WHERE d.vectors = '\\x63'");
                built.complete();
                assertEquals(CHANGED + 1, scores(built, "heron").size());
                assertEquals(1, segments("built"), "nothing was written after the only page of the build");
                assertEquals(scores(writer, "heron walrus"), scores(built, "heron walrus"));
            }
        }
    }

    /** Each kind of change is followed, also one that leaves most of the document as it was. */
    @Test
    void whatDiffersInOnePartOnlyIsFollowed() throws IOException {
        WordEmbedder embedder = new WordEmbedder();
        NamespaceEmbedders models = NamespaceEmbedders.all(ChunkEmbedders.of(Optional.of(embedder)));
        try (WireProxy wire = new WireProxy(postgres.port());
                ReplicaNode writer = new ReplicaNode(postgres, "parts", folder.resolve("one")).joined();
                ReplicaNode far = new ReplicaNode(postgres, wire.port(), "parts", folder.resolve("two"), Duration.ZERO)
                        .joined()) {
            for (int i = 0; i < CHANGED; i++) {
                await(writer.store().put(BOOKS, document("s" + i, "A heron, number " + i)));
            }
            assertEquals(CHANGED, scores(far, "heron").size());
            described(writer, "s0", "title of s0", "cormorant");
            found(far, "cormorant", "s0");
            described(writer, "s0", "title of s0", "pelican");
            found(far, "pelican", "s0");
            found(far, "cormorant");
            described(writer, "s1", "an albatross", "");
            assertEquals("an albatross", title(far, "s1"));
            assertEquals(
                    CHANGED,
                    await(writer.store().reindex(models, Lifetime.within(Duration.ofMinutes(5)), EmbedListener.NONE)));
            // Two changes of one document in one page, and in two: the second one brings nothing.
            wire.hold();
            described(writer, "s2", "once", "");
            described(writer, "s2", "twice", "");
            wire.release();
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> title(far, "s2").equals("twice"),
                    () -> "it follows: " + far.behind());
            far.complete();
            assertEquals(contents("one"), contents("two"));
            // The same vectors of the same model again, and others of it.
            StoredDocument now = await(writer.fresh().find(BOOKS, "s3")).orElseThrow();
            String place = " WHERE key = (SELECT key FROM $.change WHERE position = 4 LIMIT 1)";
            sql(
                    "parts",
                    "UPDATE $.document SET vectors = (SELECT d.vectors FROM $.document d JOIN $.change c"
                            + " ON d.key = c.key WHERE c.position = 1)" + place);
            described(writer, "s3", now.title(), "");
            far.complete();
            try (ReplicaNode anew = new ReplicaNode(postgres, "parts", folder.resolve("three")).joined()) {
                anew.complete();
                assertEquals(contents("three"), contents("one"));
                assertEquals(contents("three"), contents("two"));
            }
        }
    }

    private List<String> contents(String node) {
        return IndexContents.of(folder.resolve(node)).values().iterator().next();
    }
}
