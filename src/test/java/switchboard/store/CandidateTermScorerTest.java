package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/** The scores of candidates against those of Lucene's own queries, over several segments with removed documents. */
class CandidateTermScorerTest {
    private static final List<String> WORDS = List.of("ant", "bee", "cat", "dog", "elk", "fox");
    private static final int SEGMENTS = 5;
    private static final int DOCUMENTS = 40;

    private final Random random = new Random(3);

    @Test
    void termsAndPairsScoreAsLucenesQueriesDo() throws IOException {
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
            write(directory);
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                assertEquals(SEGMENTS, reader.leaves().size());
                IndexSearcher searcher = new IndexSearcher(reader);
                searcher.setSimilarity(KeywordRetriever.SIMILARITY);
                for (int query = 0; query < 60; query++) {
                    // Few words, so that terms and pairs come again; and one that is nowhere.
                    List<String> terms = words(1 + query % 9, query % 3 == 0 ? "gnu" : "ant");
                    compare(searcher, terms);
                }
            }
        }
    }

    /** Also in a chunk whose length Lucene stores in a byte that is negative. */
    @Test
    void theBestWindowScoresAsAChunkOfTheSameWords() throws IOException {
        String window = "ant bee hen ant hen hen hen hen hen hen hen hen hen hen hen cat";
        assertEquals(BestWindow.WORDS, window.split(" ").length);
        String others = "hen ".repeat(50_000);
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
            write(directory, List.of(window, others + window + " " + others + "ant bee " + others + "cat", "dog"));
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                KeywordRetriever retriever = KeywordRetriever.of(
                                searcher, QueryWords.of(searcher, TextAnalysis.ofQuery("cat ant bee", Set.of())))
                        .orElseThrow();
                WordScores scores = retriever.positionScores(new int[] {0, 1, 2});
                Map<Integer, Double> windows = scores.windows();
                assertEquals(Set.of(0, 1), windows.keySet());
                assertEquals(scores.bm25().get(0), windows.get(0));
                assertEquals(windows.get(0), windows.get(1));
            }
        }
    }

    @Test
    void termsAfterTheTextCountButAreNearNothing() throws IOException {
        String text = "ant hen hen bee";
        String repeated = text + " ant bee";
        Document after = document(repeated);
        after.add(new NumericDocValuesField(DocumentSchema.IN_TEXT, text.split(" ").length));
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
            IndexWriterConfig config =
                    new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(KeywordRetriever.SIMILARITY);
            try (IndexWriter writer = new IndexWriter(directory, config)) {
                writer.addDocument(after);
                writer.addDocument(document(repeated));
                writer.addDocument(document("hen hen hen hen hen hen"));
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                WordScores scores = KeywordRetriever.of(
                                searcher, QueryWords.of(searcher, TextAnalysis.ofQuery("ant bee", Set.of())))
                        .orElseThrow()
                        .positionScores(new int[] {0, 1, 2});
                assertEquals(scores.bm25().get(1), scores.bm25().get(0));
                assertEquals(Set.of(1), scores.pairs().keySet());
                // One of each word is in the text, not two.
                assertTrue(scores.windows().get(0) < scores.windows().get(1), scores::toString);
                assertEquals(scores.bm25().get(1), scores.windows().get(1));
            }
        }
    }

    private static Document document(String text) {
        Document document = new Document();
        document.add(new TextField(DocumentSchema.CONTENT, text, Field.Store.NO));
        return document;
    }

    private static void write(ByteBuffersDirectory directory, List<String> texts) throws IOException {
        IndexWriterConfig config =
                new IndexWriterConfig(new WhitespaceAnalyzer()).setSimilarity(KeywordRetriever.SIMILARITY);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (String text : texts) {
                writer.addDocument(document(text));
            }
        }
    }

    private void compare(IndexSearcher searcher, List<String> terms) throws IOException {
        KeywordRetriever retriever = KeywordRetriever.of(
                        searcher, QueryWords.of(searcher, TextAnalysis.ofQuery(String.join(" ", terms), Set.of())))
                .orElse(null);
        if (retriever == null) {
            assertEquals(List.of("gnu"), terms);
            return;
        }
        Map<Integer, Float> byTerms = scores(searcher, terms(terms));
        Map<Integer, Float> byPairs = scores(searcher, pairs(terms));
        int[] found =
                byTerms.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        WordScores scores = retriever.positionScores(found);
        assertSame(byTerms, scores.bm25(), terms);
        assertEquals(new WordScores(scores.bm25(), Map.of(), Map.of()), retriever.frequencyScores(found));
        assertSame(byPairs, scores.pairs(), terms);
        assertSame(byDocuments(searcher, terms), retriever.documentScores(found, chunk -> chunk / 4), terms);
    }

    /** Of each term counts the chunk with most of it; four chunks are a document here. */
    private static Map<Integer, Float> byDocuments(IndexSearcher searcher, List<String> terms) throws IOException {
        Map<Integer, Float> sums = new HashMap<>();
        for (String term : Set.copyOf(terms)) {
            Map<Integer, Float> best = new HashMap<>();
            scores(searcher, terms(terms.stream().filter(term::equals).toList()))
                    .forEach((chunk, score) -> best.merge(chunk / 4, score, Math::max));
            best.forEach((document, score) -> sums.merge(document, score, Float::sum));
        }
        return sums;
    }

    private static void assertSame(Map<Integer, Float> expected, Map<Integer, Double> actual, List<String> terms) {
        assertEquals(expected.keySet(), actual.keySet(), terms::toString);
        expected.forEach(
                (chunk, score) -> assertEquals(score, actual.getOrDefault(chunk, -1.0), 1e-5, terms::toString));
    }

    private static Query terms(List<String> terms) {
        Map<String, Integer> counts = new HashMap<>();
        terms.forEach(term -> counts.merge(term, 1, Integer::sum));
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        counts.forEach((term, times) ->
                query.add(new BoostQuery(new TermQuery(new Term(DocumentSchema.CONTENT, term)), times), Occur.SHOULD));
        return query.build();
    }

    private static Query pairs(List<String> terms) {
        Set<List<String>> pairs = new LinkedHashSet<>();
        IntStream.range(0, terms.size() - 1).forEach(i -> pairs.add(terms.subList(i, i + 2)));
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        pairs.forEach(
                pair -> query.add(new PhraseQuery(DocumentSchema.CONTENT, pair.toArray(String[]::new)), Occur.SHOULD));
        return query.build();
    }

    private static Map<Integer, Float> scores(IndexSearcher searcher, Query query) throws IOException {
        Map<Integer, Float> scores = new HashMap<>();
        for (ScoreDoc found : searcher.search(query, SEGMENTS * DOCUMENTS).scoreDocs) {
            scores.put(found.doc, found.score);
        }
        return scores;
    }

    private void write(ByteBuffersDirectory directory) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer())
                .setMergePolicy(NoMergePolicy.INSTANCE)
                .setSimilarity(KeywordRetriever.SIMILARITY);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int segment = 0; segment < SEGMENTS; segment++) {
                for (int i = 0; i < DOCUMENTS; i++) {
                    Document document = new Document();
                    document.add(new StringField("id", segment + "-" + i, Field.Store.NO));
                    String text = String.join(" ", words(1 + random.nextInt(30), "hen"));
                    document.add(new TextField(DocumentSchema.CONTENT, text, Field.Store.NO));
                    writer.addDocument(document);
                }
                writer.commit();
            }
            for (int i = 0; i < DOCUMENTS; i += 3) {
                writer.deleteDocuments(new Term("id", i % SEGMENTS + "-" + i));
            }
        }
    }

    private List<String> words(int count, String rare) {
        return random.ints(count, 0, 3 * WORDS.size())
                .mapToObj(n -> n == 0 ? rare : WORDS.get(n % WORDS.size()))
                .collect(Collectors.toList());
    }
}
