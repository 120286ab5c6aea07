package switchboard.store;

import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;

/**
 * Searches of documents whose chunks are in an engine: the engine finds candidates, and these are ranked here as chunks of this store
 * are, with word statistics of all. Only documents that are here, and that the caller may read, are found. Thread-safe; nothing here
 * blocks.
 */
public final class EngineSearch {
    /** If so few documents may be found, the engine is told which. */
    static final int MOST_NAMED = 5_000;

    /** Maximum number of words that the engine is asked for; the first of a longer query. */
    private static final int MOST_WORDS = 512;

    /** So many words are asked for in any case. */
    private static final int LEAST_WORDS = 16;

    /** A request has each word with the ids of the documents that it is counted in: so many ids together at most. */
    private static final int MOST_IDS = 100_000;

    private final LuceneDocumentStore documents;

    /** Searches of {@code documents}, of which this store has everything but the chunks. */
    public EngineSearch(LuceneDocumentStore documents) {
        this.documents = documents;
    }

    /**
     * What an engine is asked of one namespace.
     *
     * @param words the different terms of the query's words
     * @param vectors the query's vectors by field
     * @param documents the ids of the only documents that may be found; empty if they are too many to name
     * @param readable the same for all documents that may be read, whatever the filter: words are counted in these; empty for all
     * @param scope what it is about
     */
    public record EngineQuestion(
            List<String> words,
            Map<String, float[]> vectors,
            Optional<List<String>> documents,
            Optional<List<String>> readable,
            EngineScope scope) {
        /** The same with other vectors. */
        public EngineQuestion with(Map<String, float[]> others) {
            return new EngineQuestion(words, others, documents, readable, scope);
        }
    }

    /**
     * What a question is about.
     *
     * @param version the version of the files that it was made from
     * @param counted whether words are counted: not where that would count those of documents that may not be read
     * @param unknown whether the engine is not told all that candidates must be
     */
    public record EngineScope(long version, boolean counted, boolean unknown) {}

    /**
     * A result of candidates.
     *
     * @param changed whether documents that were asked for were replaced or removed meanwhile: their later versions were not found
     * @param <T> the result
     */
    public record RankedCandidates<T>(T result, boolean changed) {}

    /**
     * What an engine has found in one namespace.
     *
     * @param candidates chunks by the id of their document; more than a caller may see, and of documents that are gone
     * @param holders how many chunks have each of the words that were asked for
     */
    public record EngineFindings(Map<String, List<EngineChunk>> candidates, Map<String, Long> holders) {}

    /**
     * What to ask for {@code request}, by namespace; those without chunks are left out.
     *
     * @param also words that are searched, too
     */
    public Future<Map<Namespace, EngineQuestion>> questions(SearchRequest request, String also) {
        return documents.read(
                request.namespaces(), Snapshot::ofReadable, snapshot -> questions(snapshot, request, also));
    }

    private static Map<Namespace, EngineQuestion> questions(Snapshot snapshot, SearchRequest request, String also)
            throws IOException {
        Set<Language> languages = Languages.of(snapshot.searcher());
        Set<String> words = new LinkedHashSet<>();
        if (!(request.fusion() instanceof Fusion.VectorOnly)) {
            for (QueryWord word : TextAnalysis.ofQuery(request.query() + " " + also, languages)) {
                words.addAll(word.terms());
            }
        }
        Map<String, float[]> vectors = new LinkedHashMap<>();
        if (!(request.fusion() instanceof Fusion.KeywordOnly)) {
            request.vectors()
                    .forEach(one -> vectors.put(VectorFields.name(one.model(), one.values().length), one.values()));
        }
        Map<Namespace, EngineQuestion> questions = new LinkedHashMap<>();
        for (Map.Entry<Namespace, DirectoryReader> part : snapshot.parts().entrySet()) {
            if (ReadableDocuments.totals(part.getValue()).chunks() > 0) {
                boolean hides = snapshot.mayHide() && ReadableDocuments.restricted(part.getValue());
                questions.put(part.getKey(), question(part.getValue(), hides, request.filter(), words, vectors));
            }
        }
        return questions;
    }

    private static EngineQuestion question(
            DirectoryReader reader, boolean hides, Filter filter, Set<String> words, Map<String, float[]> vectors)
            throws IOException {
        boolean whole = filter instanceof Filter.All && !hides;
        Optional<List<String>> wanted = whole ? Optional.empty() : named(reader, filter);
        Optional<List<String>> readable = hides ? named(reader, new Filter.All()) : Optional.empty();
        int most = readable.map(ids -> Math.clamp(MOST_IDS / Math.max(1, ids.size()), LEAST_WORDS, MOST_WORDS))
                .orElse(MOST_WORDS);
        return new EngineQuestion(
                words.stream().limit(most).toList(),
                vectors,
                wanted,
                readable,
                new EngineScope(
                        reader.getVersion(),
                        !hides || readable.isPresent(),
                        (!whole && wanted.isEmpty()) || hasChunkConditions(filter)));
    }

