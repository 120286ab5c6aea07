package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NearestVectorQueryTest {
    private static final float[] ASKED = {1, 0};

    /** In small segments, of which all vectors are compared, and in larger ones, which are asked by their graph. */
    @ParameterizedTest
    @ValueSource(ints = {20, 1000, 1300})
    void onlyWhatExistsAndPassesTheFilterIsFound(int count) throws IOException {
        try (Directory files = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(
                    files, new IndexWriterConfig().setCodec(new StoreCodec()).setMergePolicy(NoMergePolicy.INSTANCE))) {
                for (int i = 0; i < count; i++) {
                    writer.addDocument(document(i));
                }
                writer.commit();
                writer.deleteDocuments(new Term("id", "0"), new Term("id", "2"));
            }
            try (DirectoryReader reader = DirectoryReader.open(files)) {
                assertEquals(1, reader.leaves().size());
                assertEquals(List.of("1", "3", "4"), found(reader, null));
                assertEquals(List.of("3", "6", "9"), found(reader, new TermQuery(new Term("third", "yes"))));
            }
        }
    }

    /** The lower the number, the nearer. */
    private static Document document(int number) {
        double angle = number / 1000.0;
        Document document = new Document();
        document.add(new StringField("id", String.valueOf(number), Field.Store.YES));
        document.add(new StringField("third", number % 3 == 0 ? "yes" : "no", Field.Store.NO));
        document.add(new KnnFloatVectorField(
                "vector",
                new float[] {(float) Math.cos(angle), (float) Math.sin(angle)},
                VectorSimilarityFunction.DOT_PRODUCT));
        return document;
    }

    private static List<String> found(DirectoryReader reader, @Nullable Query filter) throws IOException {
        IndexSearcher searcher = new IndexSearcher(reader);
        List<String> found = new ArrayList<>();
        for (ScoreDoc one : searcher.search(new NearestVectorQuery("vector", ASKED, 3, filter), 3).scoreDocs) {
            found.add(searcher.storedFields().document(one.doc).get("id"));
        }
        return found;
    }
}
