package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.sources;
import static switchboard.replica.ReplicatedStoreTest.words;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;
import switchboard.store.ReplicaState;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.WireProxy;

/** Files that are built at the start, or when they are first used, and what is told meanwhile. */
@Tag("engines")
class WarmLibrariesTest {
    private static final Namespace SMALL = Namespace.of("small");
    private static final Namespace LARGE = Namespace.of("large");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private ReplicaNode writer;
    private String schema = "";

    @BeforeEach
    void start(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        writer = new ReplicaNode(postgres, schema, folder.resolve("writer")).joined();
    }

    @AfterEach
    void stop() {
        writer.close();
    }

    private ReplicaNode node(String name, Predicate<String> warm) {
        return new ReplicaNode(postgres, postgres.port(), schema, folder.resolve(name), Duration.ZERO, warm).joined();
    }

    private String sql(String query) {
        return postgres.sql(query.replace("$", schema));
    }

    private static void ready(ReplicaNode node) {
        Eventually.within(Eventually.OF_A_PROCESS, () -> node.store().starting().isEmpty(), () -> node.store()
                .starting()
                .orElse(""));
    }

    private static ReplicaState state(ReplicaNode node, Namespace library) {
        return node.store().following().stream()
                .filter(one -> one.namespace().equals(library))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void othersAreBuiltWhenTheyAreFirstUsedAndFollowFromThenOn() {
        await(writer.store().put(SMALL, document("a", "heron one")));
        await(writer.store().put(LARGE, document("b", "heron two")));
        try (ReplicaNode node = node("some", "small"::equals)) {
            ready(node);
            assertEquals(List.of(LARGE, SMALL), node.fresh().namespaces(), "they are known");
            assertEquals(
                    "has all changes of the shared database, 1",
                    state(node, SMALL).words());
            String unused = "no files yet: the first call that uses it builds them (warm)";
            await(writer.store().put(LARGE, document("c", "heron three")));
            assertEquals(List.of("a"), sources(node, "heron", SMALL));
            assertEquals(unused, state(node, LARGE).words());
            assertEquals(0, node.behind(), "what nobody uses is not late");
            assertEquals(0, node.late());

            assertEquals(List.of("b", "c"), sources(node, "heron", LARGE));
            await(writer.store().put(LARGE, document("d", "heron four")));
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> state(node, LARGE).position() == 3,
                    () -> "it follows without being asked: " + state(node, LARGE));
            // A start does not forget that it was used.
            node.restart(() -> await(writer.store().put(LARGE, document("e", "heron five"))));
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> node.store().following().size() == 2
                            && state(node, LARGE).position() == 4,
                    () -> node.store().following().toString());
            assertTrue(await(writer.store().drop(LARGE)));
            assertEquals(List.of(SMALL), node.fresh().namespaces());
        }
        try (ReplicaNode node = node("none", _ -> false)) {
            ready(node);
            await(node.store().put(LARGE, document("own", "heron six")));
            assertEquals(List.of("a", "own"), sources(node, "heron"));
        }
    }

    /** Each document is read alone, and the last one is of a newer version for a while. */
    @Test
    void whatIsBeingBuiltIsSaidWithItsProgress() {
        await(writer.store().put(SMALL, document("a", "heron one")));
        for (int i = 0; i < 3; i++) {
            await(writer.store().put(LARGE, document("s" + i, "heron " + "x".repeat(3 << 20))));
        }
        String last = " WHERE key = (SELECT max(d.key) FROM $.document d JOIN $.library l ON l.id = d.library"
                + " WHERE l.name = 'large')";
        sql("CREATE TABLE $.kept AS SELECT vectors FROM $.document" + last
                + "; UPDATE $.document SET vectors = '\\x63'"
                + last);
        try (ReplicaNode node = node("late", _ -> true)) {
            String built = "large: 2 of 3 documents";
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> node.store()
                            .starting()
                            .orElse("")
                            .equals(
                                    "builds its files from the shared database: 1 of 2 libraries left, 2 of 3 documents"),
                    () -> node.store().starting().orElse("ready"));
            ToolReply.Failed refused = failed(node.fresh().search(words("heron").in(List.of(LARGE))));
            assertEquals(FailureKind.UNAVAILABLE, refused.kind());
            assertTrue(refused.message().contains("(" + built + "). Try again in a moment"), refused::message);
            assertEquals(List.of("a"), sources(node, "heron"));
            String note = node.search(words("heron")).shortened().orElse("");
            assertTrue(note.endsWith("still building its files: " + built + "."), note);
            assertTrue(await(node.store().stats(List.of(LARGE)))
                    .getFirst()
                    .damage()
                    .contains("2 of 3 documents"));

            DocumentStore bob = node.store().seenBy(new DocumentAccess.ForReaders(Set.of("user:bob")));
            refused = failed(bob.list(ReplicatedStoreTest.page(LARGE)));
            assertTrue(refused.message().contains("(large: 66 %)"), refused::message);

            assertEquals(
                    "its files are being built: 2 of 3 documents",
                    state(node, LARGE).words());
            assertEquals(3, node.behind());
            Eventually.within(Eventually.OF_A_PROCESS, () -> node.late() > 0.01, () -> "late: " + node.late());

            sql("UPDATE $.document SET vectors = (SELECT vectors FROM $.kept)" + last);
            ready(node);
            assertEquals(4, sources(node, "heron").size());
            assertEquals(Optional.empty(), node.search(words("heron")).shortened());
            assertEquals(0, node.behind());
            assertEquals(0, node.late());
        }
    }

    private static ToolReply.Failed failed(Future<?> future) {
        return assertThrows(ToolException.class, () -> await(future)).failed();
    }

    @Test
    void aDatabaseThatIsAwayMakesFilesLate() {
        await(writer.store().put(SMALL, document("a", "heron one")));
        try (WireProxy wire = new WireProxy(postgres.port());
                ReplicaNode node =
                        new ReplicaNode(postgres, wire.port(), schema, folder.resolve("far"), Duration.ZERO).joined()) {
            assertEquals(List.of("a"), sources(node, "heron"));
            Eventually.within(Eventually.OF_A_PROCESS, () -> node.late() == 0, () -> "late: " + node.late());
            wire.hold();
            try (ReplicaNode unread =
                    new ReplicaNode(postgres, wire.port(), schema, folder.resolve("unread"), Duration.ZERO)) {
                assertTrue(Double.isNaN(unread.late()), "nobody knows yet");
                wire.release();
                unread.joined();
                Eventually.within(Eventually.OF_A_PROCESS, () -> unread.late() == 0, () -> "late: " + unread.late());
            }
            wire.hold();
            await(writer.store().put(SMALL, document("b", "heron two")));
            assertEquals(List.of("a"), sources(node, "heron"));
            Eventually.within(Eventually.OF_A_PROCESS, () -> node.late() > 1, () -> "late: " + node.late());
            assertFalse(node.search(words("heron")).shortened().isEmpty());
            wire.release();
            Eventually.within(Eventually.OF_A_PROCESS, () -> node.late() == 0, () -> "late: " + node.late());
            assertEquals(List.of("a", "b"), sources(node, "heron"));
        }
    }
}
