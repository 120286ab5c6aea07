package switchboard.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
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
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.VectorUtil;

/**
 * Lucene and nothing else, which is the limit for a store made of it: the same terms, the same codec, and for searches the
 * store's own files. What the store adds (scores of either leg for what the other found, neighbouring terms, documents
 * around the chunks) is left out.
 */
public final class RawLucene implements AutoCloseable {
    /** As in the store: up to so many vectors are all compared. */
    private static final int COMPARE_ALL = 10_000;

    private static final double WEIGHT = 0.7;

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
        searcher.setSimilarity(KeywordLeg.SIMILARITY);
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
                    DirectoryReader.open(FSDirectory.open(index)), Block.vectorField(model, dimension));
        }
    }

    private record Found(int doc, double score) {}

    /** The sources of the best chunks: BM25 and cosine, each with its best hundred, in one weighted sum. */
    public List<String> search(String query, float[] vector, int hits) throws IOException {
        Map<Integer, Double> scores = new HashMap<>();
        ScoreDoc[] byWords = byWords(query);
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
            // What a hit shows: its own facts and its text.
            searcher.storedFields().document(doc);
            String tie = Ties.of(searcher, doc).utf8ToString();
            sources.add(tie.substring(0, tie.indexOf('\0')));
        }
        return sources;
    }

    private ScoreDoc[] byWords(String query) throws IOException {
        BooleanQuery.Builder words = new BooleanQuery.Builder();
        Analysis.ofQuery(query).stream()
                .distinct()
                .forEach(term -> words.add(new TermQuery(new Term(Block.CONTENT, term)), Occur.SHOULD));
        return searcher.search(words.build(), Search.DEPTH).scoreDocs;
    }

    private List<Found> byVector(float[] vector) throws IOException {
        if (count > COMPARE_ALL) {
            ScoreDoc[] near = searcher.search(new KnnFloatVectorQuery(vectors, vector, Search.DEPTH), Search.DEPTH)
                    .scoreDocs;
            return Stream.of(near).map(one -> new Found(one.doc, 2 * one.score - 1)).toList();
        }
        PriorityQueue<Found> best = new PriorityQueue<>(Comparator.comparingDouble(Found::score));
        for (LeafReaderContext leaf : searcher.getLeafContexts()) {
            FloatVectorValues values = leaf.reader().getFloatVectorValues(vectors);
            if (values == null) {
                continue;
            }
            DocIndexIterator docs = values.iterator();
            for (int doc = docs.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = docs.nextDoc()) {
                double cosine = VectorUtil.dotProduct(vector, values.vectorValue(docs.index()));
                if (best.size() < Search.DEPTH || cosine > best.element().score) {
                    best.add(new Found(leaf.docBase + doc, cosine));
                    if (best.size() > Search.DEPTH) {
                        best.remove();
                    }
                }
            }
        }
        return List.copyOf(best);
    }

    /** Writes {@code texts} into a new index in {@code folder}, with a commit after each {@code group}. */
    public static void write(Path folder, Map<String, String> texts, int group) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig()
                .setCodec(new StoreCodec())
                .setSimilarity(KeywordLeg.SIMILARITY)
                .setRAMBufferSizeMB(32);
        try (FSDirectory directory = FSDirectory.open(folder);
                IndexWriter writer = new IndexWriter(directory, config)) {
            int pending = 0;
            for (Map.Entry<String, String> text : texts.entrySet()) {
                Document document = new Document();
                document.add(new StringField(Block.SOURCE, text.getKey(), Field.Store.YES));
                document.add(new StoredField(Block.SLICE_TEXT, text.getValue()));
                document.add(new TextField(Block.CONTENT, new TermStream(Analysis.ofDocument(text.getValue()))));
                writer.updateDocument(new Term(Block.SOURCE, text.getKey()), document);
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
