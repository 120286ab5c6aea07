package switchboard.embed;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
import java.util.Map;

/**
 * A model in memory. All threads share one session, and each call uses one thread and one text. Batches are not used,
 * because int8 activations are scaled by the content of the batch, so a text's vector would depend on its neighbours
 * and padding. One caller per core with one thread each also measured fastest.
 */
final class LoadedModel implements AutoCloseable {
    private final OnnxModel model;
    private final HuggingFaceTokenCounter tokens;
    private final OrtEnvironment environment;
    private final OrtSession session;
    private final NativeResourceGuard use = new NativeResourceGuard();

    LoadedModel(OnnxModel model, HuggingFaceTokenCounter tokens) throws IOException, OrtException {
        this.model = model;
        this.tokens = tokens;
        this.environment = OrtEnvironmentHolder.get();
        // Tens of megabytes, of which the session keeps its own copy; on the heap the process would keep them.
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions();
                Arena graph = Arena.ofConfined()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            this.session = environment.createSession(resource(model.graph(), graph), options);
        }
    }

    private static ByteBuffer resource(String name, Arena arena) throws IOException {
        URL resource = LoadedModel.class.getClassLoader().getResource(name);
        if (resource == null) {
            throw new FileNotFoundException("The model file " + name + " is not on the class path.");
        }
        URLConnection connection = resource.openConnection();
        try (ReadableByteChannel channel = Channels.newChannel(connection.getInputStream())) {
            ByteBuffer bytes = arena.allocate(connection.getContentLengthLong()).asByteBuffer();
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                continue;
            }
            return bytes.flip();
        }
    }

    /**
     * The vector of a text: the hidden state of the CLS token, scaled to unit length.
     *
     * @throws switchboard.call.ToolException {@code UNAVAILABLE}, if the model is closed
     */
    float[] embed(String text) throws OrtException {
        long[][] ids = {tokens.ids(text, model.maxTokens())};
        return use.during(() -> embed(ids));
    }

    private float[] embed(long[][] ids) throws OrtException {
        long[][] mask = {new long[ids[0].length]};
        Arrays.fill(mask[0], 1);
        long[][] types = {new long[ids[0].length]};
        try (OnnxTensor idsIn = OnnxTensor.createTensor(environment, ids);
                OnnxTensor maskIn = OnnxTensor.createTensor(environment, mask);
                OnnxTensor typesIn = OnnxTensor.createTensor(environment, types);
                OrtSession.Result out =
                        session.run(Map.of("input_ids", idsIn, "attention_mask", maskIn, "token_type_ids", typesIn))) {
            FloatBuffer states = ((OnnxTensor) out.get(0)).getFloatBuffer();
            float[] vector = new float[model.dimension()];
            states.get(vector);
            return L2Normalizer.of(vector);
        }
    }

    /** Releases the native session when its calls have ended. The tokenizer's owner closes the tokenizer. */
    @Override
    public void close() throws OrtException {
        use.end(session::close);
    }
}
