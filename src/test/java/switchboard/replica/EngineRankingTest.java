package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.embed.EmbedListener;
import switchboard.embed.ModelTraits;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentDetails;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.Fusion;
import switchboard.store.Hit;
import switchboard.store.NewDocument;
import switchboard.store.SearchRequest;
import switchboard.store.SearchResult;
import switchboard.store.StoredChunk;
import switchboard.testing.ChunkServer;
import switchboard.testing.PostgresCluster;
import switchboard.testing.WordEmbedder;

/** Searches of chunks in an engine find what the embedded store finds in the same documents, with the same scores. */
@Tag("engines")
class EngineRankingTest {
    private static final int DOCUMENTS = 60;
    private static final List<String> WORDS = List.of(
            "heron",
            "lake",
            "lighthouse",
            "fog",
            "bread",
            "tide",
            "Brücke",
            "Fluss",
            "getUserName",
            "harbour",
            "winter",
            "map");
    private static final List<Fusion> FUSIONS = List.of(
            new Fusion.WeightedSum(0.7, 0.06, 0.4, 0.3, 0.2, 0.1),
            new Fusion.WeightedSum(0.5),
            Fusion.byRank(),
            new Fusion.KeywordOnly(),
            new Fusion.VectorOnly());
    private static final List<Filter> FILTERS = List.of(
            new Filter.All(),
            new Filter.Equal("metadata.year", new Filter.Value.NumberValue(2021)),
            new Filter.Not(Filter.equal("label.kind", "b")),
            new Filter.Equal("chunk_index", new Filter.Value.NumberValue(1)));
    private static final List<DocumentAccess> READERS =
            List.of(DocumentAccess.EVERYTHING, new DocumentAccess.ForReaders(Set.of("user:ann")));

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private final WordEmbedder embedder = new WordEmbedder();

    @Test
    void rankingIsThatOfTheEmbeddedStore() {
        try (ChunkServer server = ChunkServer.realOrStandIn();
                ReplicaNode rows = new ReplicaNode(postgres, "rows", folder.resolve("rows")).joined();
                ReplicaNode engine = new ReplicaNode(postgres, "inengine", folder.resolve("engine"), server).joined()) {
            Random random = new Random(7);
            for (int number = 0; number < DOCUMENTS; number++) {
                NewDocument document = document(number, random);
                await(rows.store().put(BOOKS, document));
                await(engine.store().put(BOOKS, document));
            }
            compareAll(rows.fresh(), engine.fresh(), random);
            assertTrue(await(engine.store().drop(BOOKS)));
        }
    }

    private void compareAll(DocumentStore rows, DocumentStore engine, Random random) {
        int compared = 0;
        for (int round = 0; round < 4; round++) {
            String query = text(random, 2 + round);
            for (Fusion fusion : FUSIONS) {
                for (Filter filter : FILTERS) {
                    for (DocumentAccess access : READERS) {
                        SearchRequest request = request(query, filter, fusion);
                        SearchResult expected = await(rows.seenBy(access).search(request));
                        SearchResult actual = await(engine.seenBy(access).search(request));
                        String told = query + " " + fusion + " " + filter + " " + access;
                        assertEquals(shown(expected), shown(actual), told);
                        assertEquals(expected.nothing(), actual.nothing(), told);
                        compared += expected.hits().size();
                    }
                }
            }
        }
        assertTrue(compared > 1_000, "hits were compared: " + compared);
    }

    private SearchRequest request(String query, Filter filter, Fusion fusion) {
        float[] vector = await(embedder.embedQuery(query));
        return new SearchRequest(
                query,
                List.of(new SearchRequest.QueryVector(
                        embedder.model(),
                        vector,
                        ModelTraits.UNKNOWN.withSentences(),
                        Set.of(embedder.model()),
                        embedder.tokens())),
                List.of(BOOKS),
                filter,
                SearchRequest.HitLimits.varied(10, 2),
                fusion);
    }

    private static List<String> shown(SearchResult result) {
        List<String> shown = new ArrayList<>();
        for (Hit hit : result.hits()) {
            StoredChunk chunk = hit.chunk();
            shown.add(String.format(
                    "%s %d %s %.4f %.3f %s %s",
                    chunk.document().source(),
                    chunk.index(),
                    chunk.text(),
                    hit.score(),
                    hit.relevance().orElse(-1),
                    chunk.labels(),
                    chunk.headingPath()));
        }
        return shown;
    }

    private NewDocument document(int number, Random random) {
        StringBuilder text = new StringBuilder();
        List<String> parts = new ArrayList<>();
        for (int part = 0; part < 1 + random.nextInt(5); part++) {
            parts.add(text(random, 5 + random.nextInt(40)) + " unique" + (number * 10 + part));
        }
        List<float[]> vectors = await(embedder.embedDocuments(parts, EmbedListener.NONE));
        List<Chunk> chunks = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            int from = text.length();
            text.append(parts.get(part)).append("\n\n");
            chunks.add(Chunk.of(from, from + parts.get(part).length())
                    .below("Heading " + part, "context " + number % 7)
                    .withLabels(Map.of("kind", part % 2 == 0 ? "a" : "b"))
                    .withVector(new Chunk.ChunkVector(null, vectors.get(part), sentences(random))));
        }
        DocumentDetails details = new DocumentDetails(
                "s" + number,
                "title " + number,
                "txt",
                null,
                "h" + number,
                Json.object().put("year", 2020 + number % 3),
                switch (number % 5) {
                    case 0 -> AllowedReaders.of(List.of("user:bob"));
                    case 1 -> AllowedReaders.of(List.of("user:ann", "user:bob"));
                    default -> AllowedReaders.ALL;
                });
        return new NewDocument(details, text.toString(), embedder.model(), chunks);
    }

    private List<float[]> sentences(Random random) {
        List<String> texts = IntStream.range(0, random.nextInt(4))
                .mapToObj(_ -> text(random, 4))
                .toList();
        return await(embedder.embedDocuments(texts, EmbedListener.NONE));
    }

    private static String text(Random random, int words) {
        return String.join(
                " ",
                IntStream.range(0, words)
                        .mapToObj(_ -> WORDS.get((int) (WORDS.size() * random.nextDouble() * random.nextDouble())))
                        .toList());
    }
}
