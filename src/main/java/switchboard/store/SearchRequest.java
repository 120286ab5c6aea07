package switchboard.store;

import java.util.List;
import java.util.Optional;
import switchboard.embed.ModelLanguages;

/**
 * A search for chunks.
 *
 * @param query plain text, without any syntax
 * @param vectors the query's vectors, at most one for each model. If the namespaces have different models, hits are
 *     ordered by rank, because cosines of different models can't be compared
 * @param namespaces the namespaces that may be seen
 * @param filter selects chunks
 * @param topK maximum number of hits, 1 to {@value #MAX_TOP_K}
 * @param fusion how keyword and vector scores are combined
 * @param spelling whether words are corrected that no searched chunk has
 */
public record SearchRequest(
        String query,
        List<QueryVector> vectors,
        List<Namespace> namespaces,
        Filter filter,
        int topK,
        Fusion fusion,
        Spelling spelling) {
    /** What happens to words of the query that no searched chunk has. */
    public enum Spelling {
        /** Similar words are searched instead. */
        CORRECTED,
        /** Nothing: the namespaces are a part of what is searched, and another part may have the word. */
        AS_WRITTEN
    }

    /** Maximum number of hits of a search. */
    public static final int MAX_TOP_K = 1000;

    /** A search that corrects words. */
    public SearchRequest(
            String query,
            List<QueryVector> vectors,
            List<Namespace> namespaces,
            Filter filter,
            int topK,
            Fusion fusion) {
        this(query, vectors, namespaces, filter, topK, fusion, Spelling.CORRECTED);
    }

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
            throw new IllegalArgumentException("topK must be between 1 and " + MAX_TOP_K + ": " + topK);
        }
    }

    /**
     * A query's vector.
     *
     * @param model its embedding model; only vectors of the same model are compared
     * @param values a unit vector; must not be changed
     * @param languages what the model was trained on
     */
    public record QueryVector(String model, float[] values, ModelLanguages languages) {
        /** The vector of a model that knows all languages. */
        public QueryVector(String model, float[] values) {
            this(model, values, ModelLanguages.ALL);
        }
    }
}
