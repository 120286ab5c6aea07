package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class TieBreakerTest {
    private static final int CHUNKS = 30;

    /** As if all were put in order and then counted, for every count. */
    @Test
    void theBestAreInTheOrderOfScoresAndThenOfSources() throws IOException {
        Random random = new Random(7);
        List<String> keys = IntStream.range(0, CHUNKS)
                .mapToObj(chunk -> "source " + random.nextInt(1_000) + " " + chunk)
                .toList();
        try (Directory directory = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                for (String key : keys) {
                    Document chunk = new Document();
                    chunk.add(new SortedDocValuesField(DocumentSchema.TIE, new BytesRef(key)));
                    writer.addDocument(chunk);
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                List<ScoredChunk> all = IntStream.range(0, CHUNKS)
                        .mapToObj(chunk -> new ScoredChunk(chunk, random.nextInt(6)))
                        .toList();
                List<ScoredChunk> ordered = all.stream()
                        .sorted(Comparator.comparingDouble((ScoredChunk one) -> -one.score())
                                .thenComparing(one -> keys.get(one.chunk())))
                        .toList();
                for (int count = 0; count <= CHUNKS + 1; count++) {
                    assertEquals(ordered.subList(0, Math.min(count, CHUNKS)), TieBreaker.best(searcher, all, count));
                }
            }
        }
    }
}
