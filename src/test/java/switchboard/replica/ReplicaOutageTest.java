package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.sources;
import static switchboard.replica.ReplicatedStoreTest.words;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.PutResult;
import switchboard.store.SearchResult;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.WireProxy;

/** The database goes, hangs, or breaks off in the middle of a commit. */
@Tag("engines")
class ReplicaOutageTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    /** What only the transactions of changes say. */
    private static final String A_CHANGE = "lock_timeout";

    @TempDir
    private Path folder;

    private WireProxy wire;
    private ReplicaNode near;
    private ReplicaNode far;
    private String schema = "";

    @BeforeEach
    void start(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        wire = new WireProxy(postgres.port());
        near = new ReplicaNode(postgres, schema, folder.resolve("near")).joined();
        far = new ReplicaNode(postgres, wire.port(), schema, folder.resolve("far"), Duration.ZERO).joined();
    }

    @AfterEach
    void stop() {
        wire.release();
        far.close();
        wire.close();
        near.close();
    }

    private static ToolReply.Failed failed(Future<?> future) {
        return assertThrows(ToolException.class, () -> await(future)).failed();
    }

    private static Optional<String> note(ReplicaNode node) {
        SearchResult found = node.search(words("heron"), BOOKS);
        return found.shortened();
    }

    @Test
    void searchesGoOnWhileNothingArrives() {
        await(near.store().put(BOOKS, document("a", "heron one")));
        assertEquals(List.of("a"), sources(far, "heron"));
        assertEquals(Optional.empty(), note(far));
        wire.hold();
        await(near.store().put(BOOKS, document("b", "heron two")));
        long begin = System.nanoTime();
        assertEquals(List.of("a"), sources(far, "heron"));
        assertTrue(note(far).orElse("").contains("can't be reached: this is as of 20"), note(far)::toString);
        for (int i = 0; i < 10; i++) {
            assertEquals(List.of("a"), sources(far, "heron"));
        }
        assertTrue(
                System.nanoTime() - begin < Duration.ofSeconds(40).toNanos(),
                "each search waits a second at most, but the first");
        ToolReply.Failed refused = failed(far.store().put(BOOKS, document("c", "heron three")));
        assertEquals(FailureKind.UNAVAILABLE, refused.kind());
        assertTrue(refused.message().contains("nothing was changed"), refused::message);
        wire.release();
        Eventually.within(Eventually.OF_A_PROCESS, () -> note(far).isEmpty(), () -> "it can be reached: " + note(far));
        assertEquals(List.of("a", "b"), sources(far, "heron"));
        assertEquals(List.of("a", "b"), sources(near, "heron"), "what was refused was not made later");
    }

    @Test
    void aCommitWhoseAnswerIsLostIsFound() {
        await(far.store().put(BOOKS, document("first", "heron zero")));
        for (int round = 0; round < 3; round++) {
            wire.breakAt(A_CHANGE, "COMMIT", true);
            PutResult made = putUntilItBreaks("s" + round);
            assertEquals(
                    made.document().id(),
                    await(near.fresh().find(BOOKS, "s" + round)).orElseThrow().id());
        }
        assertEquals(4, sources(far, "heron").size());
    }

    /** A loaded machine may refuse a change before it comes as far as the commit; then it is made again. */
    private PutResult putUntilItBreaks(String source) {
        while (true) {
            try {
                PutResult made = await(far.store().put(BOOKS, document(source, "heron " + source)));
                assertTrue(wire.broke());
                return made;
            } catch (ToolException refused) {
                if (wire.broke()) {
                    throw refused;
                }
            }
        }
    }

    @Test
    void aCommitThatNeverArrivesIsToldAsSuch() {
        await(far.store().put(BOOKS, document("first", "heron zero")));
        wire.breakAt(A_CHANGE, "COMMIT", false);
        ToolReply.Failed refused = failed(far.store().put(BOOKS, document("lost", "heron one")));
        assertTrue(wire.broke());
        assertEquals(FailureKind.UNAVAILABLE, refused.kind());
        assertTrue(refused.message().contains("nothing was changed"), refused::message);
        assertEquals(List.of("first"), sources(near, "heron"));
        await(far.store().put(BOOKS, document("lost", "heron one")));
        assertEquals(List.of("first", "lost"), sources(near, "heron"));
    }

    @Test
    void aCrashOfTheDatabaseLosesNothingThatWasAcknowledged() {
        for (int i = 0; i < 5; i++) {
            await((i % 2 == 0 ? near : far).store().put(BOOKS, document("s" + i, "heron")));
        }
        List<Future<PutResult>> under = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            under.add((i % 2 == 0 ? near : far).store().put(BOOKS, document("u" + i, "heron")));
        }
        postgres.kill();
        try {
            assertTrue(sources(near, "heron").size() >= 5);
            assertFalse(note(near).isEmpty());
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failed(near.store().put(BOOKS, document("no", "heron"))).kind());
        } finally {
            postgres.restart();
        }
        List<String> acknowledged = new ArrayList<>();
        for (Future<PutResult> one : under) {
            try {
                acknowledged.add(await(one).document().source());
            } catch (ToolException e) {
                assertEquals(FailureKind.UNAVAILABLE, e.failed().kind());
            }
        }
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> note(near).isEmpty() && note(far).isEmpty(),
                () -> "both read the database again");
        List<String> now = sources(near, "heron");
        assertEquals(now, sources(far, "heron"));
        assertTrue(now.containsAll(acknowledged), () -> acknowledged + " in " + now);
        assertFalse(now.contains("no"));
    }

    @Test
    void aNodeThatStartsWithoutTheDatabaseAnswersLater() {
        await(near.store().put(BOOKS, document("a", "heron one")));
        wire.hold();
        try (ReplicaNode late = new ReplicaNode(postgres, wire.port(), schema, folder.resolve("late"), Duration.ZERO)) {
            assertEquals(FailureKind.UNAVAILABLE, failed(late.store().refresh()).kind());
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failed(late.store().put(BOOKS, document("b", "heron"))).kind());
            wire.release();
            late.joined();
            assertEquals(List.of("a"), sources(late, "heron"));
        }
    }

    @Test
    void freshnessSparesTheLook() {
        try (ReplicaNode relaxed =
                new ReplicaNode(postgres, wire.port(), schema, folder.resolve("relaxed"), Duration.ofMinutes(1))) {
            relaxed.joined();
            await(near.store().put(BOOKS, document("a", "heron one")));
            Eventually.within(
                    Eventually.OF_A_PROCESS, () -> sources(relaxed, "heron").size() == 1, () -> "it follows by itself");
            wire.hold();
            long begin = System.nanoTime();
            assertEquals(List.of("a"), sources(relaxed, "heron"));
            assertTrue(System.nanoTime() - begin < Duration.ofSeconds(1).toNanos(), "nobody was asked");
            wire.release();
        }
    }
}
