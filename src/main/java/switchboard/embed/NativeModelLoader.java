package switchboard.embed;

import ai.onnxruntime.OrtException;
import java.io.IOException;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * Loads the native code of a model in this process. A library for the platform may still fail to load, for example without glibc, or if the temporary folder is mounted noexec. Blocks.
 */
interface NativeModelLoader {
    /** The libraries on the class path. */
    NativeModelLoader LIBRARIES = new NativeModelLoader() {
        @Override
        public HuggingFaceTokenCounter tokenizer(ModelFiles files) throws IOException {
            return HuggingFaceTokenCounter.load(files);
        }

        @Override
        public LoadedModel model(OnnxModel model, HuggingFaceTokenCounter tokens) throws IOException, OrtException {
            return new LoadedModel(model, tokens);
        }
    };

    /** Loads the tokenizer of {@code files}. */
    HuggingFaceTokenCounter tokenizer(ModelFiles files) throws IOException;

    /** Loads a model. */
    LoadedModel model(OnnxModel model, HuggingFaceTokenCounter tokens) throws IOException, OrtException;

    /** The failure for a library that does not load: {@code UNAVAILABLE}, without the paths that the cause names. */
    static ToolException unloadable() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "The shipped embedding model can't run here: its native library does not load on "
                        + NativePlatform.current() + ". Search is by keyword only. The operator can set"
                        + " embedders.default.provider to none, or to a provider elsewhere.");
    }
}
