package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.lucene.search.Query;
import switchboard.call.TermStatistics;

/** One search over one snapshot. */
final class SnapshotSearch {
    /** Minimum number of candidates of each retriever; more measured no better. */
    static final int DEPTH = 100;

    private final Snapshot snapshot;
    private final SearchRequest request;

    SnapshotSearch(Snapshot snapshot, SearchRequest request) {
        this.snapshot = snapshot;
        this.request = request;
    }

    /** The candidates of both retrievers, and why vectors were not used. */
    private record Legs(
            Candidates candidates,
            VectorRetrievers vector,
            Optional<String> vectorsNotUsed,
            TermStatistics statistics) {}

    private Legs legs() throws IOException {
        boolean words = !(request.fusion() instanceof Fusion.VectorOnly);
        boolean vectors = !(request.fusion() instanceof Fusion.KeywordOnly);
        Optional<KeywordRetriever> keyword =
                words ? KeywordRetriever.of(snapshot.searcher(), request.query()) : Optional.empty();
        VectorRetrievers vector = VectorRetrievers.NONE;
        Optional<String> notUsed = Optional.empty();
        if (vectors && request.vectors().isEmpty()) {
            notUsed = Optional.of("The query has no vector.");
        } else if (vectors) {
            VectorRetrievers asked = VectorRetrievers.of(snapshot.searcher(), request.vectors());
            if (!words) {
                asked.requireLength();
            }
            notUsed = asked.lacking(snapshot.searcher());
            vector = asked.usable();
        }
        Candidates candidates = Candidates.of(
                snapshot.searcher(), keyword, vector, Math.max(DEPTH, request.topK()), Filters.query(request.filter()));
        return new Legs(
                candidates,
                vector,
                notUsed,
                keyword.map(KeywordRetriever::statistics).orElse(TermStatistics.NONE));
    }

    /** The fusion to use: by rank if there are vectors of several models, because their cosines can't be compared. */
    private Fusion fusion(VectorRetrievers vector) {
        return vector.mixed() ? Fusion.byRank() : request.fusion();
    }

    SearchResult run() throws IOException {
        Legs legs = legs();
        List<Hit> hits = new ArrayList<>();
        for (ScoredChunk one : best(legs)) {
            int chunk = one.chunk();
            hits.add(new Hit(
                    snapshot.chunk(chunk),
                    one.score(),
                    legs.candidates().keyword(chunk),
                    legs.candidates().vector(chunk)));
        }
        return new SearchResult(
                hits, legs.vectorsNotUsed(), legs.vector().mixed(), snapshot.unreadable(), legs.statistics());
    }

    /** The hits, grouped by document. */
    DocumentScores byDocument() throws IOException {
        Legs legs = legs();
        Map<Integer, DocumentScores.Scores> found = new LinkedHashMap<>();
        List<ScoredChunk> best = best(legs);
        for (ScoredChunk one : best) {
            int document = snapshot.documentOf(one.chunk());
            DocumentScores.Scores known = found.get(document);
            if (known == null) {
                known = snapshot.unscored(document);
                found.put(document, known);
            }
            known.scores().add(one.score());
        }
        return new DocumentScores(
                List.copyOf(found.values()),
                best.size(),
                legs.vectorsNotUsed(),
                SearchResult.leftOut(snapshot.unreadable()));
    }

    private List<ScoredChunk> best(Legs legs) throws IOException {
        return TieBreaker.best(snapshot.searcher(), legs.candidates().fused(fusion(legs.vector())), request.topK());
    }

    /** The filter of a request as a query over chunks. */
    static Query chunks(Filter filter) {
        return Filters.of(DocumentSchema.CHUNK, filter);
    }
}
