package switchboard.store;

import java.util.List;

/**
 * A request for one page of documents.
 *
 * @param namespaces the namespaces that may be seen
 * @param filter selects documents
 * @param order their order
 * @param offset how many to skip, from 0
 * @param limit maximum number of documents, 1 to {@value #MAX_LIMIT}
 */
public record ListRequest(List<Namespace> namespaces, Filter filter, Order order, int offset, int limit) {
    /** Maximum number of documents in a page. */
    public static final int MAX_LIMIT = 1000;

    /** Maximum of {@code offset + limit}. */
    public static final int MAX_REACH = 1_000_000;

    public ListRequest {
        namespaces = namespaces.stream().distinct().sorted().toList();
        if (offset < 0 || limit < 1 || limit > MAX_LIMIT || (long) offset + limit > MAX_REACH) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT
                    + ", offset not negative, their sum at most " + MAX_REACH + ".");
        }
    }

    /** The order of a listing. Ties are ordered by document id. */
    public enum Order {
        NEWEST_FIRST,
        BY_SOURCE
    }
}
