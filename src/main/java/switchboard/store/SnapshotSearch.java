package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import switchboard.call.SpellingSuggestion;
import switchboard.call.TermStatistics;

/** One search over one snapshot. */
final class SnapshotSearch {
    /** Minimum number of candidates of each retriever; more measured no better. */
    static final int DEPTH = 100;

    /**
     * How often a search goes deeper, twice as deep each time, if the chunks of a few documents or many copies left too few
     * hits.
     */
    private static final int DEEPER = 4;

    private final Snapshot snapshot;
    private final SearchRequest request;

    SnapshotSearch(Snapshot snapshot, SearchRequest request) {
        this.snapshot = snapshot;
        this.request = request;
    }

    /** Retrieval by words, the words themselves, and the similar ones that were, or could be, searched instead of some. */
    private record Keywords(Optional<KeywordRetriever> retriever, QueryWords words, List<SpellingSuggestion> similar) {}

    /** The candidates of both retrievers, and why vectors were not used. */
    private record Legs(
            Candidates candidates,
            Optional<Query> filter,
            VectorRetrievers vector,
            Optional<Language> language,
            Optional<String> vectorsNotUsed,
            Keywords keywords) {
        TermStatistics statistics() {
            return keywords.retriever().map(KeywordRetriever::statistics).orElse(TermStatistics.NONE);
        }

        Legs with(Candidates others) {
            return new Legs(others, filter, vector, language, vectorsNotUsed, keywords);
        }
    }

    private Legs legs() throws IOException {
        boolean words = !(request.fusion() instanceof Fusion.VectorOnly);
        Set<Language> languages = Languages.of(snapshot.searcher());
        Optional<Query> filter = Filters.query(request.filter());
        QueryWords query = QueryWords.of(snapshot.searcher(), TextAnalysis.ofQuery(request.query(), languages));
        Keywords keywords = words ? keywords(query, filter) : new Keywords(Optional.empty(), query, List.of());
        VectorRetrievers vector = VectorRetrievers.NONE;
        Optional<String> notUsed = Optional.empty();
        if (!(request.fusion() instanceof Fusion.KeywordOnly)
                && !(words && query.words().isEmpty())) {
            if (request.vectors().isEmpty()) {
                notUsed = Optional.of("The query has no vector.");
            } else {
                VectorRetrievers asked = VectorRetrievers.of(snapshot.searcher(), request.vectors());
                if (!words) {
                    asked.requireLength();
                }
                notUsed = asked.lacking(snapshot.searcher());
                vector = asked.usable();
            }
        }
        return new Legs(
                Candidates.of(snapshot, keywords.retriever(), vector, depth(), filter),
                filter,
                vector,
                LanguageDetector.ofQuery(request.query(), languages),
                notUsed,
                keywords);
    }

    private int depth() {
        return Math.max(DEPTH, request.topK());
    }

    /** Retrieval by the query's words; a word that no chunk has is corrected first. */
    private Keywords keywords(QueryWords asked, Optional<Query> filter) throws IOException {
        IndexSearcher searcher = snapshot.searcher();
        if (asked.missing().isEmpty()) {
            return new Keywords(KeywordRetriever.of(searcher, asked), asked, List.of());
        }
        SpellingCorrector.Corrected corrected = new SpellingCorrector(snapshot, filter).correct(asked);
        QueryWords words =
                switch (request.spelling()) {
                    case CORRECTED ->
                        corrected.similar().isEmpty() ? asked : QueryWords.of(searcher, corrected.words());
                    case SUGGESTED -> asked;
                };
        return new Keywords(KeywordRetriever.of(searcher, words), words, corrected.similar());
    }

    /** The fusion to use: by rank if there are vectors of several models that can't be compared. */
    private Fusion fusion(Legs legs) {
        return legs.vector().incomparable() ? Fusion.byRank() : request.fusion();
    }

