package switchboard.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The best of both legs, with what each leg says of every one of them.
 *
 * @param keywordRanks from 1, of those that the words put forward
 * @param vectorRanks from 1, of those that the vectors put forward
 * @param bm25 of every candidate that has a term
 * @param cosines of every candidate that has a vector
 * @param idfSum see {@link KeywordLeg#idfSum}; 1 without that leg
 */
record Candidates(
        Map<Integer, Integer> keywordRanks,
        Map<Integer, Integer> vectorRanks,
        Map<Integer, Double> bm25,
        Map<Integer, Double> cosines,
        double idfSum) {

    /** Asks both legs. */
    static Candidates of(
            Optional<KeywordLeg> keyword,
            Optional<VectorLeg> vector,
            int depth,
            Optional<org.apache.lucene.search.Query> filter)
            throws IOException {
        List<Scored> byWords = keyword.isPresent() ? keyword.get().top(depth, filter) : List.of();
        List<Scored> byVector = vector.isPresent() ? vector.get().top(depth, filter) : List.of();
        int[] union = Stream.concat(byWords.stream(), byVector.stream())
                .mapToInt(Scored::chunk)
                .distinct()
                .sorted()
                .toArray();
        return new Candidates(
                ranks(byWords),
                ranks(byVector),
                keyword.isPresent() ? keyword.get().scores(union) : Map.of(),
                vector.isPresent() ? vector.get().cosines(union) : Map.of(),
                keyword.map(KeywordLeg::idfSum).orElse(1.0));
    }

    private static Map<Integer, Integer> ranks(List<Scored> best) {
        Map<Integer, Integer> ranks = new HashMap<>();
        for (Scored scored : best) {
            ranks.put(scored.chunk(), ranks.size() + 1);
        }
        return ranks;
    }

    /** The candidates with their final scores, in the order of the index. */
    List<Scored> fused(Fusion fusion) {
        TreeSet<Integer> all = new TreeSet<>(keywordRanks.keySet());
        all.addAll(vectorRanks.keySet());
        // A chunk without a vector counts as the least near of the others, not as the opposite of the query.
        double farthest =
                cosines.values().stream().mapToDouble(cosine -> cosine).min().orElse(0);
        return all.stream()
                .map(chunk -> new Scored(chunk, score(fusion, chunk, farthest)))
                .toList();
    }

    private double score(Fusion fusion, int chunk, double farthest) {
        return switch (fusion) {
            case Fusion.Linear(double weight) ->
                weight * cosines.getOrDefault(chunk, farthest) + (1 - weight) * bm25.getOrDefault(chunk, 0.0) / idfSum;
            case Fusion.Rrf(int k) -> reciprocal(keywordRanks, chunk, k) + reciprocal(vectorRanks, chunk, k);
            case Fusion.KeywordOnly() -> bm25.getOrDefault(chunk, 0.0);
            case Fusion.VectorOnly() -> cosines.getOrDefault(chunk, farthest);
        };
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
