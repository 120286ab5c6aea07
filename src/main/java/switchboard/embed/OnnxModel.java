package switchboard.embed;

/**
 * A sentence-embedding model that comes on the class path: a BERT-like ONNX graph whose first output is the last hidden
 * state, and a Hugging Face {@code tokenizer.json}.
 *
 * @param name the model's name, kept with its vectors
 * @param graph resource of the ONNX graph
 * @param tokenizer resource of the tokenizer
 * @param dimension how many numbers a vector has
 * @param maxTokens longest input, with the two marks around it
 * @param queryPrefix put before every query
 * @param documentPrefix put before every document text
 * @param scripts what it was trained on
 */
public record OnnxModel(
        String name,
        String graph,
        String tokenizer,
        int dimension,
        int maxTokens,
        String queryPrefix,
        String documentPrefix,
        Scripts scripts) {
    /**
     * BAAI's bge-small-en-v1.5 with int8 weights. Without the query prefix of its model card: searched together with
     * BM25, that prefix measured no better.
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
                Scripts.LATIN);
    }

    /** The same, said to know other scripts. */
    public OnnxModel withScripts(Scripts others) {
        return new OnnxModel(name, graph, tokenizer, dimension, maxTokens, queryPrefix, documentPrefix, others);
    }

    /** The same with other prefixes. */
    public OnnxModel withPrefixes(String query, String document) {
        return new OnnxModel(name, graph, tokenizer, dimension, maxTokens, query, document, scripts);
    }
}
