package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order has to be that of Lucene's own comparator. */
class TieTextTest {
    private static final int DOCUMENTS = 120;
    private static final Sort EXPECTED =
            new Sort(new SortField("time", SortField.Type.LONG, true), new SortField("id", SortField.Type.STRING));
    private static final Sort ACTUAL = new Sort(new SortField("time", SortField.Type.LONG, true), TieText.field("id"));

    /** How many different times there are: from all equal to nearly none. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1000})
    void textsDecideBetweenEquals(int times) throws IOException {
        for (int seed = 0; seed < 10; seed++) {
            try (Directory folder = index(new Random(seed), times);
                    DirectoryReader reader = DirectoryReader.open(folder)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (int count = 1; count <= DOCUMENTS; count += 7) {
                    assertArrayEquals(found(searcher, EXPECTED, count), found(searcher, ACTUAL, count));
                }
                pages(searcher);
            }
        }
    }

    private static int[] found(IndexSearcher searcher, Sort sort, int count) throws IOException {
        return numbers(searcher.search(MatchAllDocsQuery.INSTANCE, count, sort).scoreDocs);
    }

    private static void pages(IndexSearcher searcher) throws IOException {
        ScoreDoc[] expected = searcher.search(MatchAllDocsQuery.INSTANCE, 10, EXPECTED).scoreDocs;
        ScoreDoc[] actual = searcher.search(MatchAllDocsQuery.INSTANCE, 10, ACTUAL).scoreDocs;
        while (expected.length > 0) {
            assertArrayEquals(numbers(expected), numbers(actual));
            ScoreDoc last = expected[expected.length - 1];
            assertArrayEquals(((FieldDoc) last).fields, ((FieldDoc) actual[actual.length - 1]).fields);
            expected = searcher.searchAfter(last, MatchAllDocsQuery.INSTANCE, 10, EXPECTED).scoreDocs;
            actual = searcher.searchAfter(actual[actual.length - 1], MatchAllDocsQuery.INSTANCE, 10, ACTUAL).scoreDocs;
        }
        assertEquals(0, actual.length);
    }

    private static int[] numbers(ScoreDoc[] found) {
        return Stream.of(found).mapToInt(one -> one.doc).toArray();
    }

    /** Some documents have no id, and some have the same. */
    private static Directory index(Random random, int times) throws IOException {
        Directory folder = new ByteBuffersDirectory();
        try (IndexWriter writer =
                new IndexWriter(folder, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
            for (int i = 0; i < DOCUMENTS; i++) {
                Document document = new Document();
                document.add(new NumericDocValuesField("time", random.nextInt(times)));
                if (random.nextInt(10) > 0) {
                    document.add(new SortedDocValuesField("id", new BytesRef("id " + random.nextInt(DOCUMENTS))));
                }
                writer.addDocument(document);
                if (random.nextInt(20) == 0) {
                    writer.commit();
                }
            }
        }
        return folder;
    }
}
