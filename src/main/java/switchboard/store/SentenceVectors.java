package switchboard.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Map;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
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
        int[] chunks =
                cosines.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        EachSegment.read(searcher, chunks, (segment, there) -> {
            BinaryDocValues sentences = DocValues.getBinary(segment.reader(), field);
            for (int chunk : there) {
                if (sentences.advanceExact(chunk - segment.docBase)) {
                    cosines.merge(chunk, nearest(sentences.binaryValue()), Math::max);
                }
            }
        });
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
