package switchboard.store;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.lucene.search.IndexSearcher;

/** {@link Fusion.Linear} step by step. */
final class LinearFusion {
    /** How many of the best stand for what was meant. */
    static final int FEEDBACK = 3;

    private final IndexSearcher searcher;
    private final Optional<KeywordLeg> keyword;
    private final VectorLegs vector;
    private final Fusion.Linear weights;

    LinearFusion(IndexSearcher searcher, Optional<KeywordLeg> keyword, VectorLegs vector, Fusion.Linear weights) {
        this.searcher = searcher;
        this.keyword = keyword;
        this.vector = vector;
        this.weights = weights;
    }

    /** The scores of the candidates, in the order of the index. */
    List<Scored> scores(Evidence candidates) throws IOException {
        if (weights.neighbours() == 0) {
            return scored(candidates, alone(candidates, candidates));
        }
        Neighbours neighbours = Neighbours.of(searcher, candidates.chunks());
        Map<Integer, Double> alone = alone(Evidence.of(keyword, vector, neighbours.withThem()), candidates);
        Map<Integer, Double> smoothed = new HashMap<>();
        for (int chunk : candidates.chunks()) {
            double own = alone.getOrDefault(chunk, 0.0);
            double around = neighbours.of(chunk).stream()
                    .mapToDouble(neighbour -> alone.getOrDefault(neighbour, 0.0))
                    .average()
                    .orElse(own);
            smoothed.put(chunk, (1 - weights.neighbours()) * own + weights.neighbours() * around);
        }
        return scored(candidates, smoothed);
    }

    private static List<Scored> scored(Evidence candidates, Map<Integer, Double> scores) {
        return IntStream.of(candidates.chunks())
                .mapToObj(chunk -> new Scored(chunk, scores.getOrDefault(chunk, 0.0)))
                .toList();
    }

    /** Each chunk by what is in it; the best for the feedback are among the candidates. */
    private Map<Integer, Double> alone(Evidence evidence, Evidence candidates) throws IOException {
        double idfSum = keyword.map(KeywordLeg::idfSum).orElse(1.0);
        Map<Integer, Double> pairs =
                keyword.isPresent() && weights.bigrams() > 0 ? keyword.get().bigramScores(evidence.chunks()) : Map.of();
        Map<Integer, Double> scores = new HashMap<>();
        for (int chunk : evidence.chunks()) {
            double words = (1 - weights.weight()) * evidence.bm25().getOrDefault(chunk, 0.0)
                    + weights.bigrams() * pairs.getOrDefault(chunk, 0.0);
            scores.put(chunk, weights.weight() * evidence.cosine(chunk) + words / idfSum);
        }
        Optional<VectorLeg> single = vector.single();
        int[] best = weights.feedback() == 0 ? new int[0] : best(scores, candidates);
        if (single.isPresent() && best.length > 0) {
            single.get()
                    .nearness(evidence.chunks(), best)
                    .forEach((chunk, nearness) -> scores.merge(chunk, weights.feedback() * nearness, Double::sum));
        }
        return scores;
    }

    private int[] best(Map<Integer, Double> scores, Evidence candidates) {
        return candidates.cosines().keySet().stream()
                .sorted(Comparator.comparingDouble((Integer chunk) -> scores.getOrDefault(chunk, 0.0))
                        .reversed()
                        .thenComparing((Integer chunk) -> Ties.of(searcher, chunk)))
                .limit(FEEDBACK)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }
}
