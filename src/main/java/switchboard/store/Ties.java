package switchboard.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;

/** What orders chunks of equal scores: not where they happen to lie in the index, which merges change. */
final class Ties {
    private Ties() {}

    /** The sort key of a chunk: source, then place. */
    static BytesRef of(IndexSearcher searcher, int chunk) {
        List<LeafReaderContext> leaves = searcher.getLeafContexts();
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(chunk, leaves));
        try {
            SortedDocValues ties = DocValues.getSorted(leaf.reader(), Block.TIE);
            return ties.advanceExact(chunk - leaf.docBase)
                    ? BytesRef.deepCopyOf(ties.lookupOrd(ties.ordValue()))
                    : new BytesRef();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // comparators can't throw what it is
        }
    }
}
