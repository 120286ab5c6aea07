package switchboard.embed;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.TensorInfo;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import switchboard.config.EmbedderConfig.Pooling;

/**
 * The output of a graph that the vector of a text is made from, and how: as sentence-transformers does it.
 *
 * @param name the output
 * @param pooling how the vectors of tokens become one; {@code NONE} if the output is one
 */
record PooledOutput(String name, Pooling pooling) {
    /** The usual name of the output with the vector of the whole text. */
    private static final String SENTENCE = "sentence_embedding";

    /** The output of BERT's own head, made from the first token. It was trained for another task. */
    private static final String HEAD = "pooler_output";

    /** The usual name of the output with the vectors of tokens. */
    private static final List<String> TOKENS = List.of("last_hidden_state", "token_embeddings");

    private static final int OF_TEXT = 2;
    private static final int OF_TOKENS = 3;

    /**
     * The output of a graph by the first of {@code poolings} that is possible with it.
     *
     * @throws IOException with a message for the operator, if none is
     */
    static PooledOutput of(Map<String, NodeInfo> outputs, List<Pooling> poolings) throws IOException {
        for (Pooling pooling : poolings) {
            Optional<String> name = pooling == Pooling.NONE ? ofText(outputs) : ofTokens(outputs);
            if (name.isPresent()) {
                return new PooledOutput(name.get(), pooling);
            }
        }
        throw new IOException(
                poolings.equals(List.of(Pooling.NONE))
                        ? "The graph has no output with the vector of a text, and no file says how to make it from those of"
                                + " tokens. Set pooling: mean or cls, as the model's page says. Its outputs are "
                                + String.join(", ", outputs.keySet()) + "."
                        : "The graph has no output with the vectors of tokens. Its outputs are "
                                + String.join(", ", outputs.keySet())
                                + ". Export the model for feature extraction.");
    }

    private static Optional<String> ofText(Map<String, NodeInfo> outputs) {
        if (outputs.containsKey(SENTENCE)) {
            return Optional.of(SENTENCE);
        }
        return ofTokens(outputs).isPresent()
                ? Optional.empty()
                : first(outputs, name -> rank(outputs, name) == OF_TEXT && !name.equals(HEAD));
    }

    private static Optional<String> ofTokens(Map<String, NodeInfo> outputs) {
        return TOKENS.stream()
                .filter(name -> rank(outputs, name) != OF_TEXT)
                .filter(outputs::containsKey)
                .findFirst()
                .or(() -> first(outputs, name -> rank(outputs, name) == OF_TOKENS));
    }

    private static Optional<String> first(Map<String, NodeInfo> outputs, Predicate<String> wanted) {
        return outputs.keySet().stream().filter(wanted).findFirst();
    }

    /** The number of axes of an output; 0 if the graph does not say it. */
    private static int rank(Map<String, NodeInfo> outputs, String name) {
        NodeInfo output = outputs.get(name);
        return output != null && output.getInfo() instanceof TensorInfo info ? info.getShape().length : 0;
    }

    /**
     * The vector of one text, of any length.
     *
     * @throws IOException if the graph gives something else
     */
    float[] vector(OnnxGraph.Output output) throws IOException {
        long[] shape = output.shape();
        int expected = pooling == Pooling.NONE ? OF_TEXT : OF_TOKENS;
        if (shape.length != expected || shape[0] != 1 || !output.numbers().hasRemaining()) {
            throw new IOException("The graph's output " + name + " has the shape " + Arrays.toString(shape)
                    + "; for pooling " + pooling.name().toLowerCase(Locale.ROOT) + " it has " + expected
                    + " axes, the first of length 1, of floating-point numbers. Set another pooling, or export the model"
                    + " again.");
        }
        return pooled(output.numbers(), (int) shape[expected - 1]);
    }

    private float[] pooled(FloatBuffer numbers, int dimension) {
        List<float[]> tokens = new ArrayList<>();
        while (numbers.hasRemaining()) {
            float[] token = new float[dimension];
            numbers.get(token);
            tokens.add(token);
        }
        return switch (pooling) {
            case NONE, CLS -> tokens.getFirst();
            case LAST -> tokens.getLast();
            // The sum has the direction of the mean, and vectors are scaled to length 1.
            case MEAN -> tokens.stream().reduce(new float[dimension], PooledOutput::sum);
            case MAX -> tokens.stream().reduce(tokens.getFirst().clone(), PooledOutput::largest);
        };
    }

    private static float[] sum(float[] one, float[] other) {
        for (int i = 0; i < one.length; i++) {
            one[i] += other[i];
        }
        return one;
    }

    private static float[] largest(float[] one, float[] other) {
        for (int i = 0; i < one.length; i++) {
            one[i] = Math.max(one[i], other[i]);
        }
        return one;
    }
}
