package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.await;
import static switchboard.store.StoreFixture.doc;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;

/** Many namespaces stay open for reading, and few of them for writing. */
@ExtendWith(VertxExtension.class)
class OpenNamespacesTest {
    private static final int MANY = 100;

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger writers = new AtomicInteger();

    @TempDir
    Path folder;

    private StoreFixture fixture;

    @BeforeEach
    void open(Vertx vertx) {
        fixture = new StoreFixture(vertx, StoreSettings.of(folder, "test"));
        fixture.open(place -> {
            opened.incrementAndGet();
            return new CountedWriters(place);
        });
    }

    @AfterEach
    void close() {
        fixture.close();
        assertEquals(0, writers.get(), "writers of a closed store");
    }

    /** A directory whose lock for writing is counted. */
    private final class CountedWriters extends FilterDirectory {
        CountedWriters(Path place) throws IOException {
            super(FSDirectory.open(place));
        }

        @Override
        public Lock obtainLock(String name) throws IOException {
            Lock lock = super.obtainLock(name);
            writers.incrementAndGet();
            return new Lock() {
                @Override
                public void close() throws IOException {
                    writers.decrementAndGet();
                    lock.close();
                }

                @Override
                public void ensureValid() throws IOException {
                    lock.ensureValid();
                }
            };
        }
    }

    private void write(String source) {
        List<Future<PutResult>> writes = IntStream.range(0, MANY)
                .mapToObj(i -> fixture.store().put(space(i), doc(source, "common " + source + " " + (1000 + i))))
                .toList();
        await(Future.all(writes));
    }

    private static Namespace space(int i) {
        return Namespace.of("space " + i);
    }

    @Test
    void aSearchOverManyOpensEachOnce() {
        write("first");
        Eventually.that(() -> writers.get() <= NamespaceCatalog.MAX_WRITERS, () -> writers + " open for writing");
        Namespace[] all = fixture.store().namespaces().toArray(Namespace[]::new);
        assertEquals(10, fixture.search("common", all).hits().size());
        int before = opened.get();
        for (int i = 0; i < MANY; i++) {
            assertEquals(
                    1, fixture.search(Integer.toString(1000 + i), all).hits().size());
        }
        assertEquals(before, opened.get(), "opened again by a search");
        assertEquals(MANY, fixture.meters.get(MetricNames.STORE_OPEN).gauge().value());
    }

    @Test
    void whatIsClosedForWritingIsWrittenToAndReadAsBefore() {
        write("first");
        write("second");
        write("third");
        assertTrue(writers.get() < MANY);
        for (int i = 0; i < MANY; i++) {
            assertEquals(
                    List.of("first", "second", "third"),
                    fixture.sources(fixture.search("common", space(i))).stream()
                            .sorted()
                            .toList());
        }
        fixture.store().drop(space(7)).await();
        Namespace[] rest = fixture.store().namespaces().toArray(Namespace[]::new);
        assertEquals(MANY - 1, rest.length);
        assertEquals(0, fixture.search("1007", rest).hits().size());
        assertEquals(3, fixture.search("1008", rest).hits().size());
    }

    @Test
    void asManyAsMayStayOpenDoAndThoseAreTheLastUsed() throws IOException {
        NamespaceCatalog catalog = NamespaceCatalog.open(folder.resolve("catalog"), FSDirectory::open);
        long[] lastUse = {4, 1, 3, 2};
        for (int i = 0; i < lastUse.length; i++) {
            NamespaceIndex index = catalog.make(space(i));
            index.writer();
            index.commit(CommitUserData.NONE);
            index.used(lastUse[i]);
        }
        catalog.trim(2, Long.MIN_VALUE);
        assertEquals(List.of(space(0), space(2)), open(catalog));
        catalog.trim(2, 4);
        assertEquals(List.of(space(0)), open(catalog), "the other has not been used for long enough");
        catalog.close();
    }

    private static List<Namespace> open(NamespaceCatalog catalog) {
        return catalog.indexes().stream()
                .filter(NamespaceIndex::isOpen)
                .map(NamespaceIndex::namespace)
                .toList();
    }

    @Test
    void namespacesThatAreUsedMeanwhileAreSortedAllTheSame() throws Exception {
        NamespaceCatalog catalog = NamespaceCatalog.open(folder.resolve("catalog"), FSDirectory::open);
        for (int i = 0; i < 2 * MANY; i++) {
            NamespaceIndex index = catalog.make(space(i));
            index.writer();
            index.commit(CommitUserData.NONE);
            index.acquire().orElseThrow().decRef();
        }
        AtomicBoolean over = new AtomicBoolean();
        Thread user = Thread.ofPlatform().start(() -> {
            for (long now = 0; !over.get(); now++) {
                for (NamespaceIndex index : catalog.indexes()) {
                    index.used(now % 2 == 0 ? now : -now);
                }
            }
        });
        try {
            for (int i = 0; i < 2_000; i++) {
                catalog.trim(StoreSettings.of(folder, "test").maxOpenNamespaces(), Long.MIN_VALUE);
            }
        } finally {
            over.set(true);
            user.join();
            catalog.close();
        }
    }
}