    /** The ids of the documents that may pass {@code filter}; empty if they are too many. */
    private static Optional<List<String>> named(DirectoryReader reader, Filter filter) throws IOException {
        return DocumentLookup.ids(
                new IndexSearcher(reader), Filters.of(DocumentSchema.DOCUMENT, ofDocument(filter)), MOST_NAMED);
    }

    /** The result of {@code request} among what an engine has answered to {@code questions}. */
    public Future<RankedCandidates<SearchResult>> search(
            SearchRequest request, Map<Namespace, EngineQuestion> questions, Map<Namespace, EngineFindings> found) {
        return ranked(request, questions, found, SnapshotSearch::run);
    }

    /** The same, grouped by document. */
    public Future<RankedCandidates<DocumentScores>> scores(
            SearchRequest request, Map<Namespace, EngineQuestion> questions, Map<Namespace, EngineFindings> found) {
        return ranked(request, questions, found, SnapshotSearch::byDocument);
    }

    /** Makes hits, or scores of documents, of a search over candidates. */
    private interface SearchOutcome<T> {
        T of(SnapshotSearch search) throws IOException;
    }

    private <T> Future<RankedCandidates<T>> ranked(
            SearchRequest request,
            Map<Namespace, EngineQuestion> questions,
            Map<Namespace, EngineFindings> found,
            SearchOutcome<T> ranking) {
        return documents.read(request.namespaces(), Snapshot::ofReadable, here -> {
            Map<Namespace, EngineFindings> readable = readable(here, found);
            Map<Namespace, VisibleSegment.Totals> totals = new HashMap<>();
            boolean changed = false;
            for (Map.Entry<Namespace, DirectoryReader> part : here.parts().entrySet()) {
                totals.put(part.getKey(), ReadableDocuments.totals(part.getValue()));
                EngineQuestion asked = questions.get(part.getKey());
                changed |= asked != null
                        && asked.scope().version() != part.getValue().getVersion()
                        && documents(readable, part.getKey()) < documents(found, part.getKey());
            }
            try (Snapshot candidates = CandidateIndex.of(here, readable, totals)) {
                return new RankedCandidates<>(ranking.of(new SnapshotSearch(candidates, request)), changed);
            }
        });
    }

    private static int documents(Map<Namespace, EngineFindings> found, Namespace namespace) {
        EngineFindings one = found.get(namespace);
        return one == null ? 0 : one.candidates().size();
    }

    /** Without what is not there, or not for the caller. */
    private static Map<Namespace, EngineFindings> readable(Snapshot here, Map<Namespace, EngineFindings> found)
            throws IOException {
        Map<Namespace, EngineFindings> readable = new LinkedHashMap<>();
        for (Map.Entry<Namespace, EngineFindings> one : found.entrySet()) {
            Map<String, List<EngineChunk>> candidates = new LinkedHashMap<>();
            for (Map.Entry<String, List<EngineChunk>> document :
                    one.getValue().candidates().entrySet()) {
                if (DocumentLookup.numberById(here, document.getKey()).isPresent()) {
                    candidates.put(document.getKey(), document.getValue());
                }
            }
            readable.put(
                    one.getKey(), new EngineFindings(candidates, one.getValue().holders()));
        }
        return readable;
    }

    /** Whether {@code filter} has conditions of chunks, which the engine is not told. */
    public static boolean hasChunkConditions(Filter filter) {
        return !ofDocument(filter).equals(filter);
    }

    /** {@code filter} without conditions of chunks: documents that don't pass it have no chunk that does. */
    public static Filter ofDocument(Filter filter) {
        return Filters.withoutChunks(filter, true);
    }

    /** The chunks of {@code forms} that pass the filter, ordered by source and position in the document; at most {@code limit}. */
    public Future<List<StoredChunk>> chunks(
            Collection<Namespace> namespaces, Map<Namespace, List<DocumentForm>> forms, Filter filter, int limit) {
        return documents.read(namespaces, Snapshot::ofReadable, here -> {
            Map<Namespace, EngineFindings> all = new LinkedHashMap<>();
            Map<Namespace, VisibleSegment.Totals> none = new HashMap<>();
            forms.forEach((namespace, documents) -> {
                Map<String, List<EngineChunk>> chunks = new LinkedHashMap<>();
                documents.forEach(form -> chunks.put(
                        DocumentForm.document(namespace, form.facts()).id(),
                        new ArrayList<>(form.engineChunks(form.withoutVectors()))));
                all.put(namespace, new EngineFindings(chunks, Map.of()));
                none.put(namespace, VisibleSegment.Totals.NONE);
            });
            try (Snapshot candidates = CandidateIndex.of(here, readable(here, all), none)) {
                return DocumentLookup.chunks(candidates, filter, limit);
            }
        });
    }
}
