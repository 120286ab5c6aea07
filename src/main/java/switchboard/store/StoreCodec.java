package switchboard.store;

import java.io.IOException;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.quantization.QuantizedByteVectorValues.ScalarEncoding;

/**
 * Lucene's own file formats, so that any Lucene reads the index, with graphs over int8 vectors (the full ones are kept
 * beside them and give the scores) and room for the models of more than 1,024 dimensions.
 */
final class StoreCodec extends Lucene104Codec {
    /** Longest vector. */
    static final int MAX_DIMENSION = 4096;

    private static final int NEIGHBOURS = 16;
    private static final int CANDIDATES_WHILE_BUILDING = 100;

    /** Below about ten times this many vectors a segment gets no graph: comparing all of them is faster. */
    private static final int SMALL = 1000;

    private final KnnVectorsFormat vectors = new LongVectors(new Lucene104HnswScalarQuantizedVectorsFormat(
            ScalarEncoding.UNSIGNED_BYTE, NEIGHBOURS, CANDIDATES_WHILE_BUILDING, 1, null, SMALL));

    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        return vectors;
    }

    /** Another limit, nothing else; the name stays the delegate's, which is what reads the files again. */
    private static final class LongVectors extends KnnVectorsFormat {
        private final KnnVectorsFormat delegate;

        LongVectors(KnnVectorsFormat delegate) {
            super(delegate.getName());
            this.delegate = delegate;
        }

        @Override
        public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
            return delegate.fieldsWriter(state);
        }

        @Override
        public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
            return delegate.fieldsReader(state);
        }

        @Override
        public int getMaxDimensions(String field) {
            return MAX_DIMENSION;
        }
    }
}
