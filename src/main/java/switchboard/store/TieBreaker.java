package switchboard.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.BytesRef;

/** Orders chunks of equal scores by source and position, because their order in the index changes with merges. */
final class TieBreaker {
    private static final Comparator<ScoredChunk> BEST_FIRST =
            Comparator.comparingDouble(ScoredChunk::score).reversed();

    private TieBreaker() {}

    /** A chunk with its sort key. */
    private record Keyed(ScoredChunk scored, BytesRef key) {}

    private static final Comparator<Keyed> IN_ORDER = Comparator.comparing(Keyed::key)
            .thenComparingInt(keyed -> keyed.scored().chunk());

    /**
     * The {@code count} best, best first. Sort keys are read only for chunks of equal scores, because reading is slow.
     */
    static List<ScoredChunk> best(IndexSearcher searcher, Collection<ScoredChunk> all, int count) {
        List<ScoredChunk> best = new ArrayList<>(reaching(count, all));
        best.sort(BEST_FIRST);
        int from = 0;
        while (from < Math.min(count, best.size())) {
            int to = from + 1;
            while (to < best.size() && best.get(to).score() == best.get(from).score()) {
                to++;
            }
            if (to > from + 1) {
                order(searcher, best.subList(from, to));
            }
            from = to;
        }
        return best.subList(0, Math.min(count, best.size()));
    }

    /** Those that may be among the {@code count} best: all with at least the score of the last of these. */
    private static Collection<ScoredChunk> reaching(int count, Collection<ScoredChunk> all) {
        if (count <= 0 || all.size() <= count) {
            return all;
        }
        double[] scores = all.stream().mapToDouble(ScoredChunk::score).sorted().toArray();
        double least = scores[scores.length - count];
        return all.stream().filter(one -> one.score() >= least).toList();
    }

    private static void order(IndexSearcher searcher, List<ScoredChunk> equals) {
        List<Keyed> keyed = new ArrayList<>(equals.stream()
                .map(scoredChunk -> new Keyed(scoredChunk, of(searcher, scoredChunk.chunk())))
                .toList());
        keyed.sort(IN_ORDER);
        for (int i = 0; i < keyed.size(); i++) {
            equals.set(i, keyed.get(i).scored());
        }
    }

    /** The sort key of a chunk: source, then position. */
    static BytesRef of(IndexSearcher searcher, int chunk) {
        List<LeafReaderContext> leaves = searcher.getLeafContexts();
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(chunk, leaves));
        try {
            SortedDocValues ties = DocValues.getSorted(leaf.reader(), DocumentSchema.TIE);
            return ties.advanceExact(chunk - leaf.docBase)
                    ? BytesRef.deepCopyOf(ties.lookupOrd(ties.ordValue()))
                    : new BytesRef();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // comparators can't throw checked exceptions
        }
    }
}
