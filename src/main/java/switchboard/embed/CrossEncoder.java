package switchboard.embed;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.TensorInfo;
import java.io.IOException;
import java.util.Map;

/** A cross-encoder in memory. One pair at a time, as {@link LoadedModel} and for its reasons. */
final class CrossEncoder implements AutoCloseable {
    private static final String LOGITS = "logits";

    /** The number of outputs of a model that classifies as "no" or "yes"; others have one. */
    private static final int NO_AND_YES = 2;

    private final int maxTokens;
    private final HuggingFaceTokenCounter tokens;
    private final OnnxGraph graph;
    private final String output;

    CrossEncoder(CrossEncoderModel model) throws IOException, OrtException {
        this.maxTokens = model.maxTokens();
        this.tokens = HuggingFaceTokenCounter.load(model.files());
        try {
            this.graph = new OnnxGraph(model.files());
        } catch (IOException | OrtException | RuntimeException e) {
            tokens.close();
            throw e;
        }
        try {
            this.output = output(graph.outputs());
            score("query", "passage");
        } catch (IOException | OrtException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private static String output(Map<String, NodeInfo> outputs) throws IOException {
        for (Map.Entry<String, NodeInfo> entry : outputs.entrySet()) {
            boolean named = entry.getKey().equals(LOGITS) || outputs.size() == 1;
            if (named && entry.getValue().getInfo() instanceof TensorInfo) {
                return entry.getKey();
            }
        }
        throw new IOException("The graph gives " + String.join(", ", outputs.keySet())
                + ", but no logits. Export a cross-encoder for text classification.");
    }

    /**
     * The score of a passage for a query; any number.
     *
     * @throws IOException with a message for the operator, if the graph gives something else
     */
    double score(String query, String passage) throws IOException, OrtException {
        HuggingFaceTokenCounter.PairTokens pair = tokens.pair(query, passage, maxTokens);
        OnnxGraph.Output out = graph.run(pair.ids(), pair.types(), output);
        int count = out.numbers().remaining();
        if (count < 1 || count > NO_AND_YES) {
            throw new IOException("The graph gives " + count + " numbers for a query and a passage, but a cross-encoder"
                    + " gives one, or two for no and yes. Choose another model.");
        }
        double first = out.numbers().get(0);
        double score = count == 1 ? first : out.numbers().get(1) - first;
        if (!Double.isFinite(score)) {
            throw new IOException("Its score of a passage is not finite. Export the model with more precision.");
        }
        return score;
    }

    @Override
    public void close() throws OrtException {
        try {
            graph.close();
        } finally {
            tokens.close();
        }
    }
}
