package switchboard.store;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import switchboard.embed.Embedder;
import switchboard.embed.ModelTraits;
import switchboard.embed.TokenCounter;

/**
 * A search for chunks.
 *
 * @param query plain text, without any syntax
 * @param vectors the query's vectors, at most one for each model. If the namespaces have several models, the places of
 *     cosines in their ranges are compared; hits are ordered by rank if the range of one is not known
 * @param namespaces the namespaces that may be seen
 * @param filter selects chunks
 * @param limits how many hits, and what they may have in common
 * @param fusion how keyword and vector scores are combined
 * @param spelling whether words are corrected that no searched chunk has
 * @param explain what {@link SearchResult#explanations} say
 */
public record SearchRequest(
        String query,
        List<QueryVector> vectors,
        List<Namespace> namespaces,
        Filter filter,
        HitLimits limits,
        Fusion fusion,
        Spelling spelling,
        Explain explain) {
    /** Whether words of the query that no searched chunk has are corrected. */
    public enum Spelling {
        /** Similar words are searched instead. */
        CORRECTED,
        /**
         * The query is searched as it is, and similar words are reported: the namespaces are a part of what is searched,
         * and another part may have the word.
         */
        SUGGESTED
    }

    /** What is said of the scores of hits. */
    public enum Explain {
        /** Nothing. */
        NOTHING,
        /** What they are made of. */
        PARTS,
        /** Also which words of the query a hit has. */
        PARTS_AND_WORDS
    }

    /** Maximum number of hits of a search. */
    public static final int MAX_TOP_K = 1000;

    /** A search that explains nothing. */
    public SearchRequest(
            String query,
            List<QueryVector> vectors,
            List<Namespace> namespaces,
            Filter filter,
            HitLimits limits,
            Fusion fusion,
            Spelling spelling) {
        this(query, vectors, namespaces, filter, limits, fusion, spelling, Explain.NOTHING);
    }

    /** A search that corrects words. */
    public SearchRequest(
            String query,
            List<QueryVector> vectors,
            List<Namespace> namespaces,
            Filter filter,
            HitLimits limits,
            Fusion fusion) {
        this(query, vectors, namespaces, filter, limits, fusion, Spelling.CORRECTED);
    }

    /** A search that corrects words, for the best chunks whatever their documents. */
    public SearchRequest(
            String query,
            List<QueryVector> vectors,
            List<Namespace> namespaces,
            Filter filter,
            int topK,
            Fusion fusion) {
        this(query, vectors, namespaces, filter, HitLimits.chunks(topK), fusion);
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
    }

    /** Whether chunks of different documents with the same text are hits of their own. */
    public enum Copies {
        /** Each is a hit. */
        SEPARATE,
        /** They are one hit, that of the best document, which names the others. */
        FOLDED
    }

    /**
     * How many hits, and what they may have in common.
     *
     * @param topK maximum number of hits, 1 to {@value #MAX_TOP_K}
     * @param perDocument maximum number of hits of one document; 0 for no limit
     * @param copies what happens to chunks with the same text
     * @param minRelevance the relevance that a hit has at least, 0 to 1; 0 for all hits, also those whose relevance is not
     *     known
     */
    public record HitLimits(int topK, int perDocument, Copies copies, double minRelevance) {
        public HitLimits {
            if (topK < 1 || topK > MAX_TOP_K) {
                throw new IllegalArgumentException("topK must be between 1 and " + MAX_TOP_K + ": " + topK);
            }
            if (perDocument < 0) {
                throw new IllegalArgumentException("perDocument must not be negative: " + perDocument);
            }
            if (!(minRelevance >= 0 && minRelevance <= 1)) {
                throw new IllegalArgumentException("minRelevance must be between 0 and 1: " + minRelevance);
            }
        }

        /** The best {@code topK} chunks, whatever their documents. */
        public static HitLimits chunks(int topK) {
            return new HitLimits(topK, 0, Copies.SEPARATE, 0);
        }

        /** At most {@code perDocument} hits of one document, and one of chunks with the same text. */
        public static HitLimits varied(int topK, int perDocument) {
            return new HitLimits(topK, perDocument, Copies.FOLDED, 0);
        }

        /** The same, for hits of at least this relevance. */
        public HitLimits relevant(double least) {
            return new HitLimits(topK, perDocument, copies, least);
        }
    }

    /** The same search in other namespaces. */
    public SearchRequest in(List<Namespace> others) {
        return new SearchRequest(query, vectors, others, filter, limits, fusion, spelling, explain);
    }

    /** The same search by {@code other}. */
    public SearchRequest by(Fusion other) {
        return new SearchRequest(query, vectors, namespaces, filter, limits, other, spelling, explain);
    }

    /** Maximum number of hits. */
    public int topK() {
        return limits.topK();
    }

    /**
     * A query's vector.
     *
     * @param model its embedding model; only vectors of the same model are compared
     * @param values a unit vector; must not be changed
     * @param traits what is known of the model
     * @param stored what the searched documents should have as {@link NewDocument#model}: others lack vectors
     * @param tokens how the model reads the query; {@link TokenCounter#UNKNOWN} if the vector is of something else
     */
    public record QueryVector(
            String model, float[] values, ModelTraits traits, Set<String> stored, TokenCounter tokens) {
        public QueryVector {
            stored = Set.copyOf(stored);
        }

        /** The vector of a model of which nothing is known, the only one of the searched documents. */
        public QueryVector(String model, float[] values) {
            this(model, values, ModelTraits.UNKNOWN, Set.of(model), TokenCounter.UNKNOWN);
        }

        /** The vector that {@code embedder} computed of the query. */
        public static QueryVector of(Embedder embedder, float[] values, Set<String> stored) {
            return new QueryVector(embedder.model(), values, embedder.traits(), stored, embedder.tokens());
        }
    }
}
