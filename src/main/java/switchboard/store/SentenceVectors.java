package switchboard.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.VectorUtil;

/** Compares a query with the sentences of chunks, where these have vectors. For one thread. */
final class SentenceVectors {
    private final IndexSearcher searcher;
    private final String field;
    private final float[] query;
    private final float[] sentence;

    /**
     * A comparison.
     *
     * @param field has the vectors of whole chunks
     */
    SentenceVectors(IndexSearcher searcher, String field, float[] query) {
        this.searcher = searcher;
        this.field = VectorFields.sentences(field);
        this.query = query;
        this.sentence = new float[query.length];
    }

    /** Raises the cosines of chunks to those of their nearest sentences. */
    void raise(Map<Integer, Double> cosines) throws IOException {
        List<LeafReaderContext> leaves = searcher.getLeafContexts();
        int[] chunks =
                cosines.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        int at = 0;
        while (at < chunks.length) {
            LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(chunks[at], leaves));
            int end = leaf.docBase + leaf.reader().maxDoc();
            BinaryDocValues sentences = leaf.reader().getBinaryDocValues(field);
            for (; at < chunks.length && chunks[at] < end; at++) {
                if (sentences != null && sentences.advanceExact(chunks[at] - leaf.docBase)) {
                    cosines.merge(chunks[at], nearest(sentences.binaryValue()), Math::max);
                }
            }
        }
    }

    private double nearest(BytesRef sentences) {
        FloatBuffer numbers = ByteBuffer.wrap(sentences.bytes, sentences.offset, sentences.length)
                .asFloatBuffer();
        double nearest = -1;
        while (numbers.hasRemaining()) {
            numbers.get(sentence);
            nearest = Math.max(nearest, VectorUtil.dotProduct(query, sentence));
        }
        return nearest;
    }
}
