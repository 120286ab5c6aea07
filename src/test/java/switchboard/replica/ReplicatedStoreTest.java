package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.embed.EmbedListener;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.Hit;
import switchboard.store.ListRequest;
import switchboard.store.LuceneDocumentStore;
import switchboard.store.Namespace;
import switchboard.store.NamespaceEmbedders;
import switchboard.store.NewDocument;
import switchboard.store.PutResult;
import switchboard.store.SearchRequest;
import switchboard.store.StoreSettings;
import switchboard.store.StoredDocument;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.WordEmbedder;

/** Three stores with the same documents, on a real database. */
@Tag("engines")
class ReplicatedStoreTest {
    static final Namespace BOOKS = Namespace.of("books");
    static final Fusion WORDS = new Fusion.KeywordOnly();

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private static final Lifetime LONG = Lifetime.within(Duration.ofHours(1));

    private final List<ReplicaNode> nodes = new ArrayList<>();
    private String schema = "";

    @BeforeEach
    void start(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        for (int number = 0; number < 3; number++) {
            nodes.add(new ReplicaNode(postgres, schema, folder.resolve("n" + number)));
        }
        nodes.forEach(ReplicaNode::joined);
    }

    @AfterEach
    void stop() {
        nodes.forEach(ReplicaNode::close);
    }

    static NewDocument document(String source, String text, AllowedReaders allow) {
        DocumentDetails details = new DocumentDetails(
                source, "title of " + source, "txt", null, "h" + text.hashCode(), Json.object(), allow);
        return new NewDocument(details, text, null, List.of(Chunk.of(0, text.length())));
    }

    static NewDocument document(String source, String text) {
        return document(source, text, AllowedReaders.ALL);
    }

    static SearchRequest words(String query) {
        return new SearchRequest(query, Optional.empty(), List.of(), new Filter.All(), 50, WORDS);
    }

    static List<String> sources(ReplicaNode node, String query, Namespace... namespaces) {
        return node.search(words(query), namespaces).hits().stream()
                .map(hit -> hit.chunk().document().source())
                .sorted()
                .toList();
    }

    private static FailureKind kind(Future<?> future) {
        return assertThrows(ToolException.class, () -> await(future)).failed().kind();
    }

    private String sql(String query) {
        return postgres.sql(query.replace("$", schema));
    }

    @Test
    void writersOfOneSourceLeaveExactlyTheLast() {
        for (int round = 0; round < 10; round++) {
            List<Future<PutResult>> puts = new ArrayList<>();
            for (int writer = 0; writer < 12; writer++) {
                puts.add(nodes.get(writer % 3).store().put(BOOKS, document("same", "word" + round + "w" + writer)));
            }
            Set<String> ids = new java.util.TreeSet<>();
            Set<String> replaced = new java.util.TreeSet<>();
            puts.forEach(put -> {
                PutResult done = await(put);
                ids.add(done.document().id());
                done.replaced().ifPresent(before -> replaced.add(before.id()));
            });
            assertEquals(12, ids.size());
            assertTrue(replaced.size() >= 11, "each version was replaced by exactly one other");
            ids.removeAll(replaced);
            assertEquals(1, ids.size());
            assertEquals("1", sql("SELECT count(*) FROM $.document"));
            String last = ids.iterator().next();
            for (ReplicaNode node : nodes) {
                assertEquals(
                        last,
                        await(node.fresh().find(BOOKS, "same")).orElseThrow().id());
                assertEquals(1, await(node.store().list(all())).total());
            }
        }
        assertEquals(sql("SELECT count(*) FROM $.change"), sql("SELECT position FROM $.library"));
    }

    private static ListRequest all() {
        return page(BOOKS);
    }

    static ListRequest page(Namespace namespace) {
        return new ListRequest(List.of(namespace), new Filter.All(), ListRequest.Order.NEWEST_FIRST, 0, 100);
    }

    @Test
    void droppedAndMadeAgainIsAnotherLibrary() {
        await(nodes.get(0).store().put(BOOKS, document("a", "alpha")));
        assertEquals(List.of("a"), sources(nodes.get(1), "alpha"));
        assertEquals(List.of("a"), sources(nodes.get(2), "alpha"));
        assertTrue(await(nodes.get(1).store().drop(BOOKS)));
        for (ReplicaNode node : nodes) {
            assertEquals(List.of(), node.fresh().namespaces());
            assertEquals(List.of(), sources(node, "alpha", BOOKS));
            assertFalse(await(node.store().drop(BOOKS)));
        }
        await(nodes.get(2).store().put(BOOKS, document("b", "beta alpha")));
        for (ReplicaNode node : nodes) {
            assertEquals(List.of("b"), sources(node, "alpha", BOOKS));
            assertEquals(1, await(node.store().stats(List.of(BOOKS))).getFirst().documents());
        }
    }

