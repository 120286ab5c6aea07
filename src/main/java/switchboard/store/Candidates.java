package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/** The best chunks of keyword and vector retrieval, each with both scores. */
final class Candidates {
    private final IndexSearcher searcher;
    private final Optional<KeywordRetriever> keyword;
    private final VectorRetrievers vector;

    /** What keyword retrieval found, best first. */
    private final List<ScoredChunk> byWords;

    /** What each model found, best first. */
    private final List<List<ScoredChunk>> byVector;

    /** Whether any retriever may have more. */
    private final boolean more;

    /** Ranks in keyword retrieval, from 1. */
    private final Map<Integer, Integer> keywordRanks;

    /** Ranks in vector retrieval, from 1. Each embedding model ranks on its own. */
    private final Map<Integer, Integer> vectorRanks;

    /** The scores of all candidates. */
    private final CandidateScores candidateScores;

    /** Where cosines lie in the ranges of their models. */
    private final Map<Integer, Double> places;

    private Candidates(
            IndexSearcher searcher,
            Optional<KeywordRetriever> keyword,
            VectorRetrievers vector,
            List<ScoredChunk> byWords,
            List<List<ScoredChunk>> byVector,
            boolean more)
            throws IOException {
        this.searcher = searcher;
        this.keyword = keyword;
        this.vector = vector;
        this.byWords = byWords;
        this.byVector = byVector;
        this.more = more;
        this.keywordRanks = ranks(byWords);
        this.vectorRanks = new HashMap<>();
        byVector.forEach(nearest -> ranks(nearest).forEach(vectorRanks::putIfAbsent));
        int[] union = Stream.concat(byWords.stream(), byVector.stream().flatMap(List::stream))
                .mapToInt(ScoredChunk::chunk)
                .distinct()
                .sorted()
                .toArray();
        this.candidateScores = CandidateScores.of(keyword, vector, union);
        this.places = vector.places(union, candidateScores.cosines());
    }

    /** Runs keyword and vector retrieval. */
    static Candidates of(
            IndexSearcher searcher,
            Optional<KeywordRetriever> keyword,
            VectorRetrievers vector,
            int depth,
            Optional<Query> filter)
            throws IOException {
        List<ScoredChunk> words = keyword.isPresent() ? keyword.get().top(depth, filter) : List.of();
        List<List<ScoredChunk>> nearest = vector.top(depth, filter);
        return new Candidates(searcher, keyword, vector, words, nearest, any(words, nearest, depth));
    }

    private static boolean any(List<ScoredChunk> byWords, List<List<ScoredChunk>> byVector, int depth) {
        return byWords.size() >= depth || byVector.stream().anyMatch(found -> found.size() >= depth);
    }

    /** Whether there may be chunks that no retriever has given yet. */
    boolean more() {
        return more;
    }

    /** These, with up to {@code depth} of each retriever that pass another filter. */
    Candidates and(int depth, Optional<Query> filter) throws IOException {
        List<ScoredChunk> words = keyword.isPresent() ? keyword.get().top(depth, filter) : List.of();
        List<List<ScoredChunk>> nearest = vector.top(depth, filter);
        List<List<ScoredChunk>> all = new ArrayList<>();
        for (int leg = 0; leg < nearest.size(); leg++) {
            all.add(together(byVector.get(leg), nearest.get(leg)));
        }
        return new Candidates(searcher, keyword, vector, together(byWords, words), all, any(words, nearest, depth));
    }

    private List<ScoredChunk> together(List<ScoredChunk> known, List<ScoredChunk> found) {
        Map<Integer, ScoredChunk> all = new LinkedHashMap<>();
        Stream.concat(known.stream(), found.stream()).forEach(one -> all.putIfAbsent(one.chunk(), one));
        return TieBreaker.best(searcher, all.values(), all.size());
    }

    private static Map<Integer, Integer> ranks(List<ScoredChunk> best) {
        Map<Integer, Integer> ranks = new HashMap<>();
        for (ScoredChunk scoredChunk : best) {
            ranks.put(scoredChunk.chunk(), ranks.size() + 1);
        }
        return ranks;
    }

    /** The candidates with their final scores, in the order of the index. */
    List<ScoredChunk> fused(Fusion fusion) throws IOException {
        return switch (fusion) {
            case Fusion.WeightedSum linear ->
                new WeightedSumFusion(searcher, keyword, vector, linear).scores(candidateScores);
            case Fusion.ReciprocalRank(int k) ->
                scored(chunk -> reciprocal(keywordRanks, chunk, k) + reciprocal(vectorRanks, chunk, k));
            case Fusion.KeywordOnly() -> scored(chunk -> candidateScores.bm25().getOrDefault(chunk, 0.0));
            case Fusion.VectorOnly() -> scored(candidateScores::cosine);
        };
    }

    /** A function from a chunk to its score. */
    private interface Scoring {
        double of(int chunk);
    }

    private List<ScoredChunk> scored(Scoring scoring) {
        return IntStream.of(candidateScores.chunks())
                .mapToObj(chunk -> new ScoredChunk(chunk, scoring.of(chunk)))
                .toList();
    }

    private static double reciprocal(Map<Integer, Integer> ranks, int chunk, int k) {
        Integer rank = ranks.get(chunk);
        return rank == null ? 0 : 1.0 / (k + rank);
    }

    /** The keyword rank and score of a candidate; empty if it has none. */
    Optional<Hit.Retriever> keyword(int chunk) {
        return leg(keywordRanks, candidateScores.bm25(), chunk);
    }

    /** The vector rank and score of a candidate; empty if it has none. */
    Optional<Hit.Retriever> vector(int chunk) {
        return leg(vectorRanks, candidateScores.cosines(), chunk);
    }

    /** The relevance of a candidate; empty if it is not known. */
    OptionalDouble relevance(int chunk) {
        double bm25 = candidateScores.bm25().getOrDefault(chunk, 0.0);
        Double place = places.get(chunk);
        return Relevance.of(
                place == null ? OptionalDouble.empty() : OptionalDouble.of(place),
                keyword.map(retriever -> retriever.share(bm25)).orElse(0.0),
                candidateScores.cosines().containsKey(chunk));
    }

    private static Optional<Hit.Retriever> leg(Map<Integer, Integer> ranks, Map<Integer, Double> scores, int chunk) {
        Double score = scores.get(chunk);
        return score == null ? Optional.empty() : Optional.of(new Hit.Retriever(ranks.getOrDefault(chunk, 0), score));
    }
}
