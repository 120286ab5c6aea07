package switchboard.embed;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A model in memory. One session for all threads, each call on one thread and with one text: int8 activations are
 * scaled by what is in the batch, so a text's vector would otherwise depend on its neighbours and padding; and one caller
 * a core with one thread each measured fastest.
 */
final class LoadedModel implements AutoCloseable {
    private final OnnxModel model;
    private final HuggingFaceTokens tokens;
    private final OrtEnvironment environment;
    private final OrtSession session;
    // The native session must not go while a call is in it.
    private final ReentrantReadWriteLock life = new ReentrantReadWriteLock();
    private boolean closed;

    LoadedModel(OnnxModel model, HuggingFaceTokens tokens) throws IOException, OrtException {
        this.model = model;
        this.tokens = tokens;
        this.environment = OrtEnvironment.getEnvironment();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            this.session = environment.createSession(resource(model.graph()), options);
        }
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = LoadedModel.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new FileNotFoundException("The model file " + name + " is not on the class path.");
            }
            return in.readAllBytes();
        }
    }

    /** The vector of a text: the hidden state of the mark before it (CLS), at unit length. */
    float[] embed(String text) throws OrtException {
        long[][] ids = {tokens.ids(text, model.maxTokens())};
        long[][] mask = {new long[ids[0].length]};
        Arrays.fill(mask[0], 1);
        long[][] types = {new long[ids[0].length]};
        life.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("The model is closed.");
            }
            try (OnnxTensor idsIn = OnnxTensor.createTensor(environment, ids);
                    OnnxTensor maskIn = OnnxTensor.createTensor(environment, mask);
                    OnnxTensor typesIn = OnnxTensor.createTensor(environment, types);
                    OrtSession.Result out = session.run(
                            Map.of("input_ids", idsIn, "attention_mask", maskIn, "token_type_ids", typesIn))) {
                FloatBuffer states = ((OnnxTensor) out.get(0)).getFloatBuffer();
                float[] vector = new float[model.dimension()];
                states.get(vector);
                return UnitLength.of(vector);
            }
        } finally {
            life.readLock().unlock();
        }
    }

    @Override
    public void close() throws OrtException {
        life.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                session.close();
                tokens.close();
            }
        } finally {
            life.writeLock().unlock();
        }
    }
}
