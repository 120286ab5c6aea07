package switchboard.store;

import java.util.List;

/**
 * A page of documents.
 *
 * @param namespaces exactly what may be seen
 * @param filter which of it counts
 * @param order how they are ordered
 * @param offset how many to leave out, from 0
 * @param limit how many at most, 1 to {@value #MAX_LIMIT}
 */
public record ListRequest(List<Namespace> namespaces, Filter filter, Order order, int offset, int limit) {
    /** Most documents of a page. */
    public static final int MAX_LIMIT = 1000;

    /** Furthest that {@code offset + limit} may reach. */
    public static final int MAX_REACH = 1_000_000;

    public ListRequest {
        namespaces = namespaces.stream().distinct().sorted().toList();
        if (offset < 0 || limit < 1 || limit > MAX_LIMIT || (long) offset + limit > MAX_REACH) {
            throw new IllegalArgumentException("limit is between 1 and " + MAX_LIMIT
                    + ", offset not negative, their sum at most " + MAX_REACH + ".");
        }
    }

    /** The order of a listing; ties in the order of the documents' ids. */
    public enum Order {
        NEWEST_FIRST,
        BY_SOURCE
    }
}
