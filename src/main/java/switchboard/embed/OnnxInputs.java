package switchboard.embed;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.TensorInfo;
import java.io.IOException;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * The inputs of a graph for one text: the ids of its tokens and, if the graph has these inputs, attention mask, token types and positions. Exporters give the inputs different names. Immutable.
 */
final class OnnxInputs {
    /** The content that a graph expects in one of its inputs, recognised by the input's name. */
    private enum Role {
        MASK("mask"),
        TYPES("type|segment"),
        POSITIONS("position"),
        IDS("ids|token|input");

        private final Pattern names;

        Role(String names) {
            this.names = Pattern.compile(names);
        }

        /** The role of an input by its name. */
        static Optional<Role> of(String name) {
            String lower = name.toLowerCase(Locale.ROOT);
            return Arrays.stream(values())
                    .filter(role -> role.names.matcher(lower).find())
                    .findFirst();
        }
    }

    /** An input and the type of its numbers. */
    private record Input(Role role, boolean wide) {}

    private final Map<String, Input> byName;

    private OnnxInputs(Map<String, Input> byName) {
        this.byName = Map.copyOf(byName);
    }

    /**
     * The inputs of a graph.
     *
     * @throws IOException with a message for the operator, if it takes something else, or texts of one length only
     */
    static OnnxInputs of(Map<String, NodeInfo> declared) throws IOException {
        Map<String, Input> inputs = new LinkedHashMap<>();
        for (Map.Entry<String, NodeInfo> entry : declared.entrySet()) {
            Optional<Role> named = Role.of(entry.getKey());
            Role role = named.orElse(declared.size() == 1 ? Role.IDS : null);
            if (role == null || inputs.values().stream().anyMatch(other -> other.role() == role)) {
                throw other(declared);
            }
            inputs.put(entry.getKey(), input(entry.getKey(), entry.getValue(), role));
        }
        if (inputs.values().stream().noneMatch(input -> input.role() == Role.IDS)) {
            throw other(declared);
        }
        return new OnnxInputs(inputs);
    }

    private static Input input(String name, NodeInfo declared, Role role) throws IOException {
        if (!(declared.getInfo() instanceof TensorInfo info)
                || (info.type != OnnxJavaType.INT64 && info.type != OnnxJavaType.INT32)) {
            throw new IOException("The graph's input " + name + " does not take whole numbers, as token ids are.");
        }
        long[] shape = info.getShape();
        if (shape.length == 2 && shape[1] > 0) {
            throw new IOException("The graph takes texts of exactly " + shape[1]
                    + " tokens. Export the model with a dynamic axis for the length of texts.");
        }
        return new Input(role, info.type == OnnxJavaType.INT64);
    }

    private static IOException other(Map<String, NodeInfo> declared) {
        return new IOException("The graph takes " + String.join(", ", declared.keySet())
                + "; known are input_ids, attention_mask, token_type_ids and position_ids. Export the model for"
                + " feature extraction, without a cache of past tokens.");
    }

    /**
     * The inputs for one text.
     *
     * @param ids the numbers of its tokens
     * @param types the type of each token; 0 for all in a single text
     */
    Tensors tensors(OrtEnvironment environment, long[] ids, long[] types) throws OrtException {
        Tensors tensors = new Tensors();
        try {
            for (Map.Entry<String, Input> entry : byName.entrySet()) {
                Input input = entry.getValue();
                long[] numbers =
                        switch (input.role()) {
                            case IDS -> ids;
                            case MASK ->
                                LongStream.generate(() -> 1).limit(ids.length).toArray();
                            case TYPES -> types;
                            case POSITIONS -> LongStream.range(0, ids.length).toArray();
                        };
                tensors.byName.put(entry.getKey(), tensor(environment, numbers, input.wide()));
            }
            return tensors;
        } catch (OrtException | RuntimeException e) {
            tensors.close();
            throw e;
        }
    }

    private static OnnxTensor tensor(OrtEnvironment environment, long[] numbers, boolean wide) throws OrtException {
        long[] shape = {1, numbers.length};
        return wide
                ? OnnxTensor.createTensor(environment, LongBuffer.wrap(numbers), shape)
                : OnnxTensor.createTensor(
                        environment,
                        IntBuffer.wrap(Arrays.stream(numbers)
                                .mapToInt(number -> (int) number)
                                .toArray()),
                        shape);
    }

    /** Inputs in native memory, by name. */
    static final class Tensors implements AutoCloseable {
        private final Map<String, OnnxTensor> byName = new HashMap<>();

        Map<String, OnnxTensor> byName() {
            return byName;
        }

        @Override
        public void close() {
            byName.values().forEach(OnnxTensor::close);
        }
    }
}
