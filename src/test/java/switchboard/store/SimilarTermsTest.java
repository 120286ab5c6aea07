package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import switchboard.store.SimilarTerms.SimilarTerm;

class SimilarTermsTest {
    /** Few letters, so that many words are similar; of one to four bytes. */
    private static final int[] LETTERS = "abcöß語😀".codePoints().toArray();

    private static final int SEGMENTS = 4;
    private static final int WORDS = 400;

    private final Random random = new Random(7);
    private final ByteBuffersDirectory directory = new ByteBuffersDirectory();

    @AfterEach
    void close() throws IOException {
        directory.close();
    }

    @Test
    void comparedTermsAreThoseThatAnAutomatonFinds() throws IOException {
        try (IndexWriter writer = new IndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE))) {
            for (int segment = 0; segment < SEGMENTS; segment++) {
                for (int word = 0; word < WORDS; word++) {
                    writer.addDocument(document(word()));
                }
                writer.commit();
            }
        }
        int similar = 0;
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            assertEquals(SEGMENTS, reader.leaves().size());
            for (int asked = 0; asked < 300; asked++) {
                String word = word();
                for (int edits = 1; edits <= 2; edits++) {
                    List<SimilarTerm> compared = SimilarTerms.of(reader, word, edits, Long.MAX_VALUE);
                    assertEquals(SimilarTerms.of(reader, word, edits, 0), compared, word);
                    similar += compared.size();
                }
            }
        }
        assertTrue(similar > 1_000, "similar terms: " + similar);
    }

    @Test
    void theMostSimilarAreFirstThenTheMostFrequent() throws IOException {
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
            writer.addDocument(document("lanterns lantern lamtern loutern xantern"));
            writer.addDocument(document("lamtern"));
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            assertEquals(
                    List.of(
                            new SimilarTerm("lamtern", 1 - 1f / 7, 2),
                            new SimilarTerm("lantern", 1 - 1f / 7, 1),
                            new SimilarTerm("lanterns", 1 - 2f / 7, 1),
                            new SimilarTerm("loutern", 1 - 2f / 7, 1)),
                    SimilarTerms.of(reader, "lattern", 2));
            assertEquals(List.of(), SimilarTerms.of(reader, "lantern", 2));
            assertEquals(
                    List.of("lantern"),
                    SimilarTerms.of(reader, "lantren", 1).stream()
                            .map(SimilarTerm::term)
                            .toList());
        }
    }

    @Test
    void longWordsAreFoundAndNothingIsFoundInNothing() throws IOException {
        String word = "lanterns".repeat(12);
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
            writer.commit();
            try (DirectoryReader empty = DirectoryReader.open(directory)) {
                assertEquals(List.of(), SimilarTerms.of(empty, word, 2));
                assertEquals(List.of(), SimilarTerms.of(empty, "lantern", 2));
            }
            writer.addDocument(document(word + "x lantern"));
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            assertEquals(
                    List.of(new SimilarTerm(word + "x", 1 - 1f / word.length(), 1)), SimilarTerms.of(reader, word, 2));
        }
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        for (int letter = 3 + random.nextInt(7); letter > 0; letter--) {
            word.appendCodePoint(LETTERS[random.nextInt(LETTERS.length)]);
        }
        return word.toString();
    }

    private static Document document(String text) {
        Document document = new Document();
        document.add(new TextField(DocumentSchema.CONTENT, text, Field.Store.NO));
        return document;
    }
}
