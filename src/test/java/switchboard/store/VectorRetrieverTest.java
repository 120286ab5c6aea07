package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VectorRetrieverTest {
    private static final float[] ASKED = {1, 0};

    /** Such a segment is left when documents with vectors are removed, and merged with others that have none. */
    @ParameterizedTest
    @ValueSource(ints = {3, 10_100})
    void aSegmentThatHasLostItsVectorsIsPassedOver(int others) throws IOException {
        try (Directory lost = new ByteBuffersDirectory();
                Directory full = new ByteBuffersDirectory()) {
            try (IndexWriter writer = writer(lost)) {
                writer.addDocument(document("with", ASKED));
                writer.addDocument(document("without", null));
                writer.commit();
                writer.deleteDocuments(new Term("id", "with"));
                writer.forceMerge(1);
            }
            try (IndexWriter writer = writer(full)) {
                writer.addDocument(document("near", ASKED));
                for (int i = 1; i < others; i++) {
                    double angle = 0.5 + i / 10_000.0;
                    writer.addDocument(document("far", new float[] {(float) Math.cos(angle), (float) Math.sin(angle)}));
                }
            }
            try (DirectoryReader first = DirectoryReader.open(lost);
                    DirectoryReader second = DirectoryReader.open(full);
                    MultiReader all = new MultiReader(first, second)) {
                assertEquals(1, first.numDocs());
                IndexSearcher searcher = new IndexSearcher(all);
                VectorRetriever retriever = VectorRetriever.of(searcher, new SearchRequest.QueryVector("m", ASKED));
                List<ScoredChunk> top = retriever.top(1, Optional.empty());
                assertEquals(
                        List.of(first.maxDoc()),
                        top.stream().map(ScoredChunk::chunk).toList());
            }
        }
    }

    private static IndexWriter writer(Directory folder) throws IOException {
        return new IndexWriter(folder, new IndexWriterConfig().setCodec(new StoreCodec()));
    }

    private static Document document(String id, float[] vector) {
        Document document = new Document();
        document.add(new StringField("id", id, Field.Store.NO));
        if (vector != null) {
            document.add(new KnnFloatVectorField(
                    VectorFields.name("m", vector.length), vector, VectorSimilarityFunction.DOT_PRODUCT));
        }
        return document;
    }
}
