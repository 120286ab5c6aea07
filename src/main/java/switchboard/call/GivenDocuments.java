package switchboard.call;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which documents an engine's own tool gives in its answer, for the search log. The caller does not get this. */
public sealed interface GivenDocuments {
    /** Nothing that the search log should know. */
    GivenDocuments NONE = new Nothing();

    /** How many hits, and how many sources, {@link #json} has of a search at most. The counts of its sources are of all hits. */
    int MOST = 100;

    /** The members of {@link #json}. */
    String SEARCHES = "searches";

    String READ = "read";

    /** The members of a search there. */
    String QUERY = "query";

    String SKIPPED = "skipped";
    String SOURCES = "sources";
    String RESULTS = "results";

    /** No documents, or none that were asked for. */
    record Nothing() implements GivenDocuments {}

    /** What one search found. */
    record OneSearch(GivenSearch search) implements GivenDocuments {}

    /**
     * The hits of several searches in one call.
     *
     * @param searches one for each part of the answer; one that failed has no query
     */
    record SeveralSearches(List<GivenSearch> searches) implements GivenDocuments {
        public SeveralSearches {
            searches = List.copyOf(searches);
        }
    }

    /** Documents that were asked for one by one. */
    record Read(List<GivenDocument> documents) implements GivenDocuments {
        public Read {
            documents = List.copyOf(documents);
        }
    }

    /**
     * A search.
     *
     * @param query as the caller asked it; blank for no question
     * @param sources the libraries, collections, indexes or tables that were searched
     * @param skipped how many of the best hits were left out, because the caller wants those behind them
     * @param hits as many as the answer has results, in their order
     */
    record GivenSearch(String query, List<String> sources, int skipped, List<GivenHit> hits) {
        public GivenSearch {
            sources = List.copyOf(sources);
            hits = List.copyOf(hits);
        }

        /** The first hits of a search. */
        public GivenSearch(String query, List<String> sources, List<GivenHit> hits) {
            this(query, sources, 0, hits);
        }

        private GivenSearch shown(int left, int count) {
            return new GivenSearch(query, sources, skipped + left, part(hits, left, count));
        }

        private void write(ObjectNode json) {
            json.put(QUERY, query).put(SKIPPED, skipped);
            Map<String, Integer> counts = new HashMap<>();
            hits.forEach(hit -> counts.merge(hit.document().source(), 1, Integer::sum));
            ArrayNode searched = json.putArray(SOURCES);
            sources.stream()
                    .sorted(Comparator.comparingInt(source -> -counts.getOrDefault(source, 0)))
                    .limit(MOST)
                    .forEach(source ->
                            searched.addObject().put("source", source).put("hits", counts.getOrDefault(source, 0)));
            ArrayNode results = json.putArray(RESULTS);
            for (GivenHit hit : part(hits, 0, MOST)) {
                results.add(hit.document().json().put("score", hit.score()).put("relevance", hit.relevance()));
            }
        }
    }

    /**
     * A hit.
     *
     * @param score the engine's own, or null if it has none
     * @param relevance 0 to 1, or null if it is not known
     */
    record GivenHit(
            GivenDocument document,
            @Nullable Double score,
            @Nullable Double relevance) {}

    /**
     * A document.
     *
     * @param source its library, collection, index or table
     * @param id its id there, as {@link Passage#document} has it; null if the answer does not tell which one it is
     */
    record GivenDocument(String source, @Nullable String id) {
        private ObjectNode json() {
            return Json.object().put("source", source).put("id", id);
        }
    }

    /** The documents that a call has read; {@link #NONE} if it has read none. */
    static GivenDocuments read(List<GivenDocument> documents) {
        return documents.isEmpty() ? NONE : new Read(documents);
    }

    /** A search; {@link #NONE} if it has no question. */
    static GivenDocuments found(GivenSearch search) {
        return search.query().isBlank() ? NONE : new OneSearch(search);
    }

    /**
     * What is left of this where the parts of the answer were made fewer: hits, or whole searches if there are several.
     *
     * @param left how many of the first parts were left out
     * @param count how many are shown after those
     */
    default GivenDocuments shown(int left, int count) {
        return switch (this) {
            case Nothing _, Read _ -> this;
            case OneSearch(GivenSearch search) -> new OneSearch(search.shown(left, count));
            case SeveralSearches(List<GivenSearch> searches) -> new SeveralSearches(part(searches, left, count));
        };
    }

    /** With the names of sources and the ids of documents as the engine has them; no more than {@link #MOST} hits of a search. */
    default ObjectNode json() {
        ObjectNode json = Json.object();
        ArrayNode searches = json.putArray(SEARCHES);
        ArrayNode read = json.putArray(READ);
        switch (this) {
            case Nothing _ -> {}
            case OneSearch(GivenSearch search) -> search.write(searches.addObject());
            case SeveralSearches(List<GivenSearch> all) ->
                all.stream()
                        .filter(search -> !search.query().isBlank())
                        .forEach(search -> search.write(searches.addObject()));
            case Read(List<GivenDocument> documents) -> documents.forEach(document -> read.add(document.json()));
        }
        return json;
    }

    private static <T> List<T> part(List<T> all, int left, int count) {
        int first = Math.min(left, all.size());
        return all.subList(first, (int) Math.min(all.size(), (long) first + count));
    }
}