    SearchResult run() throws IOException {
        Legs legs = legs();
        RelevanceThreshold floor = floor(legs);
        HitSelection selection = new HitSelection(snapshot, request.limits());
        List<HitSelection.TextGroup> selected = selection.of(floor.keep(ranking(legs), legs.candidates()));
        int depth = depth();
        for (int more = 0;
                more < DEEPER
                        && selected.size() < request.topK()
                        && legs.candidates().more()
                        && !floor.reached();
                more++) {
            depth = Math.min(2 * depth, SearchRequest.MAX_TOP_K);
            legs = legs.with(legs.candidates().and(depth, selection.others(legs.filter())));
            selected = selection.of(floor.keep(ranking(legs), legs.candidates()));
        }
        return new SearchResult(
                hits(selected, legs.candidates()),
                legs.vectorsNotUsed(),
                legs.vector().incomparable(),
                snapshot.unreadable(),
                legs.keywords().similar(),
                legs.keywords().words().shortened(),
                selected.isEmpty() ? nothing(legs, floor) : Optional.empty(),
                legs.statistics());
    }

    private RelevanceThreshold floor(Legs legs) {
        double least = request.limits().minRelevance();
        return request.fusion() instanceof Fusion.VectorOnly
                ? RelevanceThreshold.at(least)
                : RelevanceThreshold.of(least, legs.keywords().words());
    }

    /** Why there are no hits, if that can be said. */
    private Optional<String> nothing(Legs legs, RelevanceThreshold floor) {
        QueryWords words = legs.keywords().words();
        if (request.fusion() instanceof Fusion.VectorOnly) {
            return floor.reason();
        }
        if (words.words().isEmpty()) {
            return Optional.of("The query has no word to look for: only spaces, symbols, or words such as \"the\".");
        }
        if (floor.reached() || snapshot.searcher().getIndexReader().numDocs() == 0) {
            return floor.reason();
        }
        return Optional.of(
                legs.filter().isPresent() && !words.known().isEmpty()
                        ? "Nothing that passes the filter matches."
                        : "No searched document has a word of the query.");
    }

    private List<Hit> hits(List<HitSelection.TextGroup> selected, Candidates candidates) throws IOException {
        List<Hit> hits = new ArrayList<>();
        for (HitSelection.TextGroup group : selected) {
            int chunk = group.best().chunk();
            List<StoredDocument> copies = new ArrayList<>();
            for (int copy : group.copies().stream().limit(Hit.MAX_COPIES).toList()) {
                copies.add(snapshot.document(copy));
            }
            hits.add(new Hit(
                    snapshot.chunk(chunk),
                    group.best().score(),
                    candidates.keyword(chunk),
                    candidates.vector(chunk),
                    candidates.relevance(chunk),
                    copies));
        }
        return hits;
    }

    /** The hits, grouped by document. */
    DocumentScores byDocument() throws IOException {
        Legs legs = legs();
        Map<Integer, DocumentScores.Scores> found = new LinkedHashMap<>();
        List<ScoredChunk> best = floor(legs).keep(ranking(legs), legs.candidates()).stream()
                .limit(request.topK())
                .toList();
        for (ScoredChunk one : best) {
            int document = snapshot.documentOf(one.chunk());
            DocumentScores.Scores known = found.get(document);
            if (known == null) {
                known = snapshot.unscored(one.chunk());
                found.put(document, known);
            }
            known.scores().add(one.score());
        }
        return new DocumentScores(
                List.copyOf(found.values()),
                best.size(),
                legs.vectorsNotUsed(),
                SearchResult.differences(
                        legs.keywords().words().shortened(), legs.keywords().similar(), snapshot.unreadable()),
                legs.vector().isEmpty());
    }

    /** All candidates, best first. Only as many as there may be hits are in order if nothing is left out of the hits. */
    private List<ScoredChunk> ranking(Legs legs) throws IOException {
        List<ScoredChunk> fused = legs.candidates().fused(fusion(legs), legs.language());
        int ordered =
                request.limits().equals(SearchRequest.HitLimits.chunks(request.topK())) ? request.topK() : fused.size();
        return TieBreaker.best(snapshot.searcher(), fused, ordered);
    }
}