    @Test
    void whatTheFilesLackIsReadAndWhatTheyHaveIsKept() throws Exception {
        for (int i = 0; i < 30; i++) {
            await(nodes.get(0).store().put(BOOKS, document("s" + i, "heron number" + i)));
        }
        assertEquals(30, sources(nodes.get(1), "heron").size());
        nodes.get(1).restart(() -> {
            await(nodes.get(0).store().put(BOOKS, document("late", "heron late")));
            String gone =
                    await(nodes.get(0).store().find(BOOKS, "s3")).orElseThrow().id();
            await(nodes.get(0).store().delete(List.of(BOOKS), gone));
        });
        List<String> expected = sources(nodes.get(0), "heron");
        assertEquals(30, expected.size());
        assertEquals(expected, sources(nodes.get(1), "heron"));
        nodes.get(2).restart(() -> delete(folder.resolve("n2")));
        assertEquals(expected, sources(nodes.get(2), "heron"));
        // Changes that nobody has any more.
        nodes.get(1).restart(() -> {
            await(nodes.get(0).store().put(BOOKS, document("more", "heron more")));
            await(nodes.get(0).store().put(BOOKS, document("most", "heron most")));
            sql("DELETE FROM $.change WHERE position < (SELECT position FROM $.library)");
        });
        assertEquals(32, sources(nodes.get(1), "heron").size());
        // The database lost what this node had seen, and another change took its place.
        sql("UPDATE $.change SET operation = gen_random_uuid() WHERE position = (SELECT position FROM $.library);"
                + "DELETE FROM $.document WHERE id = '"
                + await(nodes.get(0).store().find(BOOKS, "most")).orElseThrow().id() + "';"
                + "UPDATE $.library SET touched = pg_current_xact_id(), operation = (SELECT operation FROM $.change c"
                + " WHERE c.position = library.position)");
        for (ReplicaNode node : nodes) {
            assertEquals(31, sources(node, "heron").size());
        }
    }

