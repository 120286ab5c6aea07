package switchboard.store;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;

/** Computes {@link Fusion.WeightedSum} step by step. */
final class WeightedSumFusion {
    /** How many of the best chunks are used for feedback. */
    static final int FEEDBACK = 3;

    /**
     * What a cosine is worth in a language that the model was not trained on, compared with one that it was trained on.
     * Measured with the shipped model on German, Spanish and Russian; see docs/languages.md.
     */
    private static final double UNTRAINED = 0.7;

    private final IndexSearcher searcher;
    private final Optional<KeywordRetriever> keyword;
    private final VectorRetrievers vector;
    private final Fusion.WeightedSum weights;
    private final Optional<Language> language;

    /**
     * A fusion.
     *
     * @param language the query's language; empty for English, and if the query does not tell
     */
    WeightedSumFusion(
            IndexSearcher searcher,
            Optional<KeywordRetriever> keyword,
            VectorRetrievers vector,
            Fusion.WeightedSum weights,
            Optional<Language> language) {
        this.searcher = searcher;
        this.keyword = keyword;
        this.vector = vector;
        this.weights = weights;
        this.language = language;
    }

    /** The scores of the candidates, in the order of the index. */
    List<ScoredChunk> scores(CandidateScores candidates) throws IOException {
        if (weights.neighbours() == 0) {
            return scored(candidates, alone(candidates, candidates));
        }
        NeighbourChunks neighbourChunks = NeighbourChunks.of(searcher, candidates.chunks());
        Map<Integer, Double> alone = alone(CandidateScores.of(keyword, vector, neighbourChunks.withThem()), candidates);
        Map<Integer, Double> smoothed = new HashMap<>();
        for (int chunk : candidates.chunks()) {
            double own = alone.getOrDefault(chunk, 0.0);
            double around = neighbourChunks.of(chunk).stream()
                    .mapToDouble(neighbour -> alone.getOrDefault(neighbour, 0.0))
                    .average()
                    .orElse(own);
            smoothed.put(chunk, (1 - weights.neighbours()) * own + weights.neighbours() * around);
        }
        return scored(candidates, smoothed);
    }

    private static List<ScoredChunk> scored(CandidateScores candidates, Map<Integer, Double> scores) {
        return IntStream.of(candidates.chunks())
                .mapToObj(chunk -> new ScoredChunk(chunk, scores.getOrDefault(chunk, 0.0)))
                .toList();
    }

    /**
     * The weight of a chunk's similarity: less if its model was not trained on the query's language. A chunk without a vector
     * counts like those of the model that was.
     */
    private double weight(CandidateScores.@Nullable VectorScore score) {
        boolean trained = language.isEmpty()
                || (score == null
                        ? vector.trained(language.get().code())
                        : score.leg().trained(language.get().code()));
        return trained ? weights.weight() : weights.weight() * UNTRAINED;
    }

    /** The scores without neighbouring chunks. The best chunks for the feedback are taken from the candidates. */
    private Map<Integer, Double> alone(CandidateScores candidateScores, CandidateScores candidates) throws IOException {
        double idfSum = keyword.map(KeywordRetriever::idfSum).orElse(1.0);
        Map<Integer, Double> pairs = keyword.isPresent() && weights.bigrams() > 0
                ? keyword.get().bigramScores(candidateScores.chunks())
                : Map.of();
        Map<Integer, Double> scores = new HashMap<>();
        for (int chunk : candidateScores.chunks()) {
            double weight = weight(candidateScores.vectors().get(chunk));
            double words = (1 - weight) * candidateScores.bm25().getOrDefault(chunk, 0.0)
                    + weights.bigrams() * pairs.getOrDefault(chunk, 0.0);
            scores.put(chunk, weight * candidateScores.similarity(chunk) + words / idfSum);
        }
        Optional<VectorRetriever> single = vector.single();
        int[] best = weights.feedback() == 0 ? new int[0] : best(scores, candidates);
        if (single.isPresent() && best.length > 0) {
            single.get()
                    .nearness(candidateScores.chunks(), best)
                    .forEach((chunk, nearness) -> scores.merge(chunk, weights.feedback() * nearness, Double::sum));
        }
        return scores;
    }

    private int[] best(Map<Integer, Double> scores, CandidateScores candidates) {
        return candidates.vectors().keySet().stream()
                .sorted(Comparator.comparingDouble((Integer chunk) -> scores.getOrDefault(chunk, 0.0))
                        .reversed()
                        .thenComparing((Integer chunk) -> TieBreaker.of(searcher, chunk)))
                .limit(FEEDBACK)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }
}
