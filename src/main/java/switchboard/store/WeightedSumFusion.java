package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import switchboard.call.ScorePart;
import switchboard.call.ScorePart.Name;

/** Computes {@link Fusion.WeightedSum} step by step. */
final class WeightedSumFusion {
    /** How many of the best chunks tell what is searched for: for feedback, and whether it is source code. */
    static final int BEST = 3;

    /**
     * What words are worth in source code, compared with prose. A question is seldom in the words of the code that answers it, and
     * its words are also in code that does something else. Measured with the shipped model; see bench/results.md.
     */
    static final double WORDS_IN_CODE = 0.7;

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
        Map<Integer, Double> alone = alone(candidates, 1);
        if (!dependsOnBest()) {
            return scored(candidates, alone);
        }
        return scored(
                candidates,
                isSourceCode(best(alone, candidates.chunks()))
                        ? withNeighbours(candidates)
                        : withFeedback(withProximity(alone, proximity(candidates)), candidates));
    }

    /** What {@link #scores} are made of. */
    ScoreParts parts(CandidateScores candidates) throws IOException {
        if (!dependsOnBest()) {
            return own(candidates, 1);
        }
        Map<Integer, Double> alone = alone(candidates, 1);
        return isSourceCode(best(alone, candidates.chunks()))
                ? partsInCode(candidates)
                : partsInProse(candidates, alone);
    }

    /** Whether a step depends on what the best chunks are. */
    private boolean dependsOnBest() {
        return weights.proximity() > 0 || weights.feedback() > 0 || weights.neighbours() > 0 || weights.document() > 0;
    }

    private ScoreParts partsInProse(CandidateScores candidates, Map<Integer, Double> alone) throws IOException {
        ScoreParts parts = own(candidates, 1);
        Map<Integer, Double> proximity = proximity(candidates);
        if (!proximity.isEmpty()) {
            parts = parts.and(Name.PROXIMITY, chunk -> proximity.getOrDefault(chunk, 0.0));
        }
        Map<Integer, Double> nearer = nearness(withProximity(alone, proximity), candidates);
        return nearer.isEmpty()
                ? parts
                : parts.and(Name.FEEDBACK, chunk -> weights.feedback() * nearer.getOrDefault(chunk, 0.0));
    }

    private ScoreParts partsInCode(CandidateScores candidates) throws IOException {
        if (weights.neighbours() == 0 && weights.document() == 0) {
            return own(candidates, WORDS_IN_CODE);
        }
        NeighbourChunks neighbourChunks = NeighbourChunks.of(snapshot.searcher(), candidates.chunks());
        CandidateScores around = candidates(neighbourChunks.withThem());
        Map<Integer, Double> documents = new HashMap<>();
        addDocuments(documents, around.chunks());
        ScoreParts inDocument =
                own(around, WORDS_IN_CODE).and(Name.DOCUMENT, chunk -> documents.getOrDefault(chunk, 0.0));
        return chunk -> neighbourChunks.of(chunk).isEmpty() || weights.neighbours() == 0
                ? inDocument.of(chunk)
                : inDocument
                        .times(1 - weights.neighbours())
                        .and(
                                Name.NEIGHBOURS,
                                one -> weights.neighbours() * mean(neighbourChunks.of(one), inDocument::sum))
                        .of(chunk);
    }

    private static double mean(List<Integer> chunks, IntToDoubleFunction scores) {
        return chunks.stream().mapToDouble(scores::applyAsDouble).average().orElse(0);
    }

    /**
     * What {@link #alone} is made of.
     *
     * @param worth what words are worth, compared with prose
     */
    private ScoreParts own(CandidateScores scores, double worth) {
        Map<Integer, Double> pairs = pairs(scores);
        return chunk -> {
            double weight = weight(scores.vectors().get(chunk));
            List<ScorePart> parts = new ArrayList<>();
            parts.add(new ScorePart(Name.KEYWORD, worth * share((1 - weight) * scores.bm25(chunk))));
            if (!pairs.isEmpty()) {
                parts.add(
                        new ScorePart(Name.BIGRAMS, worth * share(weights.bigrams() * pairs.getOrDefault(chunk, 0.0))));
            }
            if (!vector.isEmpty()) {
                parts.add(new ScorePart(Name.VECTOR, weight * scores.similarity(chunk)));
            }
            return parts;
        };
    }

    private boolean isSourceCode(int[] chunks) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int chunk : chunks) {
            texts.add(snapshot.chunk(chunk).text());
        }
        return SourceCode.is(texts);
    }

    private Map<Integer, Double> withNeighbours(CandidateScores candidates) throws IOException {
        if (weights.neighbours() == 0 && weights.document() == 0) {
            return alone(candidates, WORDS_IN_CODE);
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
        Map<Integer, Double> scores = alone(candidates(chunks), WORDS_IN_CODE);
        addDocuments(scores, chunks);
        return scores;
    }

    private void addDocuments(Map<Integer, Double> scores, int[] chunks) throws IOException {
        if (weights.document() > 0 && keyword.isPresent()) {
            Map<Integer, Double> documents = keyword.get().documentScores(chunks, snapshot::documentOf);
            for (int chunk : chunks) {
                double whole = keyword.get().share(documents.getOrDefault(snapshot.documentOf(chunk), 0.0));
                scores.merge(chunk, weights.document() * whole, Double::sum);
            }
        }
    }

    private static Map<Integer, Double> withProximity(Map<Integer, Double> alone, Map<Integer, Double> proximity) {
        Map<Integer, Double> closer = new HashMap<>(alone);
        proximity.forEach((chunk, change) -> closer.merge(chunk, change, Double::sum));
        return closer;
    }

    /** By how much the best window of each chunk changes its score; empty if the step is skipped. */
    private Map<Integer, Double> proximity(CandidateScores candidates) {
        if (weights.proximity() == 0) {
            return Map.of();
        }
        Map<Integer, Double> changes = new HashMap<>();
        candidates.words().windows().forEach((chunk, window) -> {
            double words = 1 - weight(candidates.vectors().get(chunk));
            changes.put(chunk, share(words * weights.proximity() * (window - candidates.bm25(chunk))));
        });
        return changes;
    }

    private Map<Integer, Double> withFeedback(Map<Integer, Double> own, CandidateScores candidates) throws IOException {
        Map<Integer, Double> nearness = nearness(own, candidates);
        if (nearness.isEmpty()) {
            return own;
        }
        Map<Integer, Double> nearer = new HashMap<>(own);
        nearness.forEach((chunk, near) -> nearer.merge(chunk, weights.feedback() * near, Double::sum));
        return nearer;
    }

    /** How near chunks are to the best ones; empty without feedback. */
    private Map<Integer, Double> nearness(Map<Integer, Double> own, CandidateScores candidates) throws IOException {
        Optional<VectorRetriever> single = vector.single();
        int[] having = candidates.vectors().keySet().stream()
                .mapToInt(Integer::intValue)
                .toArray();
        if (weights.feedback() == 0 || single.isEmpty() || having.length == 0) {
            return Map.of();
        }
        return single.get().nearness(candidates.chunks(), best(own, having));
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
        Optional<String> code = language.map(Language::code);
        double ofLanguage = score == null
                ? vector.languageWeight(code)
                : score.retriever().traits().languageWeight(code);
        return weights.weight() * vector.weight() * ofLanguage;
    }

    /**
     * The scores by the query alone.
     *
     * @param worth what words are worth, compared with prose
     */
    private Map<Integer, Double> alone(CandidateScores candidateScores, double worth) {
        Map<Integer, Double> pairs = pairs(candidateScores);
        Map<Integer, Double> scores = new HashMap<>();
        for (int chunk : candidateScores.chunks()) {
            double weight = weight(candidateScores.vectors().get(chunk));
            double words =
                    (1 - weight) * candidateScores.bm25(chunk) + weights.bigrams() * pairs.getOrDefault(chunk, 0.0);
            scores.put(chunk, weight * candidateScores.similarity(chunk) + worth * share(words));
        }
        return scores;
    }

    private Map<Integer, Double> pairs(CandidateScores candidateScores) {
        return weights.bigrams() > 0 ? candidateScores.words().pairs() : Map.of();
    }

    private CandidateScores candidates(int[] chunks) throws IOException {
        return CandidateScores.of(keyword, vector, chunks, KeywordRetriever.scoring(weights));
    }

    private double share(double words) {
        return keyword.isPresent() ? keyword.get().share(words) : 0;
    }

    /** The best of {@code chunks}, ascending. */
    private int[] best(Map<Integer, Double> scores, int[] chunks) throws IOException {
        List<ScoredChunk> scored = IntStream.of(chunks)
                .mapToObj(chunk -> new ScoredChunk(chunk, scores.getOrDefault(chunk, 0.0)))
                .toList();
        return TieBreaker.best(snapshot.searcher(), scored, BEST).stream()
                .mapToInt(ScoredChunk::chunk)
                .sorted()
                .toArray();
    }
}
