package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /** Maximum number of distinct words of a query; later ones are ignored. Enough for a page of pasted text. */
    private static final int MAX_WORDS = 512;

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

    /**
     * A retriever for a query; empty if none of its words is in the index.
     *
     * @param languages the languages of the index besides English
     */
    static Optional<KeywordRetriever> of(IndexSearcher searcher, String text, Set<Language> languages)
            throws IOException {
        CollectionStatistics statistics = searcher.collectionStatistics(DocumentSchema.CONTENT);
        if (statistics == null) {
            return Optional.empty();
        }
        BooleanQuery.Builder builder = new BooleanQuery.Builder();
        double idfSum = 0;
        Map<String, Long> holders = new HashMap<>();
        List<Word> words = TextAnalysis.ofQuery(text, languages);
        List<IndexedWord> known = new ArrayList<>();
        for (Map.Entry<Word, Integer> entry : counted(words).entrySet()) {
            String name = entry.getKey().name();
            Optional<IndexedWord> word = IndexedWord.of(searcher, entry.getKey(), entry.getValue());
            holders.put(name, word.map(found -> (long) found.docFreq()).orElse(0L));
            if (word.isPresent()) {
                known.add(word.get());
                builder.add(word.get().query(), Occur.SHOULD);
                idfSum += word.get().times() * idf(word.get().docFreq(), statistics.docCount());
            }
        }
        return idfSum == 0
                ? Optional.empty()
                : Optional.of(new KeywordRetriever(
                        searcher,
                        builder.build(),
                        new CandidateTermScorer(searcher, names(words), MAX_WORDS, known),
                        idfSum,
                        new TermStatistics(statistics.docCount(), statistics.sumTotalTermFreq(), holders)));
    }

    private static List<String> names(List<Word> words) {
        return words.stream().map(Word::name).toList();
    }

    private static Map<Word, Integer> counted(List<Word> words) {
        Map<String, Word> byName = new HashMap<>();
        Map<Word, Integer> counts = new LinkedHashMap<>();
        for (Word word : words) {
            Word first = byName.computeIfAbsent(word.name(), _ -> word);
            if (counts.size() < MAX_WORDS || counts.containsKey(first)) {
                counts.merge(first, 1, Integer::sum);
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
