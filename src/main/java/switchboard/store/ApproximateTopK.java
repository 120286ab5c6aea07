package switchboard.store;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.VectorScorer;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.LongHeap;
import org.apache.lucene.util.NumericUtils;

/**
 * Selects the chunks that may be among the best by the scores that Lucene computes in bulk from the mapped file. These
 * are rounded differently from a score that is computed alone, so the exact scores must be computed afterwards.
 */
final class ApproximateTopK {
    /** Upper bound of the rounding difference between the two kinds of scores. */
    private static final float ROUNDING = 1e-5f;

    private int[] chunks = new int[1024];
    private float[] scores = new float[1024];
    private int size;

    /** Adds the scores of one index segment. Stops when there are more than {@code most} in all. */
    void add(VectorScorer.Bulk bulk, LeafReaderContext leaf, int most) throws IOException {
        DocAndFloatFeatureBuffer some = new DocAndFloatFeatureBuffer();
        do {
            bulk.nextDocsAndScores(DocIdSetIterator.NO_MORE_DOCS, leaf.reader().getLiveDocs(), some);
            chunks = ArrayUtil.grow(chunks, size + some.size);
            scores = ArrayUtil.grow(scores, size + some.size);
            for (int i = 0; i < some.size; i++) {
                chunks[size] = leaf.docBase + some.docs[i];
                scores[size++] = some.features[i];
            }
        } while (some.size > 0 && size <= most);
    }

    int size() {
        return size;
    }

    /** The chunks that may be among the {@code count} best, in ascending order. */
    int[] best(int count) {
        if (size <= count) {
            return Arrays.copyOf(chunks, size);
        }
        LongHeap best = new LongHeap(count);
        for (int i = 0; i < size; i++) {
            best.insertWithOverflow(NumericUtils.floatToSortableInt(scores[i]));
        }
        float least = NumericUtils.sortableIntToFloat((int) best.top()) - ROUNDING;
        int[] found = new int[size];
        int number = 0;
        for (int i = 0; i < size; i++) {
            if (scores[i] >= least) {
                found[number++] = chunks[i];
            }
        }
        return Arrays.copyOf(found, number);
    }
}
