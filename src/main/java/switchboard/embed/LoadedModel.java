package switchboard.embed;

import ai.onnxruntime.OrtException;
import java.io.IOException;

/**
 * A model in memory. All threads share one session, and each call uses one thread and one text. Batches are not used,
 * because int8 activations are scaled by the content of the batch, so a text's vector would depend on its neighbours
 * and padding. One caller per core with one thread each also measured fastest.
 */
final class LoadedModel implements AutoCloseable {
    private final OnnxModel model;
    private final HuggingFaceTokenCounter tokens;
    private final OnnxGraph graph;
    private final PooledOutput output;

    LoadedModel(OnnxModel model, HuggingFaceTokenCounter tokens) throws IOException, OrtException {
        this.model = model;
        this.tokens = tokens;
        this.graph = new OnnxGraph(model.files());
        try {
            this.output = PooledOutput.of(graph.outputs(), model.poolings());
        } catch (IOException | OrtException | RuntimeException e) {
            graph.close();
            throw e;
        }
    }

    /**
     * The vector of a text, scaled to unit length.
     *
     * @throws IOException with a message for the operator, if the graph gives no vector of the model's dimension
     * @throws switchboard.call.ToolException {@code UNAVAILABLE}, if the model is closed
     */
    float[] embed(String text) throws IOException, OrtException {
        long[] ids = tokens.ids(text, model.maxTokens());
        float[] vector = output.vector(graph.run(ids, new long[ids.length], output.name()));
        if (vector.length != model.dimension()) {
            throw new IOException("Its vectors have " + vector.length + " numbers, but " + model.dimension()
                    + " are expected by its configuration. Set dimension: " + vector.length + ".");
        }
        L2Normalizer.of(vector);
        for (float number : vector) {
            if (!Float.isFinite(number)) {
                throw new IOException("Its vector of a text is not finite. Export the model with more precision.");
            }
        }
        return vector;
    }

    /** Releases the native session when its calls have ended. The tokenizer's owner closes the tokenizer. */
    @Override
    public void close() throws OrtException {
        graph.close();
    }
}
