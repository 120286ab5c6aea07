package switchboard.store;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import switchboard.call.TermStatistics;

/** BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009) over the chunks' terms. */
final class KeywordRetriever {
    /** Must be the same for writing and reading, because it decides how lengths are stored. */
    static final Similarity SIMILARITY = new BM25Similarity(1.2f, 0.75f);

    /** Maximum number of pairs of neighbouring words of a query that are scored. */
    private static final int MOST_PAIRS = 512;

    private static final Sort BEST_FIRST = new Sort(SortField.FIELD_SCORE, TieText.field(DocumentSchema.TIE));

    private final IndexSearcher searcher;
    private final Query query;
    private final CandidateTermScorer candidateTermScorer;
    /** The sum of the idf of all words of the query, also those that no chunk has. */
    private final double idfSum;

    private final TermStatistics statistics;

    private KeywordRetriever(
            IndexSearcher searcher,
            Query query,
            CandidateTermScorer candidateTermScorer,
            double idfSum,
            TermStatistics statistics) {
        this.searcher = searcher;
        this.query = query;
        this.candidateTermScorer = candidateTermScorer;
        this.idfSum = idfSum;
        this.statistics = statistics;
    }

    /** A retriever for a query; empty if none of its words is in the index. */
    static Optional<KeywordRetriever> of(IndexSearcher searcher, QueryWords words) throws IOException {
        CollectionStatistics statistics = searcher.collectionStatistics(DocumentSchema.CONTENT);
        if (statistics == null || words.known().isEmpty()) {
            return Optional.empty();
        }
        BooleanQuery.Builder builder = new BooleanQuery.Builder();
        double idfSum = words.missing().size() * idf(0, statistics.docCount());
        for (IndexedWord word : words.known()) {
            builder.add(word.query(), Occur.SHOULD);
            idfSum += word.times() * idf(word.docFreq(), statistics.docCount());
        }
        return Optional.of(new KeywordRetriever(
                searcher,
                builder.build(),
                new CandidateTermScorer(searcher, words.names(), MOST_PAIRS, words.known()),
                idfSum,
                statistics(statistics, words)));
    }

    /** The statistics of {@code words} in the index; none if no word occurs. */
    static TermStatistics statistics(IndexSearcher searcher, QueryWords words) throws IOException {
        CollectionStatistics all =
                words.known().isEmpty() ? null : searcher.collectionStatistics(DocumentSchema.CONTENT);
        return all == null ? TermStatistics.NONE : statistics(all, words);
    }

    private static TermStatistics statistics(CollectionStatistics all, QueryWords words) {
        return new TermStatistics(all.docCount(), all.sumTotalTermFreq(), words.holders());
    }

    private static double idf(long documentFrequency, long documents) {
        return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
    }

    /**
     * How much of the query a chunk with this score has, from 0 to below 1: the score divided by that of a chunk with each word
     * infinitely often. A word that no chunk has counts as if it were the rarest, so the fewer of the words are in the index, the
     * less the others say.
     */
    double share(double score) {
        return score / idfSum;
    }

    /** The statistics of the query's terms in the index. */
    TermStatistics statistics() {
        return statistics;
    }

    /** The best chunks that pass the filter, best first. */
    List<ScoredChunk> top(int count, Optional<Query> filter) throws IOException {
        Query filtered = query;
        if (filter.isPresent()) {
            filtered = new BooleanQuery.Builder()
                    .add(query, Occur.MUST)
                    .add(filter.get(), Occur.FILTER)
                    .build();
        }
        ScoreDoc[] found = searcher.search(filtered, new TopScoreDocCollectorManager(count + 1, count + 1)).scoreDocs;
        if (found.length > count && found[count].score == found[count - 1].score) {
            // Sort keys decide between equal scores, and reading those takes longer than all the rest.
            TopFieldCollectorManager byKey = new TopFieldCollectorManager(BEST_FIRST, count, count);
            // Sums may be rounded differently the second time.
            float least = Math.nextDown(found[count].score);
            found = searcher.search(filtered, LeastScoreCollector.manager(byKey, least)).scoreDocs;
        }
        List<ScoredChunk> scoredChunk =
                Stream.of(found).map(KeywordRetriever::scored).toList();
        return TieBreaker.best(searcher, scoredChunk, count);
    }

    private static ScoredChunk scored(ScoreDoc found) {
        return new ScoredChunk(found.doc, found instanceof FieldDoc sorted ? (Float) sorted.fields[0] : found.score);
    }

    /** A way to score chunks (ascending) by words. */
    interface WordScoring {
        WordScores of(KeywordRetriever retriever, int[] chunks) throws IOException;
    }

    /** What {@code fusion} has to know of the words in chunks. */
    static WordScoring scoring(Fusion fusion) {
        return fusion instanceof Fusion.WeightedSum weights && (weights.bigrams() > 0 || weights.proximity() > 0)
                ? KeywordRetriever::positionScores
                : KeywordRetriever::frequencyScores;
    }

    /** Scores {@code chunks} (ascending) by BM25 only. */
    WordScores frequencyScores(int[] chunks) throws IOException {
        return candidateTermScorer.frequencyScores(chunks);
    }

    /** Scores {@code chunks} (ascending) also by where the words are. */
    WordScores positionScores(int[] chunks) throws IOException {
        return candidateTermScorer.positionScores(chunks);
    }

    /** Scores the documents of {@code chunks} (ascending), see {@link CandidateTermScorer#documentScores}. */
    Map<Integer, Double> documentScores(int[] chunks, CandidateTermScorer.DocumentOf documentOf) throws IOException {
        return candidateTermScorer.documentScores(chunks, documentOf);
    }
}
