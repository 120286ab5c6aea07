package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.call.ScorePart;
import switchboard.call.ScorePart.Name;
import switchboard.store.SearchRequest.Explain;

/** What scores are made of, in small libraries of prose and of source code. */
@ExtendWith(VertxExtension.class)
class ScorePartsTest {
    private static final List<String> WORDS = List.of("harbour", "tug", "vessel", "rope", "engine", "steam", "river");
    private static final List<Fusion> FUSIONS = List.of(
            Fusion.standard(),
            new Fusion.WeightedSum(0.4),
            new Fusion.WeightedSum(0.4, 0, 0.5, 0),
            new Fusion.WeightedSum(0.3, 0.2, 0, 0.5, 0, 0),
            new Fusion.WeightedSum(0.6, 0, 0, 0, 0.4, 0.3),
            new Fusion.WeightedSum(0.6, 0.1, 0, 0, 0.3, 0),
            Fusion.byRank(),
            new Fusion.KeywordOnly(),
            new Fusion.VectorOnly());

    @TempDir
    Path folder;

    /** A document of some chunks, of which most have a vector. */
    private static NewDocument document(Random random, String source, boolean code) {
        StringBuilder text = new StringBuilder();
        List<Chunk> chunks = new ArrayList<>();
        for (int chunk = 0; chunk < 1 + random.nextInt(4); chunk++) {
            int from = text.length();
            for (int i = 0; i < 24; i++) {
                String word = WORDS.get(random.nextInt(WORDS.size()));
                text.append(code ? word + "(); " : word + " and ");
            }
            Chunk made = Chunk.of(from, text.length());
            double angle = random.nextDouble() * 3;
            chunks.add(
                    random.nextInt(5) == 0
                            ? made
                            : made.withVector(new float[] {(float) Math.cos(angle), (float) Math.sin(angle)}));
        }
        return new NewDocument(
                new DocumentDetails(source, "", "md", null, "h" + source, Json.object()), text.toString(), "m", chunks);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePartsAddUpToTheScore(boolean code, Vertx vertx) {
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            Random random = new Random(code ? 1 : 2);
            Set<Name> seen = EnumSet.noneOf(Name.class);
            for (int library = 0; library < 5; library++) {
                for (int i = 0; i < 4; i++) {
                    fixture.put(BOOKS, document(random, "s" + library + "-" + i, code));
                }
                for (Fusion fusion : FUSIONS) {
                    seen.addAll(explained(fixture, fusion));
                }
            }
            Set<Name> all = EnumSet.of(Name.KEYWORD, Name.VECTOR, Name.BIGRAMS, Name.KEYWORD_RANK, Name.VECTOR_RANK);
            all.addAll(code ? Set.of(Name.NEIGHBOURS, Name.DOCUMENT) : Set.of(Name.PROXIMITY, Name.FEEDBACK));
            assertEquals(all, seen);
        }
    }

    /** Of a document of one chunk, {@link Name#DOCUMENT} is a part of the same score by words. */
    @Test
    void wordsCountLessInSourceCode(Vertx vertx) {
        try (StoreFixture fixture = new StoreFixture(vertx, folder)) {
            fixture.put(BOOKS, StoreFixture.vectorDoc("code", "steam(); rope();", 1, 0));
            SearchResult found = fixture.search(request(new Fusion.WeightedSum(0.4, 0, 0, 0, 0, 0.3), Explain.PARTS));
            List<ScorePart> parts = found.explanations().getFirst().parts();
            assertEquals(0.7 * (1 - 0.4) / 0.3, value(parts, Name.KEYWORD) / value(parts, Name.DOCUMENT), 1e-6);
        }
    }

    private static double value(List<ScorePart> parts, Name name) {
        return parts.stream()
                .filter(part -> part.name() == name)
                .mapToDouble(ScorePart::value)
                .sum();
    }

    /** The names of all parts that are not zero. */
    private static Set<Name> explained(StoreFixture fixture, Fusion fusion) {
        SearchResult plain = fixture.search(request(fusion, Explain.NOTHING));
        SearchResult explained = fixture.search(request(fusion, Explain.PARTS));
        SearchResult withWords = fixture.search(request(fusion, Explain.PARTS_AND_WORDS));
        assertEquals(List.of(), plain.explanations());
        assertFalse(plain.hits().isEmpty());
        assertEquals(scores(plain), scores(explained));
        assertEquals(parts(explained), parts(withWords));
        assertTrue(explained.explanations().stream().allMatch(one -> one.words().isEmpty()));
        assertTrue(
                withWords.explanations().stream().anyMatch(one -> !one.words().isEmpty()));
        assertEquals(explained.hits().size(), explained.explanations().size());
        Set<Name> seen = EnumSet.noneOf(Name.class);
        for (int i = 0; i < explained.hits().size(); i++) {
            List<ScorePart> parts = explained.explanations().get(i).parts();
            assertEquals(
                    explained.hits().get(i).score(),
                    parts.stream().mapToDouble(ScorePart::value).sum(),
                    1e-9,
                    () -> fusion + ": " + parts);
            Set<Name> once = EnumSet.noneOf(Name.class);
            parts.forEach(part -> assertTrue(once.add(part.name()), parts::toString));
            parts.stream()
                    .filter(part -> part.value() != 0)
                    .map(ScorePart::name)
                    .forEach(seen::add);
        }
        return seen;
    }

    private static List<List<ScorePart>> parts(SearchResult result) {
        return result.explanations().stream().map(ScoreExplanation::parts).toList();
    }

    private static List<Double> scores(SearchResult result) {
        return result.hits().stream().map(Hit::score).toList();
    }

    private static SearchRequest request(Fusion fusion, Explain explain) {
        return new SearchRequest(
                "steam tug",
                List.of(new SearchRequest.QueryVector("m", new float[] {1, 0})),
                List.of(BOOKS),
                new Filter.All(),
                SearchRequest.HitLimits.varied(10, 2),
                fusion,
                SearchRequest.Spelling.SUGGESTED,
                explain);
    }
}
