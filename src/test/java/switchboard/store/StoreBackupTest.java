package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;
import static switchboard.store.StoreFixture.doc;
import static switchboard.store.StoreFixture.vectorDoc;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.testing.ObservedFiles;
import switchboard.testing.logs.AsksForErrors;

@ExtendWith(VertxExtension.class)
class StoreBackupTest {
    private static final Namespace OTHER = Namespace.of("other");

    @TempDir
    Path folder;

    private StoreFixture fixture;

    @BeforeEach
    void open(Vertx vertx) {
        fixture = new StoreFixture(vertx, folder.resolve("store"));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void aBackupWhileWritingHoldsAllThatWasAcknowledged() throws IOException {
        IntStream.range(0, 20).forEach(i -> fixture.put(BOOKS, doc("s" + i, "before")));
        fixture.put(OTHER, doc("o", "before"));
        List<Future<PutResult>> during = IntStream.range(0, 100)
                .mapToObj(i -> fixture.store().put(BOOKS, doc("s" + i % 50, "during")))
                .toList();
        Path target = folder.resolve("backup");
        assertEquals(2, await(fixture.store().backup(target)));
        await(Future.all(during));
        IntStream.range(0, 20).forEach(i -> fixture.put(BOOKS, doc("s" + i, "after")));
        try (StoreFixture restored = new StoreFixture(fixture.vertx, target)) {
            assertEquals(List.of(BOOKS, OTHER), restored.store().namespaces());
            assertEquals(0, restored.search("after", BOOKS).hits().size());
            long found = await(restored.store()
                            .list(new ListRequest(
                                    List.of(BOOKS), new Filter.All(), ListRequest.Order.BY_SOURCE, 0, 100)))
                    .total();
            assertTrue(found >= 20, found + " documents");
            await(restored.store().check()).forEach(check -> assertEquals(List.of(), check.problems()));
            restored.put(BOOKS, doc("new", "it takes writes"));
        }
        assertThrows(ToolException.class, () -> await(fixture.store().backup(target)));
    }

    /** {@code path} and all that is below it. */
    private static Set<Path> tree(Path path) throws IOException {
        try (Stream<Path> all = Files.walk(path)) {
            return all.collect(Collectors.toSet());
        }
    }

    @Test
    void eachFileAndFolderOfABackupIsOnTheDiskBeforeItHasItsName() throws IOException {
        fixture.put(BOOKS, doc("s", "text"));
        fixture.put(OTHER, doc("s", "text"));
        fixture.closeStore();
        ObservedFiles files = new ObservedFiles();
        Path target = folder.resolve("backup");
        try (StoreFolder opened = StoreFolder.open(folder.resolve("store"), FSDirectory::open)) {
            assertEquals(2, opened.backup().backup(files.path(target)));
        }
        Path unfinished = folder.resolve("backup.unfinished");
        assertFalse(Files.exists(unfinished));
        List<Path> forced = files.forced();
        assertEquals(folder, forced.getLast(), "the name comes last");
        Set<Path> copied = forced.stream()
                .filter(path -> path.startsWith(unfinished))
                .map(path -> target.resolve(unfinished.relativize(path)))
                .collect(Collectors.toSet());
        assertEquals(tree(target), copied);
    }

    @Test
    void aBackupThatFailsLeavesNothing() throws IOException {
        fixture.put(BOOKS, doc("s", "text"));
        try (Stream<Path> files = Files.walk(folder.resolve("store"))) {
            for (Path file : files.filter(path -> path.endsWith(NamespaceCatalog.NAME_FILE))
                    .toList()) {
                Files.delete(file);
            }
        }
        assertThrows(ToolException.class, () -> await(fixture.store().backup(folder.resolve("backup"))));
        assertFalse(Files.exists(folder.resolve("backup")));
        assertFalse(Files.exists(folder.resolve("backup.unfinished")));
    }

    @Test
    void whatAnInterruptedBackupLeftIsReplaced() throws IOException {
        fixture.put(BOOKS, doc("s", "text"));
        Path target = folder.resolve("backup");
        Path left = Files.createDirectories(folder.resolve("backup.unfinished").resolve("spaces/half"));
        Files.writeString(left.resolve("space.json"), "{}");
        Files.writeString(folder.resolve("backup.unfinished").resolve("format"), "99");
        assertEquals(1, await(fixture.store().backup(target)));
        assertFalse(Files.exists(folder.resolve("backup.unfinished")));
        try (StoreFixture restored = new StoreFixture(fixture.vertx, target)) {
            assertEquals(List.of(BOOKS), restored.store().namespaces());
        }
    }

    @Test
    void aBackupHoldsNoFilesOnceItIsMade() throws IOException {
        fixture.put(BOOKS, doc("s", "text"));
        for (int i = 0; i < 3; i++) {
            await(fixture.store().backup(folder.resolve("backup" + i)));
            fixture.put(BOOKS, doc("s", "text " + i));
        }
        Path index = folder.resolve("store/spaces")
                .resolve(NamespaceCatalog.folderName(BOOKS))
                .resolve("index");
        assertEquals(
                1,
                tree(index).stream()
                        .filter(file -> file.getFileName().toString().startsWith("segments_"))
                        .count(),
                "older commits are gone");
    }

    @Test
    void aSoundStoreChecksOutAndServesOn() {
        assertEquals(List.of(), await(fixture.store().check()));
        fixture.put(BOOKS, vectorDoc("s", "text", 1, 0));
        fixture.put(BOOKS, doc("gone", "text"));
        fixture.put(BOOKS, doc("gone", "again"));
        NamespaceCheck check = await(fixture.store().check()).get(0);
        assertEquals(new NamespaceCheck(BOOKS, 2, List.of()), check);
        fixture.put(BOOKS, doc("t", "text"));
        assertEquals(2, fixture.search("text", BOOKS).hits().size());
    }

    @Test
    void aDamagedSpaceIsFoundNamedAndKeptApartFromTheOthers() throws IOException {
        fixture.put(BOOKS, doc("s", "text"));
        fixture.put(OTHER, doc("s", "text"));
        fixture.closeStore();
        Path index = folder.resolve("store/spaces")
                .resolve(NamespaceCatalog.folderName(BOOKS))
                .resolve("index");
        try (Stream<Path> files = Files.list(index)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".cfs")).toList()) {
                try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                    bytes.setLength(bytes.length() / 2);
                }
            }
        }
        List<NamespaceCheck> checks = await(fixture.store().check());
        assertFalse(checks.get(0).problems().isEmpty());
        assertEquals(List.of(), checks.get(1).problems());
        ToolException refused = assertThrows(ToolException.class, () -> fixture.search("text", BOOKS));
        assertEquals(FailureKind.UNAVAILABLE, refused.failed().kind());
        assertTrue(refused.getMessage().contains("damaged"), refused.getMessage());
        assertEquals(1, fixture.search("text", OTHER).hits().size());
        SearchResult both = fixture.search("text", BOOKS, OTHER);
        assertEquals(1, both.hits().size(), "a damaged space is left out");
        assertEquals(List.of(BOOKS), both.unreadable());
        assertTrue(both.leftOut().orElseThrow().contains(BOOKS.name()), both::toString);
        assertTrue(await(fixture.store().drop(BOOKS)));
        fixture.put(BOOKS, doc("s", "text"));
        assertEquals(1, fixture.search("text", BOOKS).hits().size());
    }

    /** Its name is unknown, so it is named by its folder. */
    @Test
    @AsksForErrors("NamespaceCatalog - .*left unchanged")
    void aSpaceWhoseNameCanNotBeReadIsFoundAndKept() throws IOException {
        fixture.put(BOOKS, doc("s", "text"));
        fixture.put(OTHER, doc("s", "text"));
        fixture.closeStore();
        String home = NamespaceCatalog.folderName(BOOKS);
        Files.writeString(
                folder.resolve("store/spaces").resolve(home).resolve(NamespaceCatalog.NAME_FILE), "{\"owner\":");
        assertEquals(List.of(home), fixture.store().damaged());
        List<NamespaceCheck> checks = await(fixture.store().check());
        assertEquals(new NamespaceCheck(OTHER, 1, List.of()), checks.get(0));
        assertEquals(home, checks.get(1).namespace().name());
        assertTrue(checks.get(1).problems().getFirst().contains("damaged"), checks::toString);
        ToolException refused = assertThrows(ToolException.class, () -> fixture.put(BOOKS, doc("t", "text")));
        assertEquals(FailureKind.UNAVAILABLE, refused.failed().kind());
    }

    @Test
    void filesOfAnotherUserAreNotCalledDamaged() {
        ToolException refused = StoreFailures.of(new AccessDeniedException("/srv/space.json"), "Writing to books");
        assertEquals(
                "Writing to books failed: the gateway's user has no permission for its files."
                        + " Ask the operator to give them to that user (chown).",
                refused.failed().message());
    }

    @Test
    void anotherModelsVectorsAreMadeWhileTheStoreServes() {
        fixture.put(BOOKS, vectorDoc("a", "alpha", 1, 0));
        fixture.put(BOOKS, doc("b", "bravo"));
        fixture.put(OTHER, vectorDoc("c", "charlie", 0, 1));
        StoredDocument before = await(fixture.store().find(BOOKS, "a")).orElseThrow();
        List<Namespace> namespaces = List.of(BOOKS, OTHER);
        LetterEmbedder embedder = new LetterEmbedder();
        assertEquals(
                3,
                await(new Reindex(fixture.store(), ChunkEmbedders.of(Optional.of(embedder)), EmbedListener.NONE)
                        .run(namespaces)));
        assertEquals(
                0,
                await(new Reindex(fixture.store(), ChunkEmbedders.of(Optional.of(embedder)), EmbedListener.NONE)
                        .run(namespaces)));
        SearchResult near = fixture.search(new SearchRequest(
                "",
                Optional.of(new SearchRequest.QueryVector(embedder.model(), embedder.vector("bravo"))),
                namespaces,
                new Filter.All(),
                3,
                new Fusion.VectorOnly()));
        assertEquals(Optional.empty(), near.vectorsNotUsed());
        assertEquals("b", near.hits().get(0).chunk().document().source());
        StoredDocument after = await(fixture.store().find(BOOKS, "a")).orElseThrow();
        assertEquals(before.withModel(embedder.model()), after);
        assertEquals(
                "alpha",
                await(fixture.store().read(namespaces, before.id()))
                        .orElseThrow()
                        .text());
    }

    @Test
    void aReindexThatIsStoppedGoesOnWhereItWas() {
        IntStream.range(0, 50).forEach(i -> fixture.put(BOOKS, doc("s" + i, "text " + i)));
        LetterEmbedder embedder = new LetterEmbedder();
        int first = await(new Reindex(fixture.store(), ChunkEmbedders.of(Optional.of(embedder)), new EmbedListener() {
                    private volatile int done;

                    @Override
                    public void embedded(int count) {
                        done = count;
                    }

                    @Override
                    public boolean cancelled() {
                        return done >= 7;
                    }
                })
                .run(List.of(BOOKS)));
        assertEquals(7, first);
        assertEquals(
                43,
                await(new Reindex(fixture.store(), ChunkEmbedders.of(Optional.of(embedder)), EmbedListener.NONE)
                        .run(List.of(BOOKS))));
    }
}
