package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import switchboard.call.TermStatistics;

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

    /** What both legs put forward, and why vectors took no part. */
    private record Legs(
            Candidates candidates, VectorLegs vector, Optional<String> vectorsNotUsed, TermStatistics statistics) {}

    private Legs legs() throws IOException {
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
        Candidates candidates = Candidates.of(
                snapshot.searcher(), keyword, vector, Math.max(DEPTH, request.topK()), Filters.query(request.filter()));
        return new Legs(
                candidates, vector, notUsed, keyword.map(KeywordLeg::statistics).orElse(TermStatistics.NONE));
    }

    /** Between the cosines of different models only ranks can mediate. */
    private Fusion fusion(VectorLegs vector) {
        return vector.mixed() ? Fusion.byRank() : request.fusion();
    }

    SearchResult run() throws IOException {
        Legs legs = legs();
        List<Hit> hits = new ArrayList<>();
        for (Ordered one : best(legs)) {
            int chunk = one.scored().chunk();
            hits.add(new Hit(
                    snapshot.chunk(chunk),
                    one.scored().score(),
                    legs.candidates().keyword(chunk),
                    legs.candidates().vector(chunk)));
        }
        return new SearchResult(
                hits, legs.vectorsNotUsed(), legs.vector().mixed(), snapshot.unreadable(), legs.statistics());
    }

    /** The hits by their documents. */
    DocumentScores byDocument() throws IOException {
        Legs legs = legs();
        Map<Integer, DocumentScores.Scores> found = new LinkedHashMap<>();
        List<Ordered> best = best(legs);
        for (Ordered one : best) {
            int document = snapshot.documentOf(one.scored().chunk());
            DocumentScores.Scores known = found.get(document);
            if (known == null) {
                known = snapshot.unscored(document);
                found.put(document, known);
            }
            known.scores().add(one.scored().score());
        }
        return new DocumentScores(
                List.copyOf(found.values()),
                best.size(),
                legs.vectorsNotUsed(),
                SearchResult.leftOut(snapshot.unreadable()));
    }

    private record Ordered(Scored scored, BytesRef tie) {}

    private static final Comparator<Ordered> BEST_FIRST = Comparator.comparingDouble(
                    (Ordered ordered) -> ordered.scored().score())
            .reversed()
            .thenComparing(Ordered::tie)
            .thenComparingInt(ordered -> ordered.scored().chunk());

    private List<Ordered> best(Legs legs) throws IOException {
        List<Ordered> ordered = new ArrayList<>();
        for (Scored scored : legs.candidates().fused(fusion(legs.vector()))) {
            ordered.add(new Ordered(scored, Ties.of(snapshot.searcher(), scored.chunk())));
        }
        ordered.sort(BEST_FIRST);
        return ordered.subList(0, Math.min(request.topK(), ordered.size()));
    }

    /** The filter of a request as a query over chunks. */
    static Query chunks(Filter filter) {
        return Filters.of(Block.CHUNK, filter);
    }
}
