package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;

import java.io.IOException;
import java.time.Instant;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/** What the Lucene documents of a document have. */
class DocumentSchemaTest {
    /** If each has one, Lucene stores norms densely, and reads them much faster. */
    @Test
    void eachPartHasANormAndOnlyChunksHaveWords() throws IOException {
        try (Directory files = new ByteBuffersDirectory();
                IndexWriter writer = new IndexWriter(files, new IndexWriterConfig())) {
            NewDocument document = StoreFixture.doc("a", "Tugs pull ships into the harbour.");
            StoredDocument facts = StoredDocument.of(BOOKS, document, Instant.EPOCH);
            writer.addDocuments(DocumentSchema.of(facts, document));
            writer.commit();
            try (DirectoryReader reader = DirectoryReader.open(files)) {
                LeafReader segment = reader.leaves().getFirst().reader();
                assertEquals(3, segment.maxDoc(), "a slice, a chunk and the document");
                NumericDocValues norms = segment.getNormValues(DocumentSchema.CONTENT);
                for (int part = 0; part < segment.maxDoc(); part++) {
                    assertTrue(norms.advanceExact(part), "part " + part);
                }
                assertEquals(1, segment.getDocCount(DocumentSchema.CONTENT), "of which words are counted");
            }
        }
    }
}
