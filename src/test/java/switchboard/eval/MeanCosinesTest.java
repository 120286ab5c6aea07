package switchboard.eval;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import switchboard.store.Chunk;

class MeanCosinesTest {
    private static float[] at(double cosine) {
        return new float[] {(float) cosine, (float) Math.sqrt(1 - cosine * cosine)};
    }

    /** Twelve texts; the everyday question is (1, 0), so only the ten nearest of them count. */
    private static Chunk.ChunkVector of(float[]... vectors) {
        return Chunk.ChunkVector.of("m", List.of(vectors));
    }

    @Test
    void relatedIsWhatIsJudgedAndUnrelatedWhatIsNearestToEverydayQuestions() {
        Map<String, String> texts = new LinkedHashMap<>();
        Map<String, Chunk.ChunkVector> vectors = new HashMap<>();
        for (int i = 0; i < 12; i++) {
            texts.put("t" + i, "text " + i);
            vectors.put("text " + i, of(at(i < 10 ? 0.2 : -0.9)));
        }
        vectors.put("text 0", of(at(0.1), at(0.6)));
        JudgedSet set = new JudgedSet(
                "set",
                texts,
                Map.of("q", "question", "unread", "вопрос"),
                Map.of("q", Map.of("t0", 1, "t1", 0, "gone", 1), "unread", Map.of("t1", 1)));
        MeanCosines mean = MeanCosines.of(set, vectors, Map.of("q", at(0.6)), List.of(at(1)));
        assertEquals(1, mean.related().orElseThrow(), 1e-6);
        assertEquals((0.6 + 9 * 0.2) / 10, mean.unrelated().orElseThrow(), 1e-6);
        EvalComparison comparison = new EvalComparison("set", 12, List.of(), Map.of("m", mean));
        assertTrue(comparison.table().contains("cosines of m: {unrelated: 0.24, related: 1.00}"), comparison::table);
        assertEquals(
                0.24,
                comparison.json().path("cosines").path("m").path("unrelated").asDouble(),
                1e-6);
    }

    /** A model for Japanese, say, reads no everyday question. */
    @Test
    void whatIsNotMeasuredIsNotZero() {
        JudgedSet set = new JudgedSet("set", Map.of("t", "text"), Map.of("q", "question"), Map.of("q", Map.of("t", 1)));
        MeanCosines mean = MeanCosines.of(set, Map.of("text", of(at(0.5))), Map.of("q", at(0.5)), List.of());
        EvalComparison comparison = new EvalComparison("set", 1, List.of(), Map.of("m", mean));
        assertTrue(
                comparison.table().contains("cosines of m: {unrelated: not measured, related: 1.00}"),
                comparison::table);
        JsonNode json = comparison.json().path("cosines").path("m");
        assertFalse(json.has("unrelated"));
        assertEquals(1, json.path("related").asDouble(), 1e-6);
    }
}
