package switchboard.embed;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Map;
import java.util.Set;

/** An ONNX graph over the tokens of a text, in memory. Each run uses one thread; any number of threads may run it. */
final class OnnxGraph implements AutoCloseable {
    private final OrtEnvironment environment;
    private final OrtSession session;
    private final OnnxInputs inputs;
    private final NativeResourceGuard use = new NativeResourceGuard();

    /**
     * An output.
     *
     * @param shape the length of each axis
     * @param numbers the numbers, the last axis first; none if they are no floating-point numbers
     */
    record Output(long[] shape, FloatBuffer numbers) {}

    OnnxGraph(ModelFiles files) throws IOException, OrtException {
        this.environment = OrtEnvironmentHolder.get();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            this.session = files.session(environment, options);
        }
        try {
            this.inputs = OnnxInputs.of(session.getInputInfo());
        } catch (IOException | OrtException | RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** The graph's outputs, by name. */
    Map<String, NodeInfo> outputs() throws OrtException {
        return session.getOutputInfo();
    }

    /**
     * Runs it.
     *
     * @param ids the numbers of a text's tokens
     * @param types the types of the tokens
     * @param output the output to compute
     * @throws switchboard.call.ToolException {@code UNAVAILABLE}, if it is closed
     */
    Output run(long[] ids, long[] types, String output) throws OrtException {
        return use.during(() -> {
            try (OnnxInputs.Tensors in = inputs.tensors(environment, ids, types);
                    OrtSession.Result out = session.run(in.byName(), Set.of(output))) {
                FloatBuffer numbers = out.get(0) instanceof OnnxTensor tensor ? tensor.getFloatBuffer() : null;
                return new Output(
                        out.get(0).getInfo() instanceof TensorInfo info ? info.getShape() : new long[0],
                        numbers == null ? FloatBuffer.allocate(0) : numbers);
            }
        });
    }

    /** Releases the native session when its runs have ended. */
    @Override
    public void close() throws OrtException {
        use.end(session::close);
    }
}
