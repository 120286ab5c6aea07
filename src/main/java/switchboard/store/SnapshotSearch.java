package switchboard.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
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
    private record Retrieved(
            Candidates candidates,
            Optional<Query> filter,
            VectorRetrievers vector,
            Optional<Language> language,
            Optional<String> vectorsNotUsed,
            Keywords keywords) {
        Retrieved with(Candidates others) {
            return new Retrieved(others, filter, vector, language, vectorsNotUsed, keywords);
        }
    }

    private Retrieved retrieved() throws IOException {
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
                notUsed = asked.lacking(snapshot.searcher(), words);
                vector = asked.usable();
            }
        }
        return new Retrieved(
                Candidates.of(
                        snapshot,
                        keywords.retriever(),
                        vector,
                        KeywordRetriever.scoring(request.fusion()),
                        depth(),
                        filter),
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
    private Fusion fusion(Retrieved retrieved) {
        return retrieved.vector().incomparable() ? Fusion.byRank() : request.fusion();
    }

    SearchResult run() throws IOException {
        Retrieved retrieved = retrieved();
        RelevanceThreshold floor = floor(retrieved);
        HitSelection selection = new HitSelection(snapshot, request.limits());
        List<HitSelection.TextGroup> selected = selection.of(floor.keep(ranking(retrieved), retrieved.candidates()));
        int depth = depth();
        for (int more = 0;
                more < DEEPER
                        && selected.size() < request.topK()
                        && retrieved.candidates().more()
                        && !floor.reached();
                more++) {
            depth = Math.min(2 * depth, SearchRequest.MAX_TOP_K);
            retrieved = retrieved.with(retrieved.candidates().and(depth, selection.others(retrieved.filter())));
            selected = selection.of(floor.keep(ranking(retrieved), retrieved.candidates()));
        }
        return new SearchResult(
                hits(selected, retrieved.candidates()),
                retrieved.vectorsNotUsed(),
                retrieved.vector().incomparable(),
                snapshot.unreadable(),
                retrieved.keywords().similar(),
                retrieved.keywords().words().shortened(),
                selected.isEmpty() ? nothing(retrieved, floor) : Optional.empty(),
                statistics(retrieved.keywords()),
                request.explain() == SearchRequest.Explain.NOTHING ? List.of() : explanations(selected, retrieved));
    }

    /** Also of a search by vectors alone: whether a word occurs matters to searches in other places. */
    private TermStatistics statistics(Keywords keywords) throws IOException {
        return keywords.retriever().isPresent()
                ? keywords.retriever().get().statistics()
                : KeywordRetriever.statistics(snapshot.searcher(), keywords.words());
    }

    private List<ScoreExplanation> explanations(List<HitSelection.TextGroup> selected, Retrieved retrieved)
            throws IOException {
        ScoreParts parts = retrieved.candidates().parts(fusion(retrieved), retrieved.language());
        Set<String> terms = new HashSet<>();
        retrieved.keywords().words().words().forEach(word -> terms.addAll(word.terms()));
        List<ScoreExplanation> explanations = new ArrayList<>();
        for (HitSelection.TextGroup group : selected) {
            int chunk = group.best().chunk();
            explanations.add(new ScoreExplanation(
                    parts.of(chunk),
                    request.explain() == SearchRequest.Explain.PARTS
                            ? List.of()
                            : MatchedWords.in(snapshot.chunk(chunk).searched(), terms)));
        }
        return explanations;
    }

    private RelevanceThreshold floor(Retrieved retrieved) {
        return request.fusion() instanceof Fusion.VectorOnly
                ? RelevanceThreshold.at(request.limits().minRelevance())
                : RelevanceThreshold.of(request, retrieved.keywords().words());
    }

    /** Why there are no hits, if that can be said. */
    private Optional<String> nothing(Retrieved retrieved, RelevanceThreshold floor) {
        QueryWords words = retrieved.keywords().words();
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
                retrieved.filter().isPresent() && !words.known().isEmpty()
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
        Retrieved retrieved = retrieved();
        Map<Integer, DocumentScores.Scores> found = new LinkedHashMap<>();
        List<ScoredChunk> best = floor(retrieved).keep(ranking(retrieved), retrieved.candidates()).stream()
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
                retrieved.vectorsNotUsed(),
                SearchResult.differences(
                        retrieved.keywords().words().shortened(),
                        retrieved.keywords().similar(),
                        snapshot.unreadable()),
                retrieved.vector().isEmpty());
    }

    /** All candidates, best first. Only as many as there may be hits are in order if nothing is left out of the hits. */
    private List<ScoredChunk> ranking(Retrieved retrieved) throws IOException {
        List<ScoredChunk> fused = retrieved.candidates().fused(fusion(retrieved), retrieved.language());
        int ordered =
                request.limits().equals(SearchRequest.HitLimits.chunks(request.topK())) ? request.topK() : fused.size();
        return TieBreaker.best(snapshot.searcher(), fused, ordered);
    }
}