    static void delete(Path folder) {
        try {
            try (var files = java.nio.file.Files.walk(folder)) {
                for (Path file :
                        files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    java.nio.file.Files.delete(file);
                }
            }
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void permissionsHoldWhereverTheDocumentWasPut() {
        AllowedReaders hr = AllowedReaders.of(List.of("group:hr"));
        StoredDocument secret = await(nodes.get(0).store().put(BOOKS, document("secret", "payroll", hr)))
                .document();
        await(nodes.get(0).store().put(BOOKS, document("open", "payroll open")));
        await(nodes.get(0).store().put(Namespace.of("hidden"), document("secret", "payroll", hr)));
        for (int index = 0; index < 3; index++) {
            nodes.get(index).fresh();
            DocumentStore ann = nodes.get(index).store().seenBy(new DocumentAccess.ForReaders(Set.of("group:hr")));
            DocumentStore bob = nodes.get(index).store().seenBy(new DocumentAccess.ForReaders(Set.of("user:bob")));
            assertEquals(2, hits(ann));
            assertEquals(1, hits(bob));
            assertEquals(
                    1, await(bob.stats(nodes.get(index).store().namespaces())).size());
            assertEquals(Optional.empty(), await(bob.get(List.of(BOOKS), secret.id())));
            assertEquals(Optional.empty(), await(bob.find(BOOKS, "secret")));
            assertEquals(FailureKind.DENIED, kind(bob.findReplaceable(BOOKS, "secret")));
            assertEquals(FailureKind.DENIED, kind(bob.put(BOOKS, document("secret", "mine"))));
            assertEquals(FailureKind.DENIED, kind(bob.delete(List.of(BOOKS), secret.id())));
            assertEquals(FailureKind.DENIED, kind(bob.drop(BOOKS)));
            assertEquals(
                    FailureKind.DENIED,
                    kind(bob.describe(
                            List.of(BOOKS),
                            secret.id(),
                            new DocumentDescription("t", Json.object(), AllowedReaders.ALL, ""))));
            await(ann.findReplaceable(BOOKS, "secret"));
        }
        DocumentStore ann = nodes.get(1).store().seenBy(new DocumentAccess.ForReaders(Set.of("group:hr")));
        StoredDocument opened = await(ann.describe(
                        List.of(BOOKS),
                        secret.id(),
                        new DocumentDescription("t", Json.object().put("a", 1), AllowedReaders.ALL, "bonus bonus")))
                .orElseThrow();
        assertEquals(secret.id(), opened.id());
        assertEquals(secret.createdAt(), opened.createdAt());
        nodes.get(2).fresh();
        DocumentStore bob = nodes.get(2).store().seenBy(new DocumentAccess.ForReaders(Set.of("user:bob")));
        assertEquals(opened, await(bob.get(List.of(BOOKS), secret.id())).orElseThrow());
        assertEquals(List.of("secret"), sources(nodes.get(2), "bonus", BOOKS));
        assertTrue(await(bob.drop(BOOKS)));
    }

    /** More documents than a page names, and more bytes than one reads at once. */
    @Test
    void aLibraryOfManyPagesIsBuilt() {
        List<Future<PutResult>> puts = new ArrayList<>();
        for (int i = 0; i < 510; i++) {
            puts.add(nodes.get(i % 2).store().put(BOOKS, document("s" + i, "heron small")));
        }
        for (int i = 0; i < 3; i++) {
            puts.add(nodes.get(0).store().put(BOOKS, document("large" + i, "heron " + "x".repeat(3 << 20))));
        }
        puts.forEach(ReplicaNode::await);
        nodes.get(2).restart(() -> delete(folder.resolve("n2")));
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> await(nodes.get(2).fresh().stats(List.of(BOOKS)))
                                .getFirst()
                                .documents()
                        == 513,
                () -> "all are there; one call waits five seconds at most");
        assertEquals(
                await(nodes.get(0).store().list(all())).documents(),
                await(nodes.get(2).store().list(all())).documents());
    }

    @Test
    void whatIsMadeFromAnOlderVersionIsRefused() {
        DocumentStore here = nodes.get(0).store();
        DocumentStore there = nodes.get(1).store();
        ObjectNode metadata =
                Json.object().put("half", "\ud800").put("number", 1.50).put("big", 1L << 40);
        DocumentDescription described = new DocumentDescription("t", metadata, AllowedReaders.ALL, "");
        NewDocument made = document("one", "walrus");
        assertEquals(
                FailureKind.CONFLICT,
                kind(here.put(
                        BOOKS,
                        made,
                        Optional.of(
                                await(there.put(Namespace.of("other"), made)).document()))));
        assertFalse(nodes.get(2).fresh().namespaces().contains(BOOKS), "what was refused makes no library");
        await(here.put(BOOKS, made, Optional.empty()));
        assertEquals(FailureKind.CONFLICT, kind(there.put(BOOKS, document("one", "seal"), Optional.empty())));
        Optional<StoredDocument> seen = await(here.find(BOOKS, "one"));
        AllowedReaders hr = AllowedReaders.of(List.of("group:hr"));
        await(there.describe(seen.orElseThrow(), new DocumentDescription("t", metadata, hr, "")));
        assertEquals(FailureKind.CONFLICT, kind(here.put(BOOKS, document("one", "seal"), seen)));
        assertEquals(FailureKind.CONFLICT, kind(here.describe(seen.orElseThrow(), described)));
        // No look: the refusal has brought what was lacking.
        seen = await(here.find(BOOKS, "one"));
        assertEquals(hr, seen.orElseThrow().details().given());
        await(here.describe(seen.orElseThrow(), described)).orElseThrow();
        StoredDocument opened = await(nodes.get(2).fresh().find(BOOKS, "one")).orElseThrow();
        assertEquals(seen.orElseThrow().id(), opened.id());
        assertEquals(AllowedReaders.ALL, opened.details().given());
        await(nodes.get(2).store().put(BOOKS, document("one", "seal"), Optional.of(opened)));
        assertEquals(FailureKind.CONFLICT, kind(here.describe(opened, described)), "it is another document now");
        assertEquals(List.of("one"), sources(nodes.get(0), "seal", BOOKS));
        StoredDocument replaced = await(here.find(BOOKS, "one")).orElseThrow();
        await(nodes.get(2).store().delete(List.of(BOOKS), replaced.id()));
        assertEquals(Optional.empty(), await(here.describe(replaced, described)), "there is none any more");
        await(nodes.get(2).store().put(BOOKS, document("one", "seal")));
        assertEquals(List.of(), sources(nodes.get(0), "walrus", BOOKS));
    }

    private static int hits(DocumentStore store) {
        return await(store.search(words("payroll").in(List.of(BOOKS)))).hits().size();
    }

    @Test
    void answersAreThoseOfALocalStore() throws Exception {
        Vertx vertx = Vertx.vertx();
        LuceneDocumentStore local = await(LuceneDocumentStore.open(
                vertx,
                new SimpleMeterRegistry(),
                Clock.systemUTC(),
                StoreSettings.of(folder.resolve("local"), "local")));
        try {
            Random random = new Random(7);
            for (int i = 0; i < 30; i++) {
                NewDocument document = chapters(random, "source" + i);
                await(local.put(BOOKS, document));
                await(nodes.get(i % 3).store().put(BOOKS, document));
            }
            for (int i = 0; i < 40; i++) {
                SearchRequest request = new SearchRequest(
                        text(random, 3),
                        Optional.of(new SearchRequest.QueryVector("m", vector(random))),
                        List.of(BOOKS),
                        new Filter.All(),
                        20,
                        i % 2 == 0 ? new Fusion.WeightedSum(0.7, 0.06, 0.4, 0.3, 0.2, 0.1) : WORDS);
                List<String> expected = shown(await(local.search(request)).hits());
                assertFalse(expected.isEmpty());
                for (ReplicaNode node : nodes) {
                    assertEquals(expected, shown(node.search(request, BOOKS).hits()));
                }
            }
        } finally {
            await(local.close());
            await(vertx.close());
        }
    }

    private static List<String> shown(List<Hit> hits) {
        return hits.stream()
                .map(hit -> hit.chunk().document().source() + "/" + hit.chunk().index()
                        + String.format(java.util.Locale.ROOT, " %.4f ", hit.score())
                        + hit.chunk().text() + hit.chunk().headingPath()
                        + hit.chunk().labels())
                .toList();
    }

    private static final List<String> VOCABULARY = List.of(
            "harbour", "pilot", "tide", "lantern", "granite", "quarry", "heron", "engine", "diesel", "bread", "der",
            "die");

    private static String text(Random random, int words) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(VOCABULARY.get(random.nextInt(VOCABULARY.size()))).append(i % 7 == 6 ? ". " : " ");
        }
        return text.toString();
    }

    private static float[] vector(Random random) {
        float[] vector = new float[8];
        double square = 0;
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) random.nextGaussian();
            square += vector[i] * vector[i];
        }
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= (float) Math.sqrt(square);
        }
        return vector;
    }

    private static NewDocument chapters(Random random, String source) {
        String text = text(random, 60 + random.nextInt(200));
        List<Chunk> chunks = new ArrayList<>();
        int third = text.length() / 3;
        for (int i = 0; i < 3; i++) {
            Chunk chunk = Chunk.of(i * third, i == 2 ? text.length() : (i + 1) * third)
                    .below("Heading " + i, "context " + source)
                    .onPages(i == 1 ? List.of(1, 2) : List.of())
                    .withLabels(Map.of("kind", "k" + i));
            chunks.add(random.nextInt(5) == 0 ? chunk : chunk.withVector(vector(random)));
        }
        DocumentDetails details = new DocumentDetails(
                source, "Title", "md", "2026-01-01", "hash", Json.object().put("n", 1));
        return new NewDocument(details, text, "m", chunks);
    }

    @Test
    void newVectorsReachAllAndAreComputedOnce() {
        await(nodes.get(0).store().put(BOOKS, document("a", "harbour pilots")));
        await(nodes.get(1).store().put(BOOKS, document("b", "granite quarry")));
        nodes.get(2).fresh();
        WordEmbedder embedder = new WordEmbedder();
        NamespaceEmbedders models = NamespaceEmbedders.all(ChunkEmbedders.of(Optional.of(embedder)));
        assertEquals(2, await(nodes.get(2).store().reindex(models, LONG, EmbedListener.NONE)));
        int embedded = embedder.embedded();
        for (ReplicaNode node : nodes) {
            assertEquals(
                    embedder.model(),
                    await(node.fresh().find(BOOKS, "a")).orElseThrow().model());
            assertEquals(0, await(node.store().reindex(models, LONG, EmbedListener.NONE)));
        }
        assertEquals(embedded, embedder.embedded());
    }

    @Test
    void filesThatFollowNothingAreNotTouched() {
        Vertx vertx = Vertx.vertx();
        Path own = folder.resolve("own");
        try {
            LuceneDocumentStore local = await(LuceneDocumentStore.open(
                    vertx, new SimpleMeterRegistry(), Clock.systemUTC(), StoreSettings.of(own, "local")));
            await(local.put(BOOKS, document("only here", "heron")));
            await(local.close());
        } finally {
            await(vertx.close());
        }
        Throwable refused = assertThrows(Throwable.class, () -> new ReplicaNode(postgres, schema, own).close());
        assertTrue(String.valueOf(refused.getMessage()).contains("store: local"), refused::toString);
    }

    @Test
    void anotherNodeFollowsBeforeItIsAsked() {
        await(nodes.get(0).store().put(BOOKS, document("a", "alpha")));
        nodes.get(1).fresh();
        for (int i = 0; i < 20; i++) {
            await(nodes.get(0).store().put(BOOKS, document("b" + i, "beta")));
        }
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> await(nodes.get(1).store().list(all())).total() == 21
                        && nodes.get(1).behind() == 0,
                () -> "behind: " + nodes.get(1).behind());
    }
}
