package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import switchboard.testing.WordRanking;

/**
 * Hybrid search as Weaviate documents it: BM25 over the texts and cosines of the vectors, each scaled to 0..1 over its
 * list, added with the weights {@code 1 - alpha} and {@code alpha} ({@code relativeScoreFusion}).
 */
final class StubRanking {
    private static final int DEPTH = 100;

    private StubRanking() {}

    /** The ids of {@code objects} and their scores, best first. */
    static Map<String, Double> of(Collection<ObjectNode> objects, JsonNode arguments, Set<String> whole) {
        Predicate<JsonNode> filter = arguments.has("where") ? StubFilter.of(arguments.path("where"), whole) : _ -> true;
        List<ObjectNode> candidates = objects.stream().filter(filter::test).toList();
        JsonNode hybrid = arguments.path("hybrid");
        double alpha = hybrid.path("alpha").asDouble(0.75);
        WordRanking words = new WordRanking();
        Map<String, Double> near = new HashMap<>();
        for (ObjectNode object : candidates) {
            String id = object.path("id").asText();
            StringBuilder text = new StringBuilder();
            object.path("properties").forEach(value -> text.append(value.isTextual() ? value.asText() : "")
                    .append(' '));
            words.add(id, text.toString());
            if (alpha > 0 && !object.path("vector").isEmpty()) {
                near.put(id, WordRanking.cosine(vector(hybrid.path("vector")), vector(object.path("vector"))));
            }
        }
        Map<String, Double> scores = new HashMap<>();
        add(scores, alpha < 1 ? words.bm25(hybrid.path("query").asText()) : Map.of(), 1 - alpha);
        add(scores, WordRanking.sorted(near), alpha);
        return WordRanking.sorted(scores);
    }

    private static void add(Map<String, Double> scores, Map<String, Double> leg, double weight) {
        Map<String, Double> first = new LinkedHashMap<>();
        leg.entrySet().stream().limit(DEPTH).forEach(entry -> first.put(entry.getKey(), entry.getValue()));
        double most =
                first.values().stream().mapToDouble(Double::doubleValue).max().orElse(1);
        double least =
                first.values().stream().mapToDouble(Double::doubleValue).min().orElse(0);
        first.forEach((id, score) ->
                scores.merge(id, weight * (most == least ? 1 : (score - least) / (most - least)), Double::sum));
    }

    private static float[] vector(JsonNode numbers) {
        float[] vector = new float[numbers.size()];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = (float) numbers.get(i).asDouble();
        }
        return vector;
    }
}
