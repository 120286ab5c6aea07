package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;
import static switchboard.store.StoreFixture.doc;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.concurrent.TeamShare;
import switchboard.telemetry.MetricNames;
import switchboard.testing.Eventually;
import switchboard.testing.logs.AsksForErrors;

@ExtendWith(VertxExtension.class)
class DocumentStoreTest {
    private static final Namespace LETTERS = Namespace.of("Briefe & größere Sachen/..\\: 手紙");

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

    private LuceneDocumentStore store() {
        return fixture.store();
    }

    private String text(Namespace namespace, String id) {
        return await(store().read(List.of(namespace), id)).orElseThrow().text();
    }

    private List<String> listed(Filter filter, Namespace... namespaces) {
        return await(store().list(new ListRequest(List.of(namespaces), filter, ListRequest.Order.BY_SOURCE, 0, 1000)))
                .documents()
                .stream()
                .map(StoredDocument::source)
                .toList();
    }

    @Test
    void aPartOfATextHasUpTo200Characters() {
        fixture.put(BOOKS, doc("a".repeat(300), "apples"));
        assertEquals(
                1, listed(new Filter.Contains("source", "a".repeat(200)), BOOKS).size());
        assertThrows(ToolException.class, () -> listed(new Filter.Contains("source", "a".repeat(201)), BOOKS));
    }

    @Test
    void aVectorHasLengthOneAndUpTo4096Dimensions() {
        float[] longest = new float[4096];
        longest[4095] = 1;
        fixture.put(BOOKS, StoreFixture.vectorDoc("longest", "text", longest));
        fixture.put(BOOKS, StoreFixture.vectorDoc("rounded", "text", 0.995f));
        float[] tooLong = new float[4097];
        tooLong[4096] = 1;
        for (float[] wrong : List.of(tooLong, new float[] {0.99f}, new float[] {1.01f}, new float[] {Float.NaN})) {
            NewDocument refused = StoreFixture.vectorDoc("wrong", "text", wrong);
            ToolException refusal = assertThrows(ToolException.class, () -> fixture.put(BOOKS, refused));
            assertEquals(FailureKind.INVALID_ARGUMENT, refusal.failed().kind());
        }
        assertEquals(List.of("longest", "rounded"), listed(new Filter.All(), BOOKS));
    }

    @Test
    void anEmptyStoreAnswersEverything() {
        assertEquals(List.of(), store().namespaces());
        assertEquals(List.of(), fixture.search("anything").hits());
        assertEquals(List.of(), fixture.search("anything", BOOKS).hits());
        assertEquals(Optional.empty(), await(store().find(BOOKS, "x")));
        assertEquals(Optional.empty(), await(store().read(List.of(BOOKS), "no id")));
        assertEquals(Optional.empty(), await(store().delete(List.of(BOOKS), DocumentIds.next(BOOKS))));
        assertEquals(List.of(), listed(new Filter.All(), BOOKS));
        assertEquals(List.of(), await(store().stats(List.of(BOOKS))));
        assertFalse(await(store().drop(BOOKS)));
    }

    @AsksForErrors("NamespaceCatalog - .*left unchanged")
    @Test
    void aSpaceWhoseNameIsDamagedKeepsNoOtherFromBeingServed() throws IOException {
        fixture.put(BOOKS, doc("a", "apples"));
        fixture.put(Namespace.of("broken"), doc("b", "pears"));
        fixture.closeStore();
        Path broken = folder.resolve("store/spaces").resolve(NamespaceCatalog.folderName(Namespace.of("broken")));
        Files.write(broken.resolve("space.json"), new byte[0]);
        assertEquals(List.of(BOOKS), store().namespaces());
        assertEquals(List.of("a"), listed(new Filter.All(), BOOKS));
        assertThrows(ToolException.class, () -> fixture.put(Namespace.of("broken"), doc("c", "plums")));
        assertTrue(Files.exists(broken.resolve("index")));
    }

