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
import org.apache.lucene.search.Query;
import switchboard.call.ScorePart;
import switchboard.call.ScorePart.Name;

/** The best chunks of keyword and vector retrieval, each with both scores. */
final class Candidates {
    private final Snapshot snapshot;
    private final Optional<KeywordRetriever> keyword;
    private final VectorRetrievers vector;
    private final KeywordRetriever.WordScoring scoring;

    /** The results of keyword retrieval, best first. */
    private final List<ScoredChunk> byWords;

    /** The results of each model, best first. */
    private final List<List<ScoredChunk>> byVector;

    /** Whether any retriever may have more. */
    private final boolean more;

    /** Ranks in keyword retrieval, from 1. */
    private final Map<Integer, Integer> keywordRanks;

    /** Ranks in vector retrieval, from 1. Embedding models that can't be compared rank on their own. */
    private final Map<Integer, Integer> vectorRanks;

    /** The scores of all candidates. */
    private final CandidateScores candidateScores;

    private Candidates(
            Snapshot snapshot,
            Optional<KeywordRetriever> keyword,
            VectorRetrievers vector,
            KeywordRetriever.WordScoring scoring,
            List<ScoredChunk> byWords,
            List<List<ScoredChunk>> byVector,
            boolean more)
            throws IOException {
        this.snapshot = snapshot;
        this.keyword = keyword;
        this.vector = vector;
        this.scoring = scoring;
        this.byWords = byWords;
        this.byVector = byVector;
        this.more = more;
        this.keywordRanks = ranks(byWords);
        this.vectorRanks = new HashMap<>();
        List<List<ScoredChunk>> ranked = vector.incomparable() ? byVector : List.of(together(byVector));
        ranked.forEach(nearest -> ranks(nearest).forEach(vectorRanks::putIfAbsent));
        int[] union = Stream.concat(byWords.stream(), byVector.stream().flatMap(List::stream))
                .mapToInt(ScoredChunk::chunk)
                .distinct()
                .sorted()
                .toArray();
        this.candidateScores = CandidateScores.of(keyword, vector, union, scoring);
    }

    /** Runs keyword and vector retrieval. */
    static Candidates of(
            Snapshot snapshot,
            Optional<KeywordRetriever> keyword,
            VectorRetrievers vector,
            KeywordRetriever.WordScoring scoring,
            int depth,
            Optional<Query> filter)
            throws IOException {
        List<ScoredChunk> words = keyword.isPresent() ? keyword.get().top(depth, filter) : List.of();
        List<List<ScoredChunk>> nearest = vector.top(depth, filter);
        return new Candidates(snapshot, keyword, vector, scoring, words, nearest, any(words, nearest, depth));
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
        for (int retriever = 0; retriever < nearest.size(); retriever++) {
            all.add(together(List.of(byVector.get(retriever), nearest.get(retriever))));
        }
        return new Candidates(
                snapshot, keyword, vector, scoring, together(List.of(byWords, words)), all, any(words, nearest, depth));
    }

    private List<ScoredChunk> together(List<List<ScoredChunk>> lists) {
        if (lists.size() == 1) {
            return lists.getFirst();
        }
        Map<Integer, ScoredChunk> all = new LinkedHashMap<>();
        lists.stream().flatMap(List::stream).forEach(one -> all.putIfAbsent(one.chunk(), one));
        return TieBreaker.best(snapshot.searcher(), all.values(), all.size());
    }

    private static Map<Integer, Integer> ranks(List<ScoredChunk> best) {
        Map<Integer, Integer> ranks = new HashMap<>();
        for (ScoredChunk scoredChunk : best) {
            ranks.put(scoredChunk.chunk(), ranks.size() + 1);
        }
        return ranks;
    }

    /**
     * The candidates with their final scores, in the order of the index.
     *
     * @param language the query's language; empty for English, and if the query does not tell
     */
    List<ScoredChunk> fused(Fusion fusion, Optional<Language> language) throws IOException {
        return switch (fusion) {
            case Fusion.WeightedSum linear ->
                new WeightedSumFusion(snapshot, keyword, vector, linear, language).scores(candidateScores);
            case Fusion.ReciprocalRank(int k) ->
                scored(chunk -> reciprocal(keywordRanks, chunk, k) + reciprocal(vectorRanks, chunk, k));
            case Fusion.KeywordOnly() -> scored(chunk -> candidateScores.bm25(chunk));
            case Fusion.VectorOnly() -> scored(candidateScores::similarity);
        };
    }

    /** What the scores of {@link #fused} are made of. */
    ScoreParts parts(Fusion fusion, Optional<Language> language) throws IOException {
        return switch (fusion) {
            case Fusion.WeightedSum linear ->
                new WeightedSumFusion(snapshot, keyword, vector, linear, language).parts(candidateScores);
            case Fusion.ReciprocalRank(int k) ->
                chunk -> List.of(
                        new ScorePart(Name.KEYWORD_RANK, reciprocal(keywordRanks, chunk, k)),
                        new ScorePart(Name.VECTOR_RANK, reciprocal(vectorRanks, chunk, k)));
            case Fusion.KeywordOnly() -> chunk -> List.of(new ScorePart(Name.KEYWORD, candidateScores.bm25(chunk)));
            case Fusion.VectorOnly() -> chunk -> List.of(new ScorePart(Name.VECTOR, candidateScores.similarity(chunk)));
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
        Double score = candidateScores.words().bm25().get(chunk);
        return score == null
                ? Optional.empty()
                : Optional.of(new Hit.Retriever(keywordRanks.getOrDefault(chunk, 0), score));
    }

    /** The vector rank and score of a candidate; empty if it has none. */
    Optional<Hit.VectorMatch> vector(int chunk) {
        return Optional.ofNullable(candidateScores.vectors().get(chunk))
                .map(score -> new Hit.VectorMatch(
                        vectorRanks.getOrDefault(chunk, 0),
                        score.cosine(),
                        score.retriever().model()));
    }

    /** The relevance of a candidate; empty if it is not known. */
    OptionalDouble relevance(int chunk) {
        double bm25 = candidateScores.bm25(chunk);
        CandidateScores.VectorScore score = candidateScores.vectors().get(chunk);
        return Relevance.of(
                score == null ? OptionalDouble.empty() : score.normalized(),
                keyword.map(retriever -> retriever.share(bm25)).orElse(0.0),
                score != null);
    }
}
