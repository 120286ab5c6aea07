package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.sources;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
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
import switchboard.replica.StoreMove.MoveListener;
import switchboard.replica.StoreMove.MovedLibrary;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.StoreSettings;
import switchboard.testing.PostgresCluster;

/** Moves while a gateway changes the documents in the database. */
@Tag("engines")
class StoreMoveRacesTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private final Vertx vertx = Vertx.vertx();
    private ReplicaNode gateway;
    private LuceneDocumentStore local;

    @BeforeEach
    void start(TestInfo test) {
        String schema = test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
        gateway = new ReplicaNode(postgres, schema, folder.resolve("gateway")).joined();
        local = await(LuceneDocumentStore.open(
                vertx,
                new SimpleMeterRegistry(),
                Clock.systemUTC(),
                StoreSettings.of(folder.resolve("local"), "docs")));
    }

    @AfterEach
    void stop() {
        await(local.close());
        await(vertx.close());
        gateway.close();
    }

    /** Does {@code once} when the first document was compared, or was moved. */
    private record Once(Runnable atCompare, Runnable atMove, AtomicInteger calls, List<String> warnings)
            implements MoveListener {
        Once(Runnable atCompare, Runnable atMove) {
            this(atCompare, atMove, new AtomicInteger(), new ArrayList<>());
        }

        @Override
        public void warned(String message) {
            warnings.add(message);
        }

        @Override
        public void check() {}

        @Override
        public void compared(long done, Namespace library) {
            if (done == 1) {
                atCompare.run();
            }
        }

        @Override
        public void moved(long done, long total, Namespace library) {
            if (calls.getAndIncrement() == 0) {
                atMove.run();
            }
        }
    }

    private static final Runnable NOTHING = () -> {};
    private static final MoveListener QUIET = new Once(NOTHING, NOTHING);

    private List<MovedLibrary> toCluster(MoveListener listener) {
        return StoreMove.toCluster(local, gateway.cluster().documents(), "docs", listener);
    }

    private List<MovedLibrary> toLocal(MoveListener listener) {
        return StoreMove.toLocal(gateway.cluster().documents(), "docs", local, listener);
    }

    private static ToolReply.Failed refused(Runnable move) {
        return assertThrows(ToolException.class, move::run).failed();
    }

    @Test
    void whatAGatewayPutsMeanwhileIsNotReplaced() {
        await(local.put(BOOKS, document("a", "heron seal")));
        await(local.put(BOOKS, document("b", "heron seal")));
        ToolReply.Failed told = refused(() ->
                toCluster(new Once(() -> await(gateway.store().put(BOOKS, document("b", "heron walrus"))), NOTHING)));
        assertEquals(FailureKind.CONFLICT, told.kind());
        assertTrue(told.message().contains("has otherwise in books 1 document: b"), told::message);
        assertEquals(List.of("a", "b"), sources(gateway, "heron"));
        assertEquals(List.of("b"), sources(gateway, "walrus"));
        told = refused(() -> toCluster(QUIET));
        assertTrue(told.message().contains("other contents of 1 document: b in books"), told::message);
        String id = await(gateway.fresh().find(BOOKS, "b")).orElseThrow().id();
        await(gateway.store().delete(List.of(BOOKS), id));
        MovedLibrary moved = toCluster(QUIET).getFirst();
        assertEquals(2, moved.documents());
        assertEquals(1, moved.copied());
        assertEquals(List.of("a", "b"), sources(gateway, "seal"));
    }

    @Test
    void whatAGatewayChangesInTheSourceIsNoticed() {
        await(gateway.store().put(BOOKS, document("a", "heron one")));
        ToolReply.Failed told = refused(() ->
                toLocal(new Once(NOTHING, () -> await(gateway.store().put(BOOKS, document("late", "heron two"))))));
        assertEquals(FailureKind.CONFLICT, told.kind());
        assertTrue(told.message().contains("books was changed during the move"), told::message);
        MovedLibrary moved = toLocal(QUIET).getFirst();
        assertEquals(2, moved.documents());
        assertEquals(1, moved.copied());
        assertEquals(0, toCluster(QUIET).getFirst().copied());
        assertTrue(await(local.find(BOOKS, "late")).isPresent());
    }

    @Test
    void aChangeOfAnotherLibraryIsNoticedWhenever() {
        Namespace other = Namespace.of("zoo");
        await(gateway.store().put(BOOKS, document("a", "heron one")));
        await(gateway.store().put(other, document("z", "heron two")));
        ToolReply.Failed told = refused(() ->
                toLocal(atMoveOf(other, () -> await(gateway.store().put(BOOKS, document("late", "heron three"))))));
        assertTrue(told.message().startsWith("books was changed during the move"), told::message);
        told = refused(() -> toLocal(atMoveOf(
                other, () -> await(gateway.store().put(new Namespace("ann", "new"), document("n", "heron four"))))));
        assertTrue(told.message().startsWith("ann/new was changed during the move"), told::message);
        assertTrue(told.message().contains("--dir"), told::message);
        assertEquals(3, toLocal(QUIET).size());
    }

    private static MoveListener atMoveOf(Namespace library, Runnable work) {
        return new MoveListener() {
            @Override
            public void check() {}

            @Override
            public void compared(long done, Namespace one) {}

            @Override
            public void moved(long done, long total, Namespace one) {
                if (one.equals(library)) {
                    work.run();
                }
            }

            @Override
            public void warned(String message) {}
        };
    }

    @Test
    void whatOnlyTheTargetHasIsTold() {
        await(gateway.store().put(BOOKS, document("a", "heron one")));
        String id = await(gateway.store().put(BOOKS, document("gone\u001b", "heron two")))
                .document()
                .id();
        Namespace dropped = new Namespace("ann", "dropped");
        await(gateway.store().put(dropped, document("z", "heron three")));
        toLocal(QUIET);
        await(gateway.store().delete(List.of(BOOKS), id));
        await(gateway.store().drop(dropped));
        Once once = new Once(NOTHING, NOTHING);
        toLocal(once);
        assertEquals(2, once.warnings().size(), () -> once.warnings().toString());
        assertTrue(once.warnings().getFirst().contains("1 documents, and they stay: gone\\u001b in books."));
        assertTrue(once.warnings().getLast().contains("libraries, and they stay: ann/dropped."));
    }

    @Test
    void aMoveThatIsStoppedLeavesWhatItHas() {
        for (int i = 0; i < 100; i++) {
            await(local.put(BOOKS, document("s" + i, "heron " + i)));
        }
        assertThrows(
                CancellationException.class,
                () -> toCluster(new Once(NOTHING, () -> {
                    throw new CancellationException();
                })));
        int some = sources(gateway, "heron").size();
        assertTrue(some > 0 && some < 50, () -> some + " documents"); // a search finds 50 at most
        assertEquals(100 - some, toCluster(QUIET).getFirst().copied());
    }
}
