package switchboard.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KnnVectorValues.DocIndexIterator;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.VectorScorer;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.VectorUtil;

/**
 * Lucene and nothing else, which is the limit for a store made of it: the same terms, the same codec, and for searches the
 * store's own files and the store's own queries, by the means that Lucene has for them.
 */
public final class RawLucene implements AutoCloseable {
    /** As in the store: up to so many vectors are all compared. */
    private static final int COMPARE_ALL = 10_000;

    private static final double WEIGHT = 0.7;
    private static final double BIGRAMS = 0.06;

    /** The fusion of a store that finds the same: without the steps that follow from the best chunks. */
    public static final Fusion FUSION = new Fusion.WeightedSum(WEIGHT, BIGRAMS, 0, 0);

    private final DirectoryReader reader;
    private final IndexSearcher searcher;
    private final String vectors;
    private final long count;

    private RawLucene(DirectoryReader reader, String vectors) throws IOException {
        this.reader = reader;
        this.searcher = new IndexSearcher(reader);
        this.vectors = vectors;
        long counted = 0;
        for (LeafReaderContext leaf : reader.leaves()) {
            FloatVectorValues values = leaf.reader().getFloatVectorValues(vectors);
            counted += values == null ? 0 : values.size();
        }
        this.count = counted;
        searcher.setSimilarity(KeywordRetriever.SIMILARITY);
        searcher.setQueryCache(null);
    }

