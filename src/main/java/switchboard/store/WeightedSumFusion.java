package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes {@link Fusion.WeightedSum} step by step. */
final class WeightedSumFusion {
    /** How many of the best chunks tell what is searched for: for feedback, and whether it is source code. */
    static final int BEST = 3;

    /**
     * What a cosine is worth in a language that the model was not trained on, compared with one that it was trained on.
     * Measured with the shipped model on German, Spanish and Russian; see docs/languages.md.
     */
    private static final double UNTRAINED = 0.7;

    private final Snapshot snapshot;
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
            Snapshot snapshot,
            Optional<KeywordRetriever> keyword,
            VectorRetrievers vector,
            Fusion.WeightedSum weights,
            Optional<Language> language) {
        this.snapshot = snapshot;
        this.keyword = keyword;
        this.vector = vector;
        this.weights = weights;
        this.language = language;
    }

    /** The scores of the candidates, in the order of the index. */
    List<ScoredChunk> scores(CandidateScores candidates) throws IOException {
        Map<Integer, Double> alone = alone(candidates);
        if (weights.feedback() == 0 && weights.neighbours() == 0 && weights.document() == 0) {
            return scored(candidates, alone);
        }
        return scored(
                candidates,
                isSourceCode(best(alone, candidates.chunks()))
                        ? withNeighbours(alone, candidates)
                        : withFeedback(alone, candidates));
    }

    private boolean isSourceCode(int[] chunks) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int chunk : chunks) {
            texts.add(snapshot.chunk(chunk).text());
        }
        return SourceCode.is(texts);
    }

    private Map<Integer, Double> withNeighbours(Map<Integer, Double> alone, CandidateScores candidates)
            throws IOException {
        if (weights.neighbours() == 0 && weights.document() == 0) {
            return alone;
        }
        NeighbourChunks neighbourChunks = NeighbourChunks.of(snapshot.searcher(), candidates.chunks());
        Map<Integer, Double> inDocument = inDocument(neighbourChunks.withThem());
        Map<Integer, Double> smoothed = new HashMap<>();
        for (int chunk : candidates.chunks()) {
            double own = inDocument.getOrDefault(chunk, 0.0);
            double around = neighbourChunks.of(chunk).stream()
                    .mapToDouble(neighbour -> inDocument.getOrDefault(neighbour, 0.0))
                    .average()
                    .orElse(own);
            smoothed.put(chunk, (1 - weights.neighbours()) * own + weights.neighbours() * around);
        }
        return smoothed;
    }

    /** The scores by the query, each with its share of what the document has of the query's words. */
    private Map<Integer, Double> inDocument(int[] chunks) throws IOException {
        Map<Integer, Double> scores = alone(CandidateScores.of(keyword, vector, chunks));
        if (weights.document() > 0 && keyword.isPresent()) {
            Map<Integer, Double> documents = keyword.get().documentScores(chunks, snapshot::documentOf);
            for (int chunk : chunks) {
                double whole = keyword.get().share(documents.getOrDefault(snapshot.documentOf(chunk), 0.0));
                scores.merge(chunk, weights.document() * whole, Double::sum);
            }
        }
        return scores;
    }

    private Map<Integer, Double> withFeedback(Map<Integer, Double> own, CandidateScores candidates) throws IOException {
        Optional<VectorRetriever> single = vector.single();
        int[] having = candidates.vectors().keySet().stream()
                .mapToInt(Integer::intValue)
                .toArray();
        if (weights.feedback() == 0 || single.isEmpty() || having.length == 0) {
            return own;
        }
        Map<Integer, Double> nearer = new HashMap<>(own);
        single.get()
                .nearness(candidates.chunks(), best(own, having))
                .forEach((chunk, nearness) -> nearer.merge(chunk, weights.feedback() * nearness, Double::sum));
        return nearer;
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
                        : score.retriever().trained(language.get().code()));
        return trained ? weights.weight() : weights.weight() * UNTRAINED;
    }

    /** The scores by the query alone. */
    private Map<Integer, Double> alone(CandidateScores candidateScores) throws IOException {
        Map<Integer, Double> pairs = keyword.isPresent() && weights.bigrams() > 0
                ? keyword.get().bigramScores(candidateScores.chunks())
                : Map.of();
        Map<Integer, Double> scores = new HashMap<>();
        for (int chunk : candidateScores.chunks()) {
            double weight = weight(candidateScores.vectors().get(chunk));
            double words = (1 - weight) * candidateScores.bm25().getOrDefault(chunk, 0.0)
                    + weights.bigrams() * pairs.getOrDefault(chunk, 0.0);
            double share = keyword.map(retriever -> retriever.share(words)).orElse(0.0);
            scores.put(chunk, weight * candidateScores.similarity(chunk) + share);
        }
        return scores;
    }

    /** The best of {@code chunks}, ascending. */
    private int[] best(Map<Integer, Double> scores, int[] chunks) {
        return IntStream.of(chunks)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer chunk) -> scores.getOrDefault(chunk, 0.0))
                        .reversed()
                        .thenComparing((Integer chunk) -> TieBreaker.of(snapshot.searcher(), chunk)))
                .limit(BEST)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
    }
}
