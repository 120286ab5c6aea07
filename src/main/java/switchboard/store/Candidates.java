package switchboard.store;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.search.Query;

/** The best of both legs, with what each leg says of every one of them. */
final class Candidates {
    /** How many of the best stand for what was meant. */
    static final int FEEDBACK = 3;

    private final Optional<KeywordLeg> keyword;
    private final VectorLegs vector;

    /** From 1, of those that the words put forward. */
    private final Map<Integer, Integer> keywordRanks;

    /** From 1, of those that the vectors put forward; each model has its own. */
    private final Map<Integer, Integer> vectorRanks;

    /** All, ascending. */
    private final int[] union;

    private final Map<Integer, Double> bm25;
    private final Map<Integer, Double> cosines;

    private Candidates(
            Optional<KeywordLeg> keyword, VectorLegs vector, List<Scored> byWords, List<List<Scored>> byVector)
            throws IOException {
        this.keyword = keyword;
        this.vector = vector;
        this.keywordRanks = ranks(byWords);
        this.vectorRanks = new HashMap<>();
        byVector.forEach(nearest -> ranks(nearest).forEach(vectorRanks::putIfAbsent));
        this.union = Stream.concat(byWords.stream(), byVector.stream().flatMap(List::stream))
                .mapToInt(Scored::chunk)
                .distinct()
                .sorted()
                .toArray();
        this.bm25 = keyword.isPresent() ? keyword.get().scores(union) : Map.of();
        this.cosines = vector.cosines(union);
    }

    /** Asks both legs. */
    static Candidates of(Optional<KeywordLeg> keyword, VectorLegs vector, int depth, Optional<Query> filter)
            throws IOException {
        return new Candidates(
                keyword,
                vector,
                keyword.isPresent() ? keyword.get().top(depth, filter) : List.of(),
                vector.top(depth, filter));
    }

    private static Map<Integer, Integer> ranks(List<Scored> best) {
        Map<Integer, Integer> ranks = new HashMap<>();
        for (Scored scored : best) {
            ranks.put(scored.chunk(), ranks.size() + 1);
        }
        return ranks;
    }

    /** The candidates with their final scores, in the order of the index. */
    List<Scored> fused(Fusion fusion) throws IOException {
        return switch (fusion) {
            case Fusion.Linear linear -> linear(linear);
            case Fusion.Rrf(int k) ->
                scored(chunk -> reciprocal(keywordRanks, chunk, k) + reciprocal(vectorRanks, chunk, k));
            case Fusion.KeywordOnly() -> scored(chunk -> bm25.getOrDefault(chunk, 0.0));
            case Fusion.VectorOnly() -> scored(this::cosine);
        };
    }

    /** A score of a chunk. */
    private interface Scoring {
        double of(int chunk);
    }

    private List<Scored> scored(Scoring scoring) {
        return IntStream.of(union)
                .mapToObj(chunk -> new Scored(chunk, scoring.of(chunk)))
                .toList();
    }

    /** A chunk without a vector counts as the least near of the others, not as the opposite of the query. */
    private double cosine(int chunk) {
        Double known = cosines.get(chunk);
        return known != null
                ? known
                : cosines.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .min()
                        .orElse(0);
    }

    private List<Scored> linear(Fusion.Linear fusion) throws IOException {
        double idfSum = keyword.map(KeywordLeg::idfSum).orElse(1.0);
        Map<Integer, Double> pairs =
                keyword.isPresent() && fusion.bigrams() > 0 ? keyword.get().bigramScores(union) : Map.of();
        List<Scored> first = scored(chunk -> fusion.weight() * cosine(chunk)
                + ((1 - fusion.weight()) * bm25.getOrDefault(chunk, 0.0)
                                + fusion.bigrams() * pairs.getOrDefault(chunk, 0.0))
                        / idfSum);
        Optional<VectorLeg> single = vector.single();
        if (fusion.feedback() == 0 || single.isEmpty()) {
            return first;
        }
        int[] best = first.stream()
                .filter(candidate -> cosines.containsKey(candidate.chunk()))
                .sorted(Comparator.comparingDouble(Scored::score).reversed().thenComparingInt(Scored::chunk))
                .limit(FEEDBACK)
                .mapToInt(Scored::chunk)
                .sorted()
                .toArray();
        if (best.length == 0) {
            return first;
        }
        Map<Integer, Double> nearness = single.get().nearness(union, best);
        return first.stream()
                .map(candidate -> new Scored(
                        candidate.chunk(),
                        candidate.score() + fusion.feedback() * nearness.getOrDefault(candidate.chunk(), 0.0)))
                .toList();
    }

    private static double reciprocal(Map<Integer, Integer> ranks, int chunk, int k) {
        Integer rank = ranks.get(chunk);
        return rank == null ? 0 : 1.0 / (k + rank);
    }

    /** What the words say of a candidate. */
    Optional<Hit.Leg> keyword(int chunk) {
        return leg(keywordRanks, bm25, chunk);
    }

    /** What the vectors say of a candidate. */
    Optional<Hit.Leg> vector(int chunk) {
        return leg(vectorRanks, cosines, chunk);
    }

    private static Optional<Hit.Leg> leg(Map<Integer, Integer> ranks, Map<Integer, Double> scores, int chunk) {
        Double score = scores.get(chunk);
        return score == null ? Optional.empty() : Optional.of(new Hit.Leg(ranks.getOrDefault(chunk, 0), score));
    }
}
