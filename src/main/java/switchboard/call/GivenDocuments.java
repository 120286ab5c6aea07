package switchboard.call;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which documents an engine's own tool gives in its answer, for the search log. The caller does not get this.
 *
 * @param searches what was searched, and what was found; more than one if a call has several queries
 * @param read the documents that were read
 */
public record GivenDocuments(List<GivenSearch> searches, List<GivenDocument> read) {
    /** Nothing that the search log should know. */
    public static final GivenDocuments NONE = new GivenDocuments(List.of(), List.of());

    /** The members of {@link #json}. */
    public static final String SEARCHES = "searches";

    public static final String READ = "read";
    public static final String QUERY = "query";
    public static final String SOURCES = "sources";
    public static final String SKIPPED = "skipped";
    public static final String RESULTS = "results";

    /**
     * A search.
     *
     * @param query as the caller asked it
     * @param sources the libraries, collections, indexes or tables that were searched
     * @param skipped how many of the best hits were left out, because the caller wants those behind them
     * @param hits as many as the answer has results, in their order
     */
    public record GivenSearch(String query, List<String> sources, int skipped, List<GivenHit> hits) {
        public GivenSearch {
            sources = List.copyOf(sources);
            hits = List.copyOf(hits);
        }

        /** The first hits of a search. */
        public GivenSearch(String query, List<String> sources, List<GivenHit> hits) {
            this(query, sources, 0, hits);
        }

        private GivenSearch shown(int left, int count) {
            int first = Math.min(left, hits.size());
            return new GivenSearch(
                    query, sources, skipped + left, hits.subList(first, Math.min(hits.size(), first + count)));
        }
    }

    /**
     * A hit.
     *
     * @param score the engine's own, or null if it has none
     * @param relevance 0 to 1, or null if it is not known
     */
    public record GivenHit(
            GivenDocument document,
            @Nullable Double score,
            @Nullable Double relevance) {}

    /**
     * A document.
     *
     * @param source its library, collection, index or table
     * @param id its id there, as {@link Passage#document} has it; null if the answer does not tell which one it is
     */
    public record GivenDocument(String source, @Nullable String id) {
        private String label(String backend) {
            return backend + ":" + source;
        }

        private Optional<String> address(String backend) {
            return Optional.ofNullable(id).map(known -> DocumentAddress.of(backend, source, known));
        }
    }

    public GivenDocuments {
        searches = List.copyOf(searches);
        read = List.copyOf(read);
    }

    /** What one search found. */
    public static GivenDocuments found(GivenSearch search) {
        return new GivenDocuments(List.of(search), List.of());
    }

    /** Documents that were read. */
    public static GivenDocuments read(List<GivenDocument> documents) {
        return new GivenDocuments(List.of(), documents);
    }

    /** Whether there is anything to know. */
    public boolean any() {
        return !searches.isEmpty() || !read.isEmpty();
    }

    /**
     * What is left of this where the results of the answer were made fewer: the hits of a search, or whole searches if there are several.
     *
     * @param left how many of the first results were left out
     * @param count how many are shown after those
     */
    public GivenDocuments shown(int left, int count) {
        if (searches.size() == 1) {
            return new GivenDocuments(List.of(searches.getFirst().shown(left, count)), read);
        }
        int first = Math.min(left, searches.size());
        return new GivenDocuments(searches.subList(first, Math.min(searches.size(), first + count)), read);
    }

    /** With addresses and names of sources as answers of {@code search_everywhere} have them. */
    public ObjectNode json(String backend) {
        ObjectNode json = Json.object();
        ArrayNode all = json.putArray(SEARCHES);
        for (GivenSearch search : searches) {
            ObjectNode one = all.addObject().put(QUERY, search.query()).put(SKIPPED, search.skipped());
            ArrayNode names = one.putArray(SOURCES);
            search.sources().forEach(source -> names.add(new GivenDocument(source, null).label(backend)));
            ArrayNode results = one.putArray(RESULTS);
            for (GivenHit hit : search.hits()) {
                ObjectNode result =
                        results.addObject().put("source", hit.document().label(backend));
                hit.document().address(backend).ifPresent(address -> result.put("address", address));
                result.put("score", hit.score()).put("relevance", hit.relevance());
            }
        }
        ArrayNode addresses = json.putArray(READ);
        read.forEach(document -> document.address(backend).ifPresent(addresses::add));
        return json;
    }
}
