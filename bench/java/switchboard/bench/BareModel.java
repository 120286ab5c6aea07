package switchboard.bench;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Map;

/**
 * The model of the embedder in onnxruntime and nothing else, with the settings that measured best: one thread a call, one
 * text a call, a caller a core.
 */
final class BareModel implements AutoCloseable {
    private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
    /** The model in the box. */
    private static final String GRAPH = "bge-small-en-v1.5-q.onnx";

    private static final String TOKENIZER = "bge-small-en-v1.5-q-tokenizer.json";

    private final OrtSession session;
    private final HuggingFaceTokenizer tokenizer;

    private BareModel(OrtSession session, HuggingFaceTokenizer tokenizer) {
        this.session = session;
        this.tokenizer = tokenizer;
    }

    static BareModel load() throws IOException, OrtException {
        System.setProperty("ai.djl.offline", "true");
        ClassLoader resources = BareModel.class.getClassLoader();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions();
                InputStream graph = resources.getResourceAsStream(GRAPH);
                InputStream tokens = resources.getResourceAsStream(TOKENIZER)) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            return new BareModel(
                    OrtEnvironment.getEnvironment().createSession(graph.readAllBytes(), options),
                    HuggingFaceTokenizer.newInstance(tokens, Map.of("truncation", "false", "padding", "false")));
        }
    }

    /** The first number of the text's hidden states, which are all computed. */
    float embed(String text) {
        long[][] ids = {tokenizer.encode(text).getIds()};
        long[][] mask = {new long[ids[0].length]};
        Arrays.fill(mask[0], 1);
        try (OnnxTensor idsIn = OnnxTensor.createTensor(environment, ids);
                OnnxTensor maskIn = OnnxTensor.createTensor(environment, mask);
                OnnxTensor typesIn = OnnxTensor.createTensor(environment, new long[1][ids[0].length]);
                OrtSession.Result states =
                        session.run(Map.of("input_ids", idsIn, "attention_mask", maskIn, "token_type_ids", typesIn))) {
            return ((OnnxTensor) states.get(0)).getFloatBuffer().get(0);
        } catch (OrtException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws OrtException {
        session.close();
        tokenizer.close();
    }
}
