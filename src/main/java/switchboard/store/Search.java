package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;

/** One search over one snapshot. */
final class Search {
    /** How many chunks each leg puts forward at least; more measured no better. */
    static final int DEPTH = 100;

    private final Snapshot snapshot;
    private final SearchRequest request;

    Search(Snapshot snapshot, SearchRequest request) {
        this.snapshot = snapshot;
        this.request = request;
    }

    SearchResult run() throws IOException {
        boolean words = !(request.fusion() instanceof Fusion.VectorOnly);
        boolean vectors = !(request.fusion() instanceof Fusion.KeywordOnly);
        Optional<KeywordLeg> keyword = words ? KeywordLeg.of(snapshot.searcher(), request.query()) : Optional.empty();
        VectorLegs vector = VectorLegs.NONE;
        Optional<String> notUsed = Optional.empty();
        if (vectors && request.vectors().isEmpty()) {
            notUsed = Optional.of("The query has no vector.");
        } else if (vectors) {
            VectorLegs asked = VectorLegs.of(snapshot.searcher(), request.vectors());
            if (!words) {
                asked.requireLength();
            }
            notUsed = asked.lacking(snapshot.searcher());
            vector = asked.usable();
        }
        Candidates candidates =
                Candidates.of(keyword, vector, Math.max(DEPTH, request.topK()), Filters.query(request.filter()));
        return new SearchResult(hits(candidates, fusion(vector)), notUsed, vector.mixed(), snapshot.unreadable());
    }

    /** Between the cosines of different models only ranks can mediate. */
    private Fusion fusion(VectorLegs vector) {
        return vector.mixed() ? Fusion.byRank() : request.fusion();
    }

    private record Ordered(Scored scored, BytesRef tie) {}

    private static final Comparator<Ordered> BEST_FIRST = Comparator.comparingDouble(
                    (Ordered ordered) -> ordered.scored().score())
            .reversed()
            .thenComparing(Ordered::tie)
            .thenComparingInt(ordered -> ordered.scored().chunk());

    private List<Hit> hits(Candidates candidates, Fusion fusion) throws IOException {
        List<Ordered> ordered = new ArrayList<>();
        for (Scored scored : candidates.fused(fusion)) {
            ordered.add(new Ordered(scored, Ties.of(snapshot.searcher(), scored.chunk())));
        }
        ordered.sort(BEST_FIRST);
        List<Hit> hits = new ArrayList<>();
        for (Ordered one : ordered.subList(0, Math.min(request.topK(), ordered.size()))) {
            int chunk = one.scored().chunk();
            hits.add(new Hit(
                    snapshot.chunk(chunk), one.scored().score(), candidates.keyword(chunk), candidates.vector(chunk)));
        }
        return hits;
    }

    /** The filter of a request as a query over chunks. */
    static Query chunks(Filter filter) {
        return Filters.of(Block.CHUNK, filter);
    }
}
