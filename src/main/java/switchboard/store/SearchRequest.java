package switchboard.store;

import java.util.List;
import java.util.Optional;

/**
 * A search for chunks.
 *
 * @param query text, nothing in it is syntax
 * @param vectors the query's vectors, of each model at most one; several where the namespaces have different models, and
 *     then the order follows ranks, as cosines of different models can't be compared
 * @param namespaces exactly what may be seen
 * @param filter which of it counts
 * @param topK how many hits at most, 1 to {@value #MAX_TOP_K}
 * @param fusion how the legs become one order
 */
public record SearchRequest(
        String query, List<QueryVector> vectors, List<Namespace> namespaces, Filter filter, int topK, Fusion fusion) {
    /** Most hits of a search. */
    public static final int MAX_TOP_K = 1000;

    /** A search with one vector or none. */
    public SearchRequest(
            String query,
            Optional<QueryVector> vector,
            List<Namespace> namespaces,
            Filter filter,
            int topK,
            Fusion fusion) {
        this(query, vector.stream().toList(), namespaces, filter, topK, fusion);
    }

    public SearchRequest {
        vectors = List.copyOf(vectors);
        namespaces = namespaces.stream().distinct().sorted().toList();
        if (topK < 1 || topK > MAX_TOP_K) {
            throw new IllegalArgumentException("topK is between 1 and " + MAX_TOP_K + ": " + topK);
        }
    }

    /**
     * A query's vector.
     *
     * @param model whose it is; only vectors of the same model are compared
     * @param values of unit length; must not be changed
     */
    public record QueryVector(String model, float[] values) {}
}
