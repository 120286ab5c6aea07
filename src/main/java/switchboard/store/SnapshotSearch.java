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
import switchboard.call.TermStatistics;

/** One search over one snapshot. */
final class SnapshotSearch {
    /** Minimum number of candidates of each retriever; more measured no better. */
    static final int DEPTH = 100;

    /**
     * What a cosine is worth in a language that the model was not trained on, compared with one that it was trained on.
     * Measured with the shipped model on German, Spanish and Russian; see docs/performance.md.
     */
    private static final double UNTRAINED = 0.7;

    private final Snapshot snapshot;
    private final SearchRequest request;

    SnapshotSearch(Snapshot snapshot, SearchRequest request) {
        this.snapshot = snapshot;
        this.request = request;
    }

    /** Retrieval by words, and which words were corrected for it. */
    private record Keywords(Optional<KeywordRetriever> retriever, List<Correction> corrections) {
        static final Keywords NONE = new Keywords(Optional.empty(), List.of());
    }

    /** The candidates of both retrievers, and why vectors were not used. */
    private record Legs(
            Candidates candidates,
            VectorRetrievers vector,
            boolean trained,
            Optional<String> vectorsNotUsed,
            Keywords keywords) {
        TermStatistics statistics() {
            return keywords.retriever().map(KeywordRetriever::statistics).orElse(TermStatistics.NONE);
        }
    }

    private Legs legs() throws IOException {
        boolean words = !(request.fusion() instanceof Fusion.VectorOnly);
        Set<Language> languages = Languages.of(snapshot.searcher());
        Optional<Query> filter = Filters.query(request.filter());
        Keywords keywords = words ? keywords(languages, filter) : Keywords.NONE;
        VectorRetrievers vector = VectorRetrievers.NONE;
        Optional<String> notUsed = Optional.empty();
        if (!(request.fusion() instanceof Fusion.KeywordOnly)) {
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
        int depth = Math.max(DEPTH, request.topK());
        return new Legs(
                Candidates.of(snapshot.searcher(), keywords.retriever(), vector, depth, filter),
                vector,
                trained(languages),
                notUsed,
                keywords);
    }

    /** Retrieval by the query's words; a word that no chunk has is corrected first. */
    private Keywords keywords(Set<Language> languages, Optional<Query> filter) throws IOException {
        IndexSearcher searcher = snapshot.searcher();
        QueryWords asked = QueryWords.of(searcher, TextAnalysis.ofQuery(request.query(), languages));
        if (asked.missing().isEmpty() || request.spelling() == SearchRequest.Spelling.AS_WRITTEN) {
            return new Keywords(KeywordRetriever.of(searcher, asked), List.of());
        }
        SpellingCorrector.Corrected corrected = new SpellingCorrector(snapshot, filter).correct(asked);
        QueryWords words = corrected.corrections().isEmpty() ? asked : QueryWords.of(searcher, corrected.words());
        return new Keywords(KeywordRetriever.of(searcher, words), corrected.corrections());
    }

    /** Whether the models of the query's vectors were trained on the query's language. */
    private boolean trained(Set<Language> languages) {
        Optional<Language> asked = LanguageDetector.ofQuery(request.query(), languages);
        return asked.isEmpty()
                || request.vectors().stream().allMatch(vector -> vector.languages()
                        .include(asked.get().code()));
    }

    /**
     * The fusion to use: by rank if there are vectors of several models, because their cosines can't be compared; with more
     * weight for words if the model was not trained on the query's language.
     */
    private Fusion fusion(Legs legs) {
        if (legs.vector().mixed()) {
            return Fusion.byRank();
        }
        return switch (request.fusion()) {
            case Fusion.WeightedSum sum when !legs.trained() -> sum.withWeight(sum.weight() * UNTRAINED);
            case Fusion other -> other;
        };
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
                hits,
                legs.vectorsNotUsed(),
                legs.vector().mixed(),
                snapshot.unreadable(),
                legs.keywords().corrections(),
                legs.statistics());
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
                SearchResult.sentences(
                        SearchResult.corrected(legs.keywords().corrections()),
                        SearchResult.leftOut(snapshot.unreadable())));
    }

    private List<ScoredChunk> best(Legs legs) throws IOException {
        return TieBreaker.best(snapshot.searcher(), legs.candidates().fused(fusion(legs)), request.topK());
    }

    /** The filter of a request as a query over chunks. */
    static Query chunks(Filter filter) {
        return Filters.of(DocumentSchema.CHUNK, filter);
    }
}
