package switchboard.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/** The best of both legs, with what each leg says of every one of them. */
final class Candidates {
    private final IndexSearcher searcher;
    private final Optional<KeywordLeg> keyword;
    private final VectorLegs vector;

    /** From 1, of those that the words put forward. */
    private final Map<Integer, Integer> keywordRanks;

    /** From 1, of those that the vectors put forward; each model has its own. */
    private final Map<Integer, Integer> vectorRanks;

    /** Of all of them. */
    private final Evidence evidence;

    private Candidates(
            IndexSearcher searcher,
            Optional<KeywordLeg> keyword,
            VectorLegs vector,
            List<Scored> byWords,
            List<List<Scored>> byVector)
            throws IOException {
        this.searcher = searcher;
        this.keyword = keyword;
        this.vector = vector;
        this.keywordRanks = ranks(byWords);
        this.vectorRanks = new HashMap<>();
        byVector.forEach(nearest -> ranks(nearest).forEach(vectorRanks::putIfAbsent));
        int[] union = Stream.concat(byWords.stream(), byVector.stream().flatMap(List::stream))
                .mapToInt(Scored::chunk)
                .distinct()
                .sorted()
                .toArray();
        this.evidence = Evidence.of(keyword, vector, union);
    }

    /** Asks both legs. */
    static Candidates of(
            IndexSearcher searcher, Optional<KeywordLeg> keyword, VectorLegs vector, int depth, Optional<Query> filter)
            throws IOException {
        return new Candidates(
                searcher,
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
            case Fusion.Linear linear -> new LinearFusion(searcher, keyword, vector, linear).scores(evidence);
            case Fusion.Rrf(int k) ->
                scored(chunk -> reciprocal(keywordRanks, chunk, k) + reciprocal(vectorRanks, chunk, k));
            case Fusion.KeywordOnly() -> scored(chunk -> evidence.bm25().getOrDefault(chunk, 0.0));
            case Fusion.VectorOnly() -> scored(evidence::cosine);
        };
    }

    /** A score of a chunk. */
    private interface Scoring {
        double of(int chunk);
    }

    private List<Scored> scored(Scoring scoring) {
        return IntStream.of(evidence.chunks())
                .mapToObj(chunk -> new Scored(chunk, scoring.of(chunk)))
                .toList();
    }

    private static double reciprocal(Map<Integer, Integer> ranks, int chunk, int k) {
        Integer rank = ranks.get(chunk);
        return rank == null ? 0 : 1.0 / (k + rank);
    }

    /** What the words say of a candidate. */
    Optional<Hit.Leg> keyword(int chunk) {
        return leg(keywordRanks, evidence.bm25(), chunk);
    }

    /** What the vectors say of a candidate. */
    Optional<Hit.Leg> vector(int chunk) {
        return leg(vectorRanks, evidence.cosines(), chunk);
    }

    private static Optional<Hit.Leg> leg(Map<Integer, Integer> ranks, Map<Integer, Double> scores, int chunk) {
        Double score = scores.get(chunk);
        return score == null ? Optional.empty() : Optional.of(new Hit.Leg(ranks.getOrDefault(chunk, 0), score));
    }
}
