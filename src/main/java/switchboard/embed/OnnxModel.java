package switchboard.embed;

import java.util.Optional;

/**
 * A sentence embedding model on the class path: a BERT-like ONNX graph whose first output is the last hidden state,
 * and a Hugging Face {@code tokenizer.json}.
 *
 * @param name the model's name, stored with its vectors
 * @param graph resource of the ONNX graph
 * @param tokenizer resource of the tokenizer
 * @param dimension number of dimensions
 * @param maxTokens maximum input including the two special tokens
 * @param queryPrefix put before every query
 * @param documentPrefix put before every document
 * @param traits what it was trained on, and what its cosines mean
 */
public record OnnxModel(
        String name,
        String graph,
        String tokenizer,
        int dimension,
        int maxTokens,
        String queryPrefix,
        String documentPrefix,
        ModelTraits traits) {
    /** Measured on the sets that docs/performance.md names. */
    private static final CosineRange BGE_SMALL_COSINES = new CosineRange(0.54, 0.77);

    /**
     * BAAI's bge-small-en-v1.5 with int8 weights. The query prefix of its model card is not used: combined with BM25
     * it measured no better.
     */
    public static OnnxModel bgeSmall() {
        return new OnnxModel(
                "bge-small-en-v1.5-q",
                "bge-small-en-v1.5-q.onnx",
                "bge-small-en-v1.5-q-tokenizer.json",
                384,
                512,
                "",
                "",
                new ModelTraits(ModelLanguages.ENGLISH, Optional.of(BGE_SMALL_COSINES)));
    }

    /** The same with other traits. */
    OnnxModel withTraits(ModelTraits others) {
        return new OnnxModel(name, graph, tokenizer, dimension, maxTokens, queryPrefix, documentPrefix, others);
    }

    /** The same with other prefixes. */
    public OnnxModel withPrefixes(String query, String document) {
        return new OnnxModel(name, graph, tokenizer, dimension, maxTokens, query, document, traits);
    }
}
