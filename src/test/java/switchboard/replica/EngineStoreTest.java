package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.page;
import static switchboard.replica.ReplicatedStoreTest.sources;
import static switchboard.replica.ReplicatedStoreTest.words;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentAccess;
import switchboard.store.Filter;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NewDocument;
import switchboard.store.PutResult;
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;
import switchboard.testing.ChunkServer;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.WordEmbedder;

/** Stores whose chunks are in an engine, when things go wrong. */
@Tag("engines")
class EngineStoreTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    static Path folder;

    private static final List<ReplicaNode> NODES = new ArrayList<>();
    private static ChunkServer server;

    @BeforeAll
    static void join() {
        server = ChunkServer.standIn();
        for (int number = 0; number < 2; number++) {
            NODES.add(new ReplicaNode(postgres, "engine", folder.resolve("n" + number), server));
        }
        NODES.forEach(ReplicaNode::joined);
    }

    @AfterAll
    static void leave() {
        NODES.forEach(ReplicaNode::close);
        server.close();
        assertEquals(List.of(), server.refused());
    }

    @BeforeEach
    void empty() {
        sql("UPDATE $.library SET live = false, changed = now(), touched = pg_current_xact_id();"
                + " DELETE FROM $.unused_chunks");
        server.chunks().forget();
        NODES.forEach(ReplicaNode::fresh);
    }

    private ReplicaNode node(int number) {
        return NODES.get(number);
    }

    private static String sql(String query) {
        return postgres.sql(query.replace("$", "engine"));
    }

    private String put(int node, NewDocument document) {
        return await(node(node).store().put(BOOKS, document)).document().id();
    }

    /** What no document uses can be removed at once. */
    private void sweep() {
        sql("UPDATE $.unused_chunks SET ready = now() - interval '1 second'");
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> sql("SELECT count(*) FROM $.unused_chunks").equals("0"),
                () -> sql("SELECT string_agg(u::text, ' ') FROM $.unused_chunks u"));
    }

    @Test
    void chunksOfEarlierVersionsAreNotFoundAndRemovedLater() {
        String first = put(0, document("a", "heron one"));
        String second = put(1, document("a", "heron two"));
        assertEquals(Set.of(first, second), server.chunks().documents(), "searches under way may need the first");
        for (ReplicaNode node : NODES) {
            assertEquals(
                    List.of("heron two"),
                    node.search(words("heron"), BOOKS).hits().stream()
                            .map(hit -> hit.chunk().text())
                            .toList());
        }
        sweep();
        assertEquals(Set.of(second), server.chunks().documents());
        assertTrue(await(node(0).store().delete(List.of(BOOKS), second)).isPresent());
        assertEquals(List.of(), sources(node(1), "heron", BOOKS));
        sweep();
        assertEquals(Set.of(), server.chunks().documents());
    }

    @Test
    void aWriterThatTakesTooLongStoresNothing() {
        put(0, document("a", "heron one"));
        server.hold();
        Future<PutResult> late = node(1).store().put(BOOKS, document("a", "heron late"));
        server.awaitHeld();
        sweep();
        server.release();
        assertEquals(FailureKind.UNAVAILABLE, kind(late));
        assertEquals(
                List.of("heron one"),
                node(0).search(words("heron"), BOOKS).hits().stream()
                        .map(hit -> hit.chunk().text())
                        .toList());
        sweep();
        assertEquals(1, server.chunks().documents().size(), "what came too late is removed");
    }

    @Test
    void whatAGatewayThatDiedHasWrittenIsRemoved() {
        String kept = put(0, document("a", "heron one"));
        server.hold();
        Future<PutResult> lost = node(1).store().put(BOOKS, document("b", "heron lost"));
        server.awaitHeld();
        // Its transaction never comes.
        sql("CREATE FUNCTION $.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''gone''; END';"
                + " CREATE TRIGGER refuse BEFORE INSERT ON $.document FOR EACH ROW EXECUTE FUNCTION $.refuse()");
        server.release();
        assertEquals(FailureKind.UNAVAILABLE, kind(lost));
        sql("DROP TRIGGER refuse ON $.document; DROP FUNCTION $.refuse()");
        assertEquals(List.of("a"), sources(node(0), "heron", BOOKS));
        sweep();
        assertEquals(Set.of(kept), server.chunks().documents());
    }

    private static FailureKind kind(Future<?> future) {
        return assertThrows(ToolException.class, () -> await(future)).failed().kind();
    }

    @Test
    void aDroppedLibraryTakesItsCollectionWithIt() {
        put(0, document("a", "heron one"));
        Set<String> before = server.chunks().collections();
        assertTrue(await(node(1).store().drop(BOOKS)));
        put(0, document("a", "heron again"));
        assertEquals(2, server.chunks().collections().size(), "a library that is made again is another one");
        sweep();
        assertEquals(1, server.chunks().collections().size());
        assertFalse(before.containsAll(server.chunks().collections()));
        assertEquals(List.of("a"), sources(node(1), "again", BOOKS));
    }

    @Test
    void aLibraryThatWasNotDroppedKeepsItsCollection() {
        put(0, document("a", "heron one", AllowedReaders.of(List.of("user:ann"))));
        DocumentAccess bob = new DocumentAccess.ForReaders(Set.of("user:bob"));
        assertEquals(FailureKind.DENIED, kind(node(1).store().seenBy(bob).drop(BOOKS)));
        sweep();
        assertEquals(List.of("a"), sources(node(0), "heron", BOOKS));
    }

    private int reindexed(int node, NamespaceEmbedders models) {
        return await(node(node).store().reindex(models, Lifetime.within(Duration.ofMinutes(1)), EmbedListener.NONE));
    }

    @Test
    void whatTheEngineHasLostIsWrittenAgain() {
        WordEmbedder embedder = new WordEmbedder();
        for (int i = 0; i < 60; i++) {
            put(0, document("s" + i, i == 7 ? "heron wombat" : "heron lake"));
        }
        NamespaceEmbedders models = new NamespaceEmbedders(List.of(), ChunkEmbedders.of(Optional.of(embedder)));
        assertEquals(60, reindexed(0, models));
        assertEquals(0, reindexed(1, models));
        assertEquals(50, sources(node(1), "heron", BOOKS).size());
        server.chunks().forget();
        ToolException failed = assertThrows(ToolException.class, () -> node(1).search(words("heron"), BOOKS));
        assertTrue(
                failed.failed().message().contains("switchboard reindex"),
                failed.failed().message());
        assertTrue(reindexed(1, models) >= 60);
        for (ReplicaNode node : NODES) {
            assertEquals(50, sources(node, "heron", BOOKS).size());
            assertEquals(List.of("s7"), sources(node, "wombat", BOOKS));
        }
        sweep();
        assertEquals(60, server.chunks().documents().size());
    }

    @Test
    void aDocumentThatIsReplacedDuringASearchIsFound() {
        for (int i = 0; i < 12; i++) {
            put(0, document("s" + i, "heron lake " + "heron ".repeat(i)));
        }
        node(0).fresh();
        server.holdSearches();
        Future<SearchResult> searching = node(0).store().search(words("heron").in(List.of(BOOKS)));
        server.awaitHeld();
        put(0, document("s3", "heron lake again"));
        sweep();
        server.release();
        assertEquals(
                12,
                await(searching).hits().stream()
                        .map(hit -> hit.chunk().document().source())
                        .distinct()
                        .count());
    }

    @Test
    void chunksThatNobodyKnowsAreRemovedByReindex() {
        String kept = put(0, document("a", "heron one"));
        String lost = put(0, document("b", "heron two"));
        // A database that was restored has neither the document nor a note of its chunks.
        sql("DELETE FROM $.document WHERE id = '" + lost + "'; DELETE FROM $.change WHERE position > 1;"
                + " UPDATE $.library SET position = 1, touched = pg_current_xact_id(), operation ="
                + " (SELECT operation FROM $.change c WHERE c.library = library.id AND c.position = 1) WHERE live");
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> sources(node(1), "heron", BOOKS).equals(List.of("a")),
                () -> "what the database has lost is not found");
        assertEquals(Set.of(kept, lost), server.chunks().documents());
        assertEquals(0, reindexed(1, new NamespaceEmbedders(List.of(), ChunkEmbedders.NONE)));
        sweep();
        assertEquals(Set.of(kept), server.chunks().documents());
    }

    @Test
    void aGatewayThatKeepsChunksInItsFilesSaysThatItCannot() {
        put(0, document("a", "heron one"));
        ReplicaNode rows = new ReplicaNode(postgres, "engine", folder.resolve("others")).joined();
        try {
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    kind(rows.fresh().search(words("heron").in(List.of(BOOKS)))));
        } finally {
            rows.close();
        }
        assertEquals(List.of("a"), sources(node(1), "heron", BOOKS));
    }

    @Test
    void documentsThatWereInTheDatabaseMoveToTheEngine() {
        ReplicaNode rows = new ReplicaNode(postgres, "engine", folder.resolve("rows")).joined();
        try {
            await(rows.store().put(BOOKS, document("a", "heron one")));
            float[] unit = new float[64];
            unit[3] = 1;
            NewDocument withVector = document("b", "heron two");
            await(rows.store()
                    .put(
                            BOOKS,
                            new NewDocument(
                                    withVector.details(),
                                    withVector.text(),
                                    "words-64",
                                    List.of(Chunk.of(0, 9).withVector(unit)))));
        } finally {
            rows.close();
        }
        assertEquals(2, reindexed(0, new NamespaceEmbedders(List.of(), ChunkEmbedders.NONE)));
        assertEquals(List.of("a", "b"), sources(node(1), "heron", BOOKS));
        assertEquals(2, await(node(1).fresh().stats(List.of(BOOKS))).getFirst().chunks());
        assertEquals(
                Optional.of("words-64"),
                await(node(1).store().find(BOOKS, "b")).map(document -> String.valueOf(document.model())));
    }

    @Test
    void whileTheEngineIsAwayListsAnswerAndSearchesSayIt() {
        String id = put(0, document("a", "heron one"));
        server.away(true);
        assertEquals(FailureKind.UNAVAILABLE, kind(node(0).store().put(BOOKS, document("b", "heron two"))));
        assertThrows(ToolException.class, () -> node(1).search(words("heron"), BOOKS));
        assertEquals(1, await(node(1).store().list(page(BOOKS))).total());
        assertEquals(
                "heron one",
                await(node(1).store().read(List.of(BOOKS), id)).orElseThrow().text());
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> node(1).store().unreachable().isPresent(), () -> "operators are told");
        server.away(false);
        Eventually.within(
                Eventually.OF_A_PROCESS, () -> node(1).store().unreachable().isEmpty(), () -> "operators are told");
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> {
                    try {
                        return sources(node(1), "heron", BOOKS).equals(List.of("a"));
                    } catch (ToolException stillAway) {
                        return false;
                    }
                },
                () -> "searches answer again");
        sweep();
        assertEquals(Set.of(id), server.chunks().documents());
    }

    @Test
    void documentsOfOthersAreNeitherFoundNorFelt() {
        for (int i = 0; i < 20; i++) {
            put(0, document("open" + i, i % 2 == 0 ? "heron lake" : "heron field"));
        }
        DocumentAccess bob = new DocumentAccess.ForReaders(Set.of("user:bob"));
        List<String> alone = seen(bob);
        for (int i = 0; i < 40; i++) {
            put(1, document("secret" + i, "lake lake secret", AllowedReaders.of(List.of("user:ann"))));
        }
        assertEquals(alone, seen(bob));
        assertEquals(
                0,
                await(node(1).store().seenBy(bob).search(words("secret").in(List.of(BOOKS))))
                        .hits()
                        .size());
    }

    /** What a search for two words finds, with scores. */
    private List<String> seen(DocumentAccess access) {
        node(1).fresh();
        return await(node(1).store().seenBy(access).search(words("lake heron").in(List.of(BOOKS)))).hits().stream()
                .map(hit -> hit.chunk().document().source() + " " + hit.score())
                .toList();
    }

    @Test
    void aFewDocumentsAmongManyAreFoundByTheirFilter() {
        for (int i = 0; i < 300; i++) {
            put(i % 2, document("s" + i, "heron heron heron number" + i));
        }
        put(0, document("rare", "a long text in which there is one heron between many other words of no use"));
        assertEquals(
                List.of("rare"),
                await(node(1).fresh()
                                .search(new SearchRequest(
                                        "heron",
                                        Optional.empty(),
                                        List.of(BOOKS),
                                        Filter.equal("source", "rare"),
                                        10,
                                        ReplicatedStoreTest.WORDS)))
                        .hits()
                        .stream()
                        .map(hit -> hit.chunk().document().source())
                        .toList());
    }
}
