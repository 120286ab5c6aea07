package switchboard.store;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;

/** Tells which chunks have the same text. They are read in the order of the index. */
final class ChunkTexts {
    private ChunkTexts() {}

    /**
     * A chunk's document and text.
     *
     * @param document the Lucene document number of its document
     * @param key its {@link TextFingerprint}; empty until a chunk of an earlier version is analysed again
     */
    record ChunkText(int document, Optional<BytesRef> key) {}

    /** Those of {@code chunks}, by Lucene document number. */
    static Map<Integer, ChunkText> of(IndexSearcher searcher, List<ScoredChunk> chunks) throws IOException {
        int[] numbers = chunks.stream().mapToInt(ScoredChunk::chunk).sorted().toArray();
        Map<Integer, ChunkText> texts = new HashMap<>();
        EachSegment.read(searcher, numbers, (segment, there) -> {
            NumericDocValues up = DocValues.getNumeric(segment.reader(), DocumentSchema.UP);
            BinaryDocValues keys = DocValues.getBinary(segment.reader(), DocumentSchema.TEXT_KEY);
            for (int chunk : there) {
                Optional<BytesRef> key = keys.advanceExact(chunk - segment.docBase)
                        ? Optional.of(BytesRef.deepCopyOf(keys.binaryValue()))
                        : Optional.empty();
                texts.put(chunk, new ChunkText(Snapshot.documentOf(chunk, segment, up), key));
            }
        });
        return texts;
    }
}
