package switchboard.store;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;

/** Which chunks have the same text, read of all candidates in the order of the index. */
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
        List<LeafReaderContext> leaves = searcher.getLeafContexts();
        for (int from = 0; from < numbers.length; ) {
            LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(numbers[from], leaves));
            int place =
                    Arrays.binarySearch(numbers, leaf.docBase + leaf.reader().maxDoc());
            int to = place < 0 ? -place - 1 : place;
            read(leaf, Arrays.copyOfRange(numbers, from, to), texts);
            from = to;
        }
        return texts;
    }

    private static void read(LeafReaderContext leaf, int[] numbers, Map<Integer, ChunkText> texts) throws IOException {
        NumericDocValues up = DocValues.getNumeric(leaf.reader(), DocumentSchema.UP);
        BinaryDocValues keys = DocValues.getBinary(leaf.reader(), DocumentSchema.TEXT_KEY);
        for (int number : numbers) {
            int chunk = number - leaf.docBase;
            if (!up.advanceExact(chunk)) {
                throw new CorruptIndexException("a chunk without its document", "document " + number);
            }
            Optional<BytesRef> key =
                    keys.advanceExact(chunk) ? Optional.of(BytesRef.deepCopyOf(keys.binaryValue())) : Optional.empty();
            texts.put(number, new ChunkText(number + (int) up.longValue(), key));
        }
    }
}
