package switchboard.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.testing.CalculatedEmbedder;

/** Texts are embedded once, in the background, and compared as soon as all are there. */
class TextSimilarityTest {
    private static final List<String> TEXTS = List.of("ab", "b", "ab");

    /** Embeds when the test says so. */
    private static final class Slow implements Embedder {
        final Embedder model = new CalculatedEmbedder(
                "m",
                2,
                text -> text.equals("a") || text.equals("query")
                        ? new float[] {1, 0}
                        : text.equals("b") ? new float[] {0, 1} : new float[] {.6f, .8f});
        final List<List<String>> asked = new ArrayList<>();
        final Deque<Promise<Void>> open = new ArrayDeque<>();
        ModelTraits traits = ModelTraits.UNKNOWN;

        @Override
        public String model() {
            return model.model();
        }

        @Override
        public int dimension() {
            return model.dimension();
        }

        @Override
        public int maxTokens() {
            return model.maxTokens();
        }

        @Override
        public ModelTraits traits() {
            return traits;
        }

        @Override
        public TokenCounter tokens() {
            return model.tokens();
        }

        @Override
        public ModelReadiness readiness() {
            return model.readiness();
        }

        @Override
        public Future<Void> warmUp() {
            return model.warmUp();
        }

        @Override
        public Future<float[]> embedQuery(String text) {
            return text.equals("down")
                    ? Future.failedFuture(new ToolException(FailureKind.UNAVAILABLE, "down"))
                    : model.embedQuery(text);
        }

        @Override
        public Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener) {
            asked.add(texts);
            Promise<Void> promise = Promise.promise();
            open.add(promise);
            return promise.future().compose(_ -> model.embedDocuments(texts, listener));
        }

        @Override
        public Future<Void> close() {
            return model.close();
        }
    }

    private final Slow model = new Slow();
    private final TextSimilarity similarity = new TextSimilarity(() -> Optional.of(model));

    private Optional<double[]> of(String query, List<String> texts) {
        Future<Optional<double[]>> result = similarity.of(query, texts);
        assertTrue(result.isComplete());
        return result.result();
    }

    @Test
    void nothingIsComparedBeforeAllTextsAreRead() {
        assertEquals(Optional.empty(), of("query", TEXTS));
        assertEquals(Optional.empty(), of("query", TEXTS));
        assertEquals(1, model.asked.size(), "once");
        assertEquals(
                List.of("ab", "b"), model.asked.getFirst().stream().sorted().toList());
        model.open.remove().complete();
        assertArrayEquals(new double[] {.6, 0, .6}, of("query", TEXTS).orElseThrow(), 1e-6);
        assertEquals(1, model.asked.size());
        assertEquals(Optional.empty(), of("query", List.of("b", "a")));
        assertEquals(List.of("a"), model.asked.getLast());
        model.open.remove().complete();
        assertArrayEquals(new double[] {0, 1}, of("query", List.of("b", "a")).orElseThrow(), 1e-6);
    }

    @Test
    void usualCosinesNormalize() {
        model.traits = new ModelTraits(ModelTraits.UNKNOWN.languages(), Optional.of(new CosineCalibration(.2, .6)));
        of("query", TEXTS);
        model.open.remove().complete();
        assertArrayEquals(new double[] {1, -.5, 1}, of("query", TEXTS).orElseThrow(), 1e-6);
    }

    @Test
    void aQueryThatCannotBeEmbeddedIsNoAnswer() {
        of("query", TEXTS);
        model.open.remove().complete();
        assertEquals(Optional.empty(), of("down", TEXTS));
        assertTrue(of("query", TEXTS).isPresent());
    }

    @Test
    void aModelThatFailedIsLeftAloneForAWhile() {
        assertEquals(Optional.empty(), of("query", TEXTS));
        model.open.remove().fail("down");
        assertEquals(Optional.empty(), of("query", TEXTS));
        assertEquals(1, model.asked.size());
    }

    @Test
    void aListThatIsTooLongIsNotCompared() {
        of("query", IntStream.range(0, 20_001).mapToObj(Integer::toString).toList());
        assertEquals(0, model.asked.size());
    }

    @Test
    void manyTextsAreReadAFewAtATime() {
        List<String> many = IntStream.range(0, 100).mapToObj(i -> "text " + i).toList();
        assertEquals(Optional.empty(), of("query", many));
        while (!model.open.isEmpty()) {
            assertTrue(model.asked.getLast().size() <= 32);
            assertEquals(Optional.empty(), of("query", many));
            model.open.remove().complete();
        }
        assertEquals(4, model.asked.size());
        assertEquals(100, of("query", many).orElseThrow().length);
    }

    @Test
    void textsOfToolsThatAreGoneAreForgotten() {
        for (int i = 0; i < 5; i++) {
            String round = "round " + i + ": ";
            of("query", IntStream.range(0, 6000).mapToObj(n -> round + n).toList());
            while (!model.open.isEmpty()) {
                model.open.remove().complete();
            }
        }
        of("query", List.of("round 4: 1", "round 0: 1"));
        assertEquals(List.of("round 0: 1"), model.asked.getLast());
    }

    @Test
    void withoutAModelThereIsNothing() {
        assertEquals(
                Optional.empty(),
                new TextSimilarity(Optional::empty).of("query", TEXTS).result());
    }
}