    /** Opens the one index in the folder of a store. */
    public static RawLucene open(Path store, String model, int dimension) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            Path index = files.filter(file -> file.getFileName().toString().startsWith("segments_"))
                    .findFirst()
                    .orElseThrow()
                    .getParent();
            return new RawLucene(
                    DirectoryReader.open(FSDirectory.open(index)), VectorFields.name(model, dimension));
        }
    }

    private record Found(int doc, double score) {}

    private static List<String> terms(String query) {
        return TextAnalysis.ofQuery(query, Set.of()).stream().map(QueryWord::name).toList();
    }

    /**
     * The sources of the best chunks, found as the store finds them: the best hundred by words and by vector, for each of
     * either all of cosine, BM25 and BM25 of neighbouring terms in one weighted sum, and of the best what is shown of them.
     */
    public List<String> search(String query, float[] vector, int hits) throws IOException {
        List<String> terms = terms(query);
        Query words = words(terms);
        Set<Integer> found = new TreeSet<>();
        Stream.of(byWords(words)).forEach(one -> found.add(one.doc));
        byVector(vector).forEach(one -> found.add(one.doc));
        ScoreDoc[] candidates = cosines(vector, found);
        double idfSum = idfSum(terms);
        TopDocs best = new TopDocs(new TotalHits(candidates.length, TotalHits.Relation.EQUAL_TO), candidates);
        best = adding((1 - WEIGHT) / idfSum, words).rescore(searcher, best, candidates.length);
        best = adding(BIGRAMS / idfSum, bigrams(terms)).rescore(searcher, best, hits);
        List<String> sources = new ArrayList<>();
        StoredFields stored = searcher.storedFields();
        for (ScoreDoc one : best.scoreDocs) {
            // Text, chunk and document lie side by side, for each is of one part.
            stored.document(one.doc - 1);
            stored.document(one.doc);
            stored.document(one.doc + 1);
            sources.add(source(one.doc));
        }
        return sources;
    }

    private static QueryRescorer adding(double weight, Query query) {
        return new QueryRescorer(query) {
            @Override
            protected float combine(float first, boolean matches, float second) {
                return (float) (matches ? first + weight * second : first);
            }
        };
    }

    private ScoreDoc[] cosines(float[] vector, Set<Integer> docs) throws IOException {
        List<ScoreDoc> scored = new ArrayList<>();
        Iterator<Integer> ascending = docs.iterator();
        Integer next = ascending.hasNext() ? ascending.next() : null;
        for (LeafReaderContext leaf : searcher.getLeafContexts()) {
            FloatVectorValues values = leaf.reader().getFloatVectorValues(vectors);
            DocIndexIterator having = values == null ? null : values.iterator();
            for (; next != null && next < leaf.docBase + leaf.reader().maxDoc(); next = ascending.hasNext() ? ascending.next() : null) {
                boolean has = values != null && having.advance(next - leaf.docBase) == next - leaf.docBase;
                float cosine = has ? VectorUtil.dotProduct(vector, values.vectorValue(having.index())) : 0;
                scored.add(new ScoreDoc(next, (float) WEIGHT * cosine));
            }
        }
        return scored.toArray(new ScoreDoc[0]);
    }

    private double idfSum(List<String> terms) throws IOException {
        int all = reader.getDocCount(DocumentSchema.CONTENT);
        double sum = 0;
        for (String term : terms) {
            int having = reader.docFreq(new Term(DocumentSchema.CONTENT, term));
            sum += Math.log(1 + (all - having + 0.5) / (having + 0.5));
        }
        return sum;
    }

    private static Query bigrams(List<String> terms) {
        BooleanQuery.Builder pairs = new BooleanQuery.Builder();
        IntStream.range(1, terms.size())
                .mapToObj(i -> new PhraseQuery(DocumentSchema.CONTENT, terms.get(i - 1), terms.get(i)))
                .distinct()
                .forEach(pair -> pairs.add(pair, Occur.SHOULD));
        return pairs.build();
    }

    /** The same by the two queries alone, in a weighted sum of what they say, with what is known of the chunks found. */
    public List<String> queries(String query, float[] vector, int hits) throws IOException {
        Map<Integer, Double> scores = new HashMap<>();
        ScoreDoc[] byWords = byWords(words(terms(query)));
        for (ScoreDoc one : byWords) {
            scores.put(one.doc, (1 - WEIGHT) * one.score / byWords[0].score);
        }
        for (Found one : byVector(vector)) {
            scores.merge(one.doc, WEIGHT * one.score, Double::sum);
        }
        List<Integer> best = scores.entrySet().stream()
                .sorted(Map.Entry.<Integer, Double>comparingByValue().reversed())
                .limit(hits)
                .map(Map.Entry::getKey)
                .toList();
        List<String> sources = new ArrayList<>();
        for (int doc : best) {
            searcher.storedFields().document(doc);
            sources.add(source(doc));
        }
        return sources;
    }

    private String source(int doc) {
        String tie = TieBreaker.of(searcher, doc).utf8ToString();
        return tie.substring(0, tie.indexOf('\0'));
    }

    private static Query words(List<String> terms) {
        Map<String, Integer> counts = new TreeMap<>();
        terms.forEach(term -> counts.merge(term, 1, Integer::sum));
        BooleanQuery.Builder words = new BooleanQuery.Builder();
        counts.forEach((term, times) ->
                words.add(new BoostQuery(new TermQuery(new Term(DocumentSchema.CONTENT, term)), times), Occur.SHOULD));
        return words.build();
    }

    private ScoreDoc[] byWords(Query words) throws IOException {
        return searcher.search(words, SnapshotSearch.DEPTH).scoreDocs;
    }

    private List<Found> byVector(float[] vector) throws IOException {
        if (count > COMPARE_ALL) {
            ScoreDoc[] near = searcher.search(new KnnFloatVectorQuery(vectors, vector, SnapshotSearch.DEPTH), SnapshotSearch.DEPTH)
                    .scoreDocs;
            return Stream.of(near).map(one -> new Found(one.doc, 2 * one.score - 1)).toList();
        }
        PriorityQueue<Found> best = new PriorityQueue<>(Comparator.comparingDouble(Found::score));
        DocAndFloatFeatureBuffer some = new DocAndFloatFeatureBuffer();
        double least = Double.NEGATIVE_INFINITY;
        for (LeafReaderContext leaf : searcher.getLeafContexts()) {
            FloatVectorValues values = leaf.reader().getFloatVectorValues(vectors);
            if (values == null) {
                continue;
            }
            VectorScorer.Bulk scores = values.rescorer(vector).bulk(null);
            do {
                scores.nextDocsAndScores(DocIdSetIterator.NO_MORE_DOCS, leaf.reader().getLiveDocs(), some);
                for (int i = 0; i < some.size; i++) {
                    if (some.features[i] > least) {
                        best.add(new Found(leaf.docBase + some.docs[i], some.features[i]));
                    }
                    if (best.size() > SnapshotSearch.DEPTH) {
                        best.remove();
                        least = best.element().score;
                    }
                }
            } while (some.size > 0);
        }
        return best.stream().map(one -> new Found(one.doc, 2 * one.score - 1)).toList();
    }

    /** Writes {@code texts} into a new index in {@code folder}, with a commit after each {@code group}. */
    public static void write(Path folder, Map<String, String> texts, int group) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig()
                .setCodec(new StoreCodec())
                .setSimilarity(KeywordRetriever.SIMILARITY)
                .setRAMBufferSizeMB(32);
        try (FSDirectory directory = FSDirectory.open(folder);
                IndexWriter writer = new IndexWriter(directory, config)) {
            int pending = 0;
            for (Map.Entry<String, String> text : texts.entrySet()) {
                Document document = new Document();
                document.add(new StringField(DocumentSchema.SOURCE, text.getKey(), Field.Store.YES));
                document.add(new StoredField(DocumentSchema.SLICE_TEXT, text.getValue()));
                document.add(new TextField(DocumentSchema.CONTENT, new PrecomputedTokenStream(ChunkTerms.of(text.getValue(), "", Optional.empty()).all())));
                writer.updateDocument(new Term(DocumentSchema.SOURCE, text.getKey()), document);
                if (++pending == group) {
                    writer.commit();
                    pending = 0;
                }
            }
            writer.commit();
        }
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
