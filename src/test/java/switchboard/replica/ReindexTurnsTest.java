package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.store.ChunkEmbedders;
import switchboard.store.Namespace;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NewDocument;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.WordEmbedder;

/** Of several nodes one at a time computes new vectors of a library. */
@Tag("engines")
class ReindexTurnsTest {
    private static final Lifetime LONG = Lifetime.within(Duration.ofHours(1));
    private static final int DOCUMENTS = 5;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private String schema = "";
    private ReplicaNode one;
    private ReplicaNode two;
    private final Promise<Void> gate = Promise.promise();
    private final WordEmbedder held = new WordEmbedder();
    private final WordEmbedder free = new WordEmbedder();

    @BeforeEach
    void start(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        one = new ReplicaNode(postgres, schema, folder.resolve("one")).joined();
        two = new ReplicaNode(postgres, schema, folder.resolve("two")).joined();
        for (int i = 0; i < DOCUMENTS; i++) {
            await(one.store().put(BOOKS, document("d" + i, "heron number " + i)));
        }
        two.fresh();
        held.waitFor(gate.future());
    }

    @AfterEach
    void stop() {
        gate.tryComplete();
        one.close();
        two.close();
    }

    private static Future<Integer> reindex(ReplicaNode node, WordEmbedder embedder, Lifetime lifetime) {
        return node.store()
                .reindex(
                        NamespaceEmbedders.all(ChunkEmbedders.of(Optional.of(embedder))), lifetime, EmbedListener.NONE);
    }

    /** Nothing is lacking of it. */
    private static NewDocument embedded(String source) {
        NewDocument document = document(source, "an owl");
        return new NewDocument(document.details(), document.text(), "words-64", document.chunks());
    }

    private String sql(String query) {
        return postgres.sql(query.replace("$", schema)).strip();
    }

    /** The node has the turn, and waits for its first vectors. */
    private Future<Integer> begun(ReplicaNode node) {
        Future<Integer> run = reindex(node, held, LONG);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> sql("SELECT count(*) FROM $.job WHERE backend = 'docs:reindex' AND until > clock_timestamp()")
                        .equals("1"),
                () -> "it has its turn");
        return run;
    }

    @Test
    void theOtherWaitsAndFindsNothingLeft() {
        Future<Integer> first = begun(one);
        ToolException busy = assertThrows(
                ToolException.class, () -> await(reindex(two, free, Lifetime.within(Duration.ofMillis(100)))));
        assertEquals(FailureKind.CONFLICT, busy.failed().kind());
        Future<Integer> second = reindex(two, free, LONG);
        Future<Integer> besides = reindex(one, free, LONG);
        // Other work on the library goes on, also work that only one node at a time does.
        await(two.store().alone(BOOKS, LONG, turn -> turn.store().put(BOOKS, embedded("besides"))));
        await(two.store().put(Namespace.of("other"), embedded("x")));
        assertFalse(first.isComplete() || second.isComplete() || besides.isComplete());
        gate.complete();
        assertEquals(DOCUMENTS, await(first));
        assertEquals(0, await(second));
        assertEquals(0, await(besides));
        assertEquals(DOCUMENTS, held.embedded());
        assertEquals(0, free.embedded());
        assertEquals("" + DOCUMENTS, sql("SELECT count(*) FROM $.change WHERE kind = 'reindex'"));
        assertEquals("0", sql("SELECT count(*) FROM $.job WHERE until > clock_timestamp()"), "no turn is left");
    }

    /** As after a pause of the process that is longer than its lease. */
    @Test
    void whoseTurnIsOverWritesNothingAndTheOtherGoesOn() {
        Future<Integer> first = begun(one);
        // The first one can't renew it any more, as a paused process.
        sql("UPDATE $.job SET until = clock_timestamp() - interval '1 second', fence = fence - 1000");
        assertEquals(DOCUMENTS, await(reindex(two, free, LONG)));
        String written = sql("SELECT position, operation FROM $.library WHERE live");
        gate.complete();
        ToolException over = assertThrows(ToolException.class, () -> await(first));
        assertEquals(FailureKind.UNAVAILABLE, over.failed().kind());
        assertTrue(over.failed().message().contains("did not answer for a while"), over.failed()::message);
        assertEquals(written, sql("SELECT position, operation FROM $.library WHERE live"));
        assertEquals(0, await(reindex(one, free, LONG)));
        assertEquals(DOCUMENTS, free.embedded());
    }

    @Test
    void aRunThatIsCancelledLetsTheOtherGoOn() {
        AtomicInteger done = new AtomicInteger();
        Future<Integer> first = one.store()
                .reindex(NamespaceEmbedders.all(ChunkEmbedders.of(Optional.of(free))), LONG, new EmbedListener() {
                    @Override
                    public void embedded(int count) {
                        done.set(count);
                    }

                    @Override
                    public boolean cancelled() {
                        return done.get() == 2;
                    }
                });
        assertEquals(2, await(first));
        assertEquals(DOCUMENTS - 2, await(reindex(two, free, LONG)));
        assertEquals(DOCUMENTS, free.embedded());
    }

    @Test
    void aFailureEndsTheTurn() {
        held.failWith("no model");
        gate.complete();
        assertThrows(ToolException.class, () -> await(reindex(one, held, LONG)));
        assertEquals(DOCUMENTS, await(reindex(two, free, LONG)));
    }
}
