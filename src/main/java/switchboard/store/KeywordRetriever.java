package switchboard.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import switchboard.call.TermStatistics;

/** BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009) over the chunks' terms. */
final class KeywordRetriever {
    /** Must be the same for writing and reading, because it decides how lengths are stored. */
    static final Similarity SIMILARITY = new BM25Similarity(1.2f, 0.75f);

    /** Maximum number of distinct query terms; later ones are ignored. Enough for a page of pasted text. */
    private static final int MAX_TERMS = 512;

    /** Number of hits that are counted exactly. Beyond it Lucene may skip chunks that can't be among the best. */
    private static final int COUNT_EXACTLY = 1000;

    private static final Sort BEST_FIRST =
            new Sort(SortField.FIELD_SCORE, new SortField(DocumentSchema.TIE, SortField.Type.STRING));

    private final IndexSearcher searcher;
    private final Query query;
    private final CandidateTermScorer candidateTermScorer;
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

    /** A retriever for a query; empty if none of its terms is in the index. */
    static Optional<KeywordRetriever> of(IndexSearcher searcher, String text) throws IOException {
        CollectionStatistics statistics = searcher.collectionStatistics(DocumentSchema.CONTENT);
        if (statistics == null) {
            return Optional.empty();
        }
        BooleanQuery.Builder builder = new BooleanQuery.Builder();
        double idfSum = 0;
        Map<String, Long> holders = new HashMap<>();
        List<String> terms = TextAnalysis.ofQuery(text);
        Map<String, Integer> counts = counted(terms);
        Map<String, TermStates> known = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            Term term = new Term(DocumentSchema.CONTENT, entry.getKey());
            TermStates states = TermStates.build(searcher, term, true);
            holders.put(entry.getKey(), (long) states.docFreq());
            if (states.docFreq() > 0) {
                known.put(entry.getKey(), states);
                Query one = new TermQuery(term, states);
                int times = entry.getValue();
                builder.add(times == 1 ? one : new BoostQuery(one, times), Occur.SHOULD);
                idfSum += times * idf(states.docFreq(), statistics.docCount());
            }
        }
        return idfSum == 0
                ? Optional.empty()
                : Optional.of(new KeywordRetriever(
                        searcher,
                        builder.build(),
                        new CandidateTermScorer(searcher, terms, MAX_TERMS, counts, known),
                        idfSum,
                        new TermStatistics(statistics.docCount(), statistics.sumTotalTermFreq(), holders)));
    }

    private static Map<String, Integer> counted(List<String> terms) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String term : terms) {
            if (counts.size() < MAX_TERMS || counts.containsKey(term)) {
                counts.merge(term, 1, Integer::sum);
            }
        }
        return counts;
    }

    private static double idf(long documentFrequency, long documents) {
        return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
    }

    /**
     * The upper bound of a score: that of a chunk with each term infinitely often. Scores are divided by it to lie
     * between 0 and 1.
     */
    double idfSum() {
        return idfSum;
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
        int exactly = Math.max(COUNT_EXACTLY, count + 1);
        ScoreDoc[] found = searcher.search(filtered, new TopScoreDocCollectorManager(count + 1, exactly)).scoreDocs;
        if (found.length > count && found[count].score == found[count - 1].score) {
            // Sort keys decide between equal scores, and reading those takes longer than all the rest.
            found = searcher.search(filtered, new TopFieldCollectorManager(BEST_FIRST, count, exactly)).scoreDocs;
        }
        List<ScoredChunk> scoredChunk =
                Stream.of(found).map(KeywordRetriever::scored).toList();
        return TieBreaker.best(searcher, scoredChunk, count);
    }

    private static ScoredChunk scored(ScoreDoc found) {
        return new ScoredChunk(found.doc, found instanceof FieldDoc sorted ? (Float) sorted.fields[0] : found.score);
    }

    /** Scores {@code chunks} (ascending). Chunks without any of the terms are left out. */
    Map<Integer, Double> scores(int[] chunks) throws IOException {
        return candidateTermScorer.termScores(chunks);
    }

    /**
     * Scores {@code chunks} (ascending) by the query's pairs of neighbouring terms. Chunks without any of them are
     * left out.
     */
    Map<Integer, Double> bigramScores(int[] chunks) throws IOException {
        return candidateTermScorer.pairScores(chunks);
    }
}