    @Test
    void searchesOverSeveralSpacesDoNotNoticeThatOneIsRemoved() throws Exception {
        Namespace passing = Namespace.of("passing");
        fixture.put(BOOKS, doc("a", "apples"));
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            java.util.concurrent.Future<Integer> reader = threads.submit(() -> {
                int searches = 0;
                for (; !over.get(); searches++) {
                    assertEquals(
                            1, fixture.search("apples", BOOKS, passing).hits().size());
                }
                return searches;
            });
            try {
                for (int i = 0; i < 40; i++) {
                    fixture.put(passing, doc("b", "pears"));
                    assertTrue(await(store().drop(passing)));
                }
            } finally {
                over.set(true);
            }
            assertTrue(reader.get() > 0);
        }
    }

    @Test
    void aDocumentComesBackAsItWasPut() {
        ObjectNode metadata = Json.object().put("author", "Åsa").put("n", 3);
        String text = "Titel\n\nErster Absatz 🙂.\r\nZweiter\0Absatz.";
        NewDocument document = new NewDocument(
                new DocumentDetails("/a/b.md", "Titel", "md", "2024-01-01T00:00:00Z", "abc", metadata),
                text,
                null,
                List.of(
                        Chunk.of(0, 6)
                                .onPages(List.of(1))
                                .below("Titel", "Titel")
                                .withLabels(Map.of("kind", "head")),
                        Chunk.of(6, text.length())
                                .onPages(List.of(1, 2, 4))
                                .below("Titel > Eins", "")
                                .withColumns("Spalte\n")));
        StoredDocument put = fixture.put(LETTERS, document).document();
        fixture.reopen();
        DocumentText got = await(store().read(List.of(LETTERS), put.id())).orElseThrow();
        assertEquals(text, got.text());
        assertEquals(put, got.document());
        assertEquals(metadata, got.document().metadata());
        StoredChunk hit = fixture.search("absatz", LETTERS).hits().get(0).chunk();
        assertEquals("Spalte\n" + text.substring(6), hit.text());
        assertEquals(List.of(1, 2, 4), hit.pages());
        assertEquals("Titel > Eins", hit.headingPath());
        assertEquals(1, hit.index());
        assertEquals(
                Map.of("kind", "head"),
                await(store().chunks(List.of(LETTERS), new Filter.All(), 10))
                        .get(0)
                        .labels());
    }

    @Test
    void aLongTextIsKeptExactlyAndItsChunksAreRangesOfIt() {
        StringBuilder long1 = new StringBuilder();
        IntStream.range(0, 30_000)
                .forEach(i -> long1.append(i % 7 == 0 ? "𝔘" : "wort").append(i).append(' '));
        String text = long1.toString();
        List<Chunk> chunks = new ArrayList<>();
        for (int from = 0; from < text.length(); from += 1000) {
            chunks.add(Chunk.of(from, Math.min(text.length(), from + 1000)));
        }
        NewDocument document =
                new NewDocument(new DocumentDetails("long", "", "txt", null, "h", Json.object()), text, null, chunks);
        String id = fixture.put(BOOKS, document).document().id();
        assertEquals(text, text(BOOKS, id));
        for (StoredChunk chunk : await(store().chunks(List.of(BOOKS), new Filter.All(), 1000))) {
            assertEquals(text.substring(chunk.start(), chunk.end()), chunk.text());
        }
        String found = fixture.search("wort18001", BOOKS).hits().get(0).chunk().text();
        assertTrue(found.contains("wort18001"), found);
    }

    @Test
    void halfASurrogatePairDoesNoHarm() {
        ObjectNode metadata = Json.object().put("k", "x\uD800");
        String id = fixture.put(BOOKS, doc("s\uDC00", "a\uD83D b", metadata))
                .document()
                .id();
        assertEquals("a\uFFFD b", text(BOOKS, id));
        assertEquals(
                "s\uFFFD", await(store().get(List.of(BOOKS), id)).orElseThrow().source());
    }

    @Test
    void theSameSourceIsReplacedInItsSpaceOnly() {
        String first = fixture.put(BOOKS, doc("s", "old words")).document().id();
        fixture.put(LETTERS, doc("s", "old letter"));
        PutResult second = fixture.put(BOOKS, doc("s", "new words"));
        assertEquals(first, second.replaced().orElseThrow().id());
        assertNotEquals(first, second.document().id());
        assertEquals(Optional.empty(), await(store().read(List.of(BOOKS), first)));
        assertEquals(List.of(), fixture.search("old", BOOKS).hits());
        assertEquals(1, fixture.search("new", BOOKS).hits().size());
        assertEquals(1, fixture.search("old", LETTERS).hits().size());
        assertEquals(1, fixture.search("words", BOOKS).hits().size());
    }

    @Test
    void ownersSpacesOfOneNameAreApart() {
        Namespace mine = new Namespace("me", "books");
        fixture.put(BOOKS, doc("s", "shared secret"));
        String id = fixture.put(mine, doc("s", "private secret")).document().id();
        assertEquals(List.of("shared secret"), texts(fixture.search("secret", BOOKS)));
        assertEquals(List.of("private secret"), texts(fixture.search("secret", mine)));
        assertEquals(2, fixture.search("secret", BOOKS, mine).hits().size());
        assertEquals(Optional.empty(), await(store().read(List.of(BOOKS), id)));
        assertEquals(Optional.empty(), await(store().delete(List.of(BOOKS), id)));
    }

    private static List<String> texts(SearchResult result) {
        return result.hits().stream().map(hit -> hit.chunk().text()).toList();
    }

    @Test
    void everyWriteIsSeenByTheNextRead() {
        for (int i = 0; i < 30; i++) {
            String word = "x" + (char) ('a' + i / 20) + (char) ('a' + i % 20) + "x";
            String id = fixture.put(BOOKS, doc("s" + i % 3, word)).document().id();
            assertEquals(word, text(BOOKS, id));
            assertEquals(List.of("s" + i % 3), fixture.sources(fixture.search(word, BOOKS)));
            if (i % 5 == 4) {
                assertTrue(await(store().delete(List.of(BOOKS), id)).isPresent());
                assertEquals(List.of(), fixture.search(word, BOOKS).hits());
            }
        }
    }

    @Test
    void fiftyWritersShareCommits() {
        List<Future<PutResult>> writes = IntStream.range(0, 50)
                .mapToObj(i -> store().put(BOOKS, doc("s" + i, "text " + i)))
                .toList();
        await(Future.all(writes));
        assertEquals(50, listed(new Filter.All(), BOOKS).size());
        long commits = fixture.meters.get(MetricNames.STORE_COMMITS).timer().count();
        assertTrue(commits < 50, commits + " commits");
        fixture.reopen();
        assertEquals(50, listed(new Filter.All(), BOOKS).size());
        assertEquals(50, await(store().stats(List.of(BOOKS))).get(0).documents());
    }

    @Test
    void concurrentWritesOfOneSourceLeaveExactlyOne() {
        List<Future<PutResult>> writes = IntStream.range(0, 40)
                .mapToObj(i -> store().put(BOOKS, doc("s", "text " + i)))
                .toList();
        await(Future.all(writes));
        assertEquals(List.of("s"), listed(new Filter.All(), BOOKS));
        assertEquals(1, fixture.search("text", BOOKS).hits().size());
        assertEquals(1, await(store().stats(List.of(BOOKS))).get(0).chunks());
        long replaced = writes.stream()
                .filter(write -> write.result().replaced().isPresent())
                .count();
        assertEquals(39, replaced);
    }

    @Test
    void aWriteThatCannotBeKeptFailsAloneAndLeavesTheOldVersion() {
        fixture.put(BOOKS, doc("bad", "the old version"));
        ObjectNode metadata = Json.object().put("k".repeat(600), 1);
        Future<PutResult> bad = store().put(BOOKS, doc("bad", "the new version", metadata));
        Future<PutResult> good = store().put(BOOKS, doc("good", "fine"));
        assertEquals(FailureKind.INVALID_ARGUMENT, failure(bad).failed().kind());
        await(good);
        assertEquals(List.of("the old version"), texts(fixture.search("version", BOOKS)));
    }

    private static ToolException failure(Future<?> future) {
        return assertThrows(ToolException.class, () -> await(future));
    }

    @Test
    void moreWritesThanMayWaitAreRefused() {
        fixture.close();
        fixture = new StoreFixture(
                fixture.vertx,
                new StoreSettings(folder.resolve("small"), "t", 4, Duration.ofMinutes(1), 1, 3, TeamShare.ALL));
        List<Future<PutResult>> writes = IntStream.range(0, 60)
                .mapToObj(i -> store().put(BOOKS, doc("s" + i, "text")))
                .toList();
        await(Future.join(writes).otherwiseEmpty());
        long refused = writes.stream().filter(Future::failed).count();
        assertTrue(refused > 0 && refused < 60, refused + " refused");
        writes.stream()
                .filter(Future::failed)
                .forEach(write -> assertEquals(
                        FailureKind.OVERLOADED, failure(write).failed().kind()));
        assertEquals(60 - refused, listed(new Filter.All(), BOOKS).size());
        // Each that was done has left its place to another one.
        for (int i = 0; i < 20; i++) {
            fixture.put(BOOKS, doc("later" + i, "text"));
        }
        assertEquals(80 - refused, listed(new Filter.All(), BOOKS).size());
    }

    @Test
    void describingADocumentThatIsBeingReplacedNeverBringsTheOldTextBack() {
        String id = fixture.put(BOOKS, doc("s", "first")).document().id();
        ObjectNode metadata = Json.object().put("lang", "de");
        for (int round = 0; round < 20; round++) {
            String text = "text " + round;
            Future<PutResult> replaced = store().put(BOOKS, doc("s", text));
            Future<Optional<StoredDocument>> described = store().describe(
                            List.of(BOOKS), id, new DocumentDescription("Title", metadata, AllowedReaders.ALL, ""));
            Future<PutResult> other = store().put(BOOKS, doc("t", text));
            await(Future.all(replaced, described, other));
            id = await(store().find(BOOKS, "s")).orElseThrow().id();
            assertEquals(text, text(BOOKS, id));
            assertEquals(2, await(store().stats(List.of(BOOKS))).getFirst().documents());
        }
    }

    private double writing() {
        return fixture.meters
                .get(MetricNames.EXECUTOR_RUNNING)
                .tag("executor", "test-write")
                .gauge()
                .value();
    }

    /** The disk waits with the files of a commit, so that what is sent meanwhile forms the next ones together. */
    @Test
    void aDescriptionThatWaitsBehindTheReplacementOfItsDocumentLosesNothingOfIt() throws InterruptedException {
        AtomicBoolean slow = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        fixture.open(folder -> new FilterDirectory(FSDirectory.open(folder)) {
            @Override
            public void sync(Collection<String> names) throws IOException {
                try {
                    if (slow.get()) {
                        begun.countDown();
                        gate.await();
                    }
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
                super.sync(names);
            }
        });
        String id = fixture.put(BOOKS, doc("s", "first")).document().id();
        slow.set(true);
        Future<PutResult> held = store().put(BOOKS, doc("t", "holds the disk"));
        begun.await();
        Future<PutResult> replaced = store().put(BOOKS, doc("s", "second"));
        Eventually.that(() -> writing() == 1, () -> "the replacement waits");
        List<Future<Optional<StoredDocument>>> described = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            described.add(store().describe(
                            List.of(BOOKS),
                            id,
                            new DocumentDescription("Title", Json.object(), AllowedReaders.ALL, "")));
            LockSupport.parkNanos(1_000_000);
        }
        gate.countDown();
        await(Future.all(held, replaced));
        await(Future.all(described));
        assertEquals(Optional.empty(), described.getLast().result(), "there is no such document any more");
        String newer = await(store().find(BOOKS, "s")).orElseThrow().id();
        assertEquals("second", text(BOOKS, newer));
        NamespaceStats stats = await(store().stats(List.of(BOOKS))).getFirst();
        assertEquals(List.of(2L, 2L), List.of(stats.documents(), stats.chunks()));
    }

    @Test
    void theChunksOfADocumentAreCountedOnceHoweverOftenItIsReplaced() {
        NewDocument three = new NewDocument(
                doc("s", "").details(), "one two six", null, List.of(Chunk.of(0, 3), Chunk.of(4, 7), Chunk.of(8, 11)));
        fixture.put(BOOKS, three);
        fixture.put(BOOKS, doc("t", "text"));
        fixture.put(BOOKS, three);
        NamespaceStats stats = await(store().stats(List.of(BOOKS))).getFirst();
        assertEquals(List.of(2L, 4L), List.of(stats.documents(), stats.chunks()));
        fixture.put(BOOKS, doc("s", "text"));
        stats = await(store().stats(List.of(BOOKS))).getFirst();
        assertEquals(List.of(2L, 2L), List.of(stats.documents(), stats.chunks()));
        fixture.put(BOOKS, three);
        String id = await(store().find(BOOKS, "s")).orElseThrow().id();
        await(store().delete(List.of(BOOKS), id));
        fixture.reopen();
        stats = await(store().stats(List.of(BOOKS))).getFirst();
        assertEquals(List.of(1L, 1L), List.of(stats.documents(), stats.chunks()));
    }

    @Test
    void theOldIdOfADocumentThatIsBeingReplacedDeletesNothingNewer() {
        String id = fixture.put(BOOKS, doc("s", "first")).document().id();
        for (int round = 0; round < 20; round++) {
            String text = "text " + round;
            Future<PutResult> other = store().put(BOOKS, doc("t", text));
            Future<PutResult> replaced = store().put(BOOKS, doc("s", text));
            List<Future<?>> deleted = new ArrayList<>();
            // Some of them come before the new one, some share its commit, some come after it.
            while (!replaced.isComplete() && deleted.size() < 200) {
                deleted.add(store().delete(List.of(BOOKS), id));
                LockSupport.parkNanos(50_000);
            }
            await(Future.all(other, replaced));
            await(Future.all(deleted));
            id = await(store().find(BOOKS, "s")).orElseThrow().id();
            assertEquals(text, text(BOOKS, id));
            NamespaceStats stats = await(store().stats(List.of(BOOKS))).getFirst();
            assertEquals(List.of(2L, 2L), List.of(stats.documents(), stats.chunks()));
        }
    }

    @Test
    void theLastOfTwoDescriptionsStands() {
        fixture.put(BOOKS, doc("s", "first"));
        String id = await(store().find(BOOKS, "s")).orElseThrow().id();
        Future<PutResult> before = store().put(BOOKS, doc("t", "other"));
        Future<Optional<StoredDocument>> once = store().describe(
                        List.of(BOOKS),
                        id,
                        new DocumentDescription("One", Json.object().put("n", 1), AllowedReaders.ALL, ""));
        Future<Optional<StoredDocument>> twice = store().describe(
                        List.of(BOOKS),
                        id,
                        new DocumentDescription("Two", Json.object().put("n", 2), AllowedReaders.ALL, ""));
        await(Future.all(before, once, twice));
        assertEquals(List.of("s"), listed(Filter.equal("title", "Two"), BOOKS));
        assertEquals(List.of(), listed(Filter.equal("title", "One"), BOOKS));
        assertEquals("first", text(BOOKS, id));
        assertEquals(2, await(store().stats(List.of(BOOKS))).getFirst().documents());
    }

    @Test
    void describingKeepsIdTextChunksAndVectors() {
        NewDocument document = StoreFixture.vectorDoc("s", "some text", 0.6f, 0.8f);
        StoredDocument put = fixture.put(BOOKS, document).document();
        ObjectNode metadata = Json.object().put("lang", "de");
        StoredDocument described = await(store().describe(
                                List.of(BOOKS),
                                put.id(),
                                new DocumentDescription("Neu", metadata, AllowedReaders.ALL, "further words")))
                .orElseThrow();
        assertEquals(put.id(), described.id());
        assertEquals(put.createdAt(), described.createdAt());
        assertEquals("some text", text(BOOKS, put.id()));
        assertEquals(List.of("s"), listed(Filter.equal("metadata.lang", "de"), BOOKS));
        SearchResult near = fixture.search(new SearchRequest(
                "",
                Optional.of(new SearchRequest.QueryVector("m", new float[] {0.6f, 0.8f})),
                List.of(BOOKS),
                Filter.equal("title", "Neu"),
                5,
                new Fusion.VectorOnly()));
        assertEquals(1.0, near.hits().get(0).score(), 1e-6);
        SearchRequest further = new SearchRequest(
                "further", Optional.empty(), List.of(BOOKS), new Filter.All(), 5, new Fusion.KeywordOnly());
        assertEquals(List.of("s"), fixture.sources(fixture.search(further)));
        assertEquals(
                "some text", fixture.search(further).hits().getFirst().chunk().text());
        assertEquals(1, await(store().stats(List.of(BOOKS))).get(0).documents());
        assertEquals(
                Optional.empty(),
                await(store().describe(
                                List.of(LETTERS),
                                put.id(),
                                new DocumentDescription("x", metadata, AllowedReaders.ALL, ""))));
    }

    @Test
    void factsOfAllDocumentsAreTold() {
        String longest = "\u00e9".repeat(5000);
        fixture.put(BOOKS, titled("b", "Old", Json.object().put("tags", "z")));
        String kept =
                fixture.put(BOOKS, titled("a", "", Json.object())).document().id();
        fixture.put(BOOKS, titled("c", longest, Json.object().put("tags", 7).put("tagsmore", "no")));
        ObjectNode tags = Json.object();
        tags.putArray("tags").add("y").add("x").add("x");
        fixture.put(BOOKS, titled("b", "New", tags));
        fixture.put(LETTERS, titled("d", "elsewhere", tags));
        String gone = fixture.put(BOOKS, titled("e", "gone", tags)).document().id();
        await(store().delete(List.of(BOOKS), gone));
        Map<String, MetadataRow> told = await(store().facts(
                        BOOKS,
                        Set.of("title", "metadata.tags", "metadata.none"),
                        Collectors.toMap(MetadataRow::source, one -> one)));
        assertEquals(Set.of("a", "b", "c"), told.keySet());
        assertEquals(kept, told.get("a").id());
        assertEquals("", told.get("a").one("title"));
        assertEquals(List.of(), told.get("a").all("metadata.tags"));
        assertEquals("New", told.get("b").one("title"));
        assertEquals(List.of("x", "y"), told.get("b").all("metadata.tags"));
        assertEquals(List.of(), told.get("b").all("metadata.none"));
        assertEquals("\u00e9".repeat(2048), told.get("c").one("title"));
        assertEquals(List.of(), told.get("c").all("metadata.tags"));
        assertEquals(0, await(store().facts(Namespace.of("nowhere"), Set.of(), Collectors.counting())));
    }

    private static NewDocument titled(String source, String title, ObjectNode metadata) {
        return new NewDocument(
                new DocumentDetails(source, title, "md", null, "h", metadata), "text", null, List.of(Chunk.of(0, 4)));
    }

    @Test
    void scoresByDocumentAreThoseOfItsChunks() {
        String text = "heron heron heron and heron heron";
        List<Chunk> chunks = List.of(Chunk.of(0, 16), Chunk.of(16, text.length()));
        fixture.put(
                BOOKS,
                new NewDocument(new DocumentDetails("two", "", "md", null, "h", Json.object()), text, null, chunks));
        fixture.put(BOOKS, doc("one", "a heron"));
        SearchRequest request = new SearchRequest(
                "heron", Optional.empty(), List.of(BOOKS), new Filter.All(), 10, new Fusion.KeywordOnly());
        List<Double> expected = fixture.search(request).hits().stream()
                .filter(hit -> hit.chunk().document().source().equals("two"))
                .map(Hit::score)
                .toList();
        DocumentScores scores = await(store().scores(request));
        assertEquals(3, scores.chunks());
        assertEquals(
                expected,
                scores.documents().stream()
                        .filter(one -> one.source().equals("two"))
                        .findFirst()
                        .orElseThrow()
                        .scores());
    }

    @Test
    void listingsAreNewestFirstAndPaged() {
        for (int i = 0; i < 25; i++) {
            fixture.put(i % 2 == 0 ? BOOKS : LETTERS, doc("s" + i, "text"));
        }
        List<String> all = new ArrayList<>();
        for (int offset = 0; offset < 30; offset += 10) {
            DocumentPage page = await(store().list(new ListRequest(
                    List.of(LETTERS, BOOKS), new Filter.All(), ListRequest.Order.NEWEST_FIRST, offset, 10)));
            assertEquals(25, page.total());
            page.documents().forEach(document -> all.add(document.source()));
        }
        assertEquals(IntStream.range(0, 25).mapToObj(i -> "s" + (24 - i)).toList(), all);
    }

    @Test
    void aDroppedSpaceIsGoneFromTheDiskAndCanBeMadeAgain() throws IOException {
        fixture.put(BOOKS, doc("s", "text"));
        fixture.put(LETTERS, doc("s", "text"));
        assertTrue(await(store().drop(BOOKS)));
        assertEquals(List.of(LETTERS), store().namespaces());
        assertEquals(1, fixture.search("text", BOOKS, LETTERS).hits().size());
        try (var left = Files.list(folder.resolve("store/spaces"))) {
            assertEquals(1, left.count());
        }
        fixture.put(BOOKS, doc("t", "again"));
        fixture.reopen();
        assertEquals(List.of("t"), listed(new Filter.All(), BOOKS));
    }

    @Test
    void aFolderHasOneOwnerAndSaysWho() {
        await(store().announce("the owner's address"));
        FolderInUseException refused = assertThrows(
                FolderInUseException.class,
                () -> await(LuceneDocumentStore.open(fixture.vertx, fixture.meters, fixture.clock, fixture.settings)));
        assertEquals(Optional.of("the owner's address"), refused.address());
        assertTrue(refused.getMessage().contains("in use by another process"), refused.getMessage());
        assertFalse(refused.getMessage().contains("address"), "it is a secret: " + refused.getMessage());
        fixture.reopen();
        assertEquals(List.of(), store().namespaces());
    }

    @Test
    void aFolderOfAnotherFormatIsLeftAlone() throws IOException {
        store();
        fixture.closeStore();
        Files.writeString(folder.resolve("store/format"), "99\n");
        IOException refused = assertThrows(IOException.class, () -> store());
        assertTrue(refused.getMessage().contains("has format 99"), refused.getMessage());
    }

    @Test
    void manySpacesKeepFewFilesOpen() {
        fixture.close();
        fixture = new StoreFixture(
                fixture.vertx,
                new StoreSettings(folder.resolve("many"), "t", 8, Duration.ofMinutes(1), 2, 1000, TeamShare.ALL));
        List<Future<PutResult>> writes = IntStream.range(0, 100)
                .mapToObj(i -> store().put(Namespace.of("space " + i), doc("s", "common " + (1000 + i))))
                .toList();
        await(Future.all(writes));
        Eventually.that(() -> openSpaces() <= 8, () -> openSpaces() + " open");
        Namespace[] all = store().namespaces().toArray(Namespace[]::new);
        assertEquals(100, all.length);
        assertEquals(1, fixture.search("1023", all).hits().size());
        assertEquals(10, fixture.search("common", all).hits().size());
        Eventually.that(() -> openSpaces() <= 8, () -> openSpaces() + " open");
        fixture.reopen();
        assertEquals(0, openSpaces());
        assertEquals(
                100,
                await(store().stats(List.of(all))).stream()
                        .mapToLong(NamespaceStats::documents)
                        .sum());
        assertEquals(0, openSpaces());
    }

    private double openSpaces() {
        return fixture.meters.get(MetricNames.STORE_OPEN).gauge().value();
    }

    @Test
    void anIdleStoreClosesItsFilesAndOpensThemAgain() {
        fixture.close();
        fixture = new StoreFixture(
                fixture.vertx,
                new StoreSettings(folder.resolve("idle"), "t", 8, Duration.ofMillis(20), 2, 1000, TeamShare.ALL));
        fixture.put(BOOKS, doc("s", "text"));
        fixture.clock.forward(Duration.ofHours(1));
        while (openSpaces() > 0) {
            Thread.onSpinWait();
        }
        assertEquals(List.of("s"), fixture.sources(fixture.search("text", BOOKS)));
        fixture.put(BOOKS, doc("t", "text"));
        assertEquals(2, fixture.search("text", BOOKS).hits().size());
    }

    @Test
    void aClosedStoreFinishesWhatItTookAndRefusesTheRest() {
        List<Future<PutResult>> writes = IntStream.range(0, 20)
                .mapToObj(i -> store().put(BOOKS, doc("s" + i, "text")))
                .toList();
        LuceneDocumentStore closing = store();
        fixture.closeStore();
        await(Future.join(writes).otherwiseEmpty());
        long kept = writes.stream().filter(Future::succeeded).count();
        assertTrue(failure(closing.find(BOOKS, "s")) != null);
        assertEquals(kept, listed(new Filter.All(), BOOKS).size());
    }
}
