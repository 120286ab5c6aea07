package switchboard.store;

import java.io.IOException;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.KnnCollector;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.VectorScorer;
import org.apache.lucene.search.knn.KnnCollectorManager;
import org.jspecify.annotations.Nullable;

/**
 * The nearest vectors, by Lucene's graph or its int8 vectors. The full vectors of small segments are compared instead: int8 vectors need
 * the query rounded anew for each segment, and for few vectors that takes longer.
 */
final class NearestVectorQuery extends KnnFloatVectorQuery {
    /** Of up to this many vectors in a segment the full ones are compared. */
    private static final int FEW = 1000;

    NearestVectorQuery(String field, float[] query, int count, @Nullable Query filter) {
        super(field, query, count, filter);
    }

    @Override
    protected TopDocs approximateSearch(
            LeafReaderContext segment, AcceptDocs accepted, int most, KnnCollectorManager collectors)
            throws IOException {
        FloatVectorValues vectors = segment.reader().getFloatVectorValues(field);
        return vectors == null || vectors.size() == 0 || vectors.size() > FEW
                ? super.approximateSearch(segment, accepted, most, collectors)
                : compared(vectors, accepted, collectors.newCollector(most, getSearchStrategy(), segment));
    }

    private TopDocs compared(FloatVectorValues vectors, AcceptDocs accepted, KnnCollector nearest) throws IOException {
        VectorScorer.Bulk scores = vectors.rescorer(target).bulk(null);
        DocAndFloatFeatureBuffer some = new DocAndFloatFeatureBuffer();
        do {
            scores.nextDocsAndScores(DocIdSetIterator.NO_MORE_DOCS, accepted.bits(), some);
            nearest.incVisitedCount(some.size);
            for (int i = 0; i < some.size; i++) {
                nearest.collect(some.docs[i], some.features[i]);
            }
        } while (some.size > 0);
        return nearest.topDocs();
    }
}
