package switchboard.backend.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import switchboard.call.SourceQuery.Condition;

/**
 * A search in one index.
 *
 * @param index a name that the caller may use
 * @param text the question, blank for none
 * @param mode what to search by
 * @param required whether a search that is not possible in this mode fails, rather than goes by keywords
 * @param vector the caller's own vector
 * @param conditions all of them hold for every hit
 * @param page which hits
 * @param options how a search by keywords works, and what hits show
 */
record IndexQuery(
        String index,
        String text,
        SearchMode mode,
        boolean required,
        Optional<JsonNode> vector,
        List<Condition> conditions,
        Page page,
        SearchOptions options) {
    /**
     * Some of the hits.
     *
     * @param offset how many are skipped
     * @param limit how many follow, at most
     */
    record Page(int offset, int limit) {
        int end() {
            return offset + limit;
        }
    }

    /**
     * Details.
     *
     * @param searched the fields for keywords; empty for those that the index searches by default
     * @param shown the fields of hits, as names or patterns with {@code *}; empty for all
     * @param vectors whether hits have their vectors
     * @param sort the order; empty for the best first
     * @param highlight whether hits have the places that match
     */
    record SearchOptions(
            List<String> searched, List<String> shown, boolean vectors, List<Order> sort, boolean highlight) {
        static final SearchOptions WITH_VECTORS = new SearchOptions(List.of(), List.of(), true, List.of(), false);
    }

    /**
     * An order of hits.
     *
     * @param field a field's name, or {@code _score}
     * @param direction {@code asc} or {@code desc}
     */
    record Order(String field, String direction) {
        /** The order that {@code text} says, such as {@code year:desc}. */
        static Order of(String text) {
            int colon = text.lastIndexOf(':');
            return new Order(text.substring(0, colon), text.substring(colon + 1));
        }
    }

    /** Whether there is something to search by. */
    boolean hasText() {
        return !text.isBlank();
    }
}
