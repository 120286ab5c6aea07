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
 * Lucene's own file formats, so that any Lucene can read the index. Vector graphs use int8 quantization (the full
 * vectors are stored, too, and give the scores), and vectors may have more than 1,024 dimensions.
 */
final class StoreCodec extends Lucene104Codec {
    /** Maximum number of dimensions. */
    static final int MAX_DIMENSION = 4096;

    private static final int NEIGHBOURS = 16;
    private static final int CANDIDATES_WHILE_BUILDING = 100;

    /**
     * A segment with fewer than about ten times this many vectors gets no graph, because comparing all of them is
     * faster.
     */
    private static final int SMALL = 1000;

    private final KnnVectorsFormat vectors = new LongVectors(new Lucene104HnswScalarQuantizedVectorsFormat(
            ScalarEncoding.UNSIGNED_BYTE, NEIGHBOURS, CANDIDATES_WHILE_BUILDING, 1, null, SMALL));

    @Override
    public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        return vectors;
    }

    /** Changes the limit of dimensions only. The name stays the delegate's, because files are read by that name. */
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
