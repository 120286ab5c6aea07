package switchboard.embed;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/** A tokenizer that is loaded on first use, so that chunks can be sized before the model is needed. */
final class LazyTokenCounter implements TokenCounter, AutoCloseable {
    private final NativeModelLoader loader;
    private final ModelFiles files;
    private @Nullable HuggingFaceTokenCounter loaded;
    private boolean closed;

    LazyTokenCounter(NativeModelLoader loader, ModelFiles files) {
        this.loader = loader;
        this.files = files;
    }

    synchronized HuggingFaceTokenCounter loaded() throws IOException {
        if (closed) {
            throw NativeResourceGuard.closed();
        }
        HuggingFaceTokenCounter tokens = loaded;
        if (tokens == null) {
            tokens = loader.tokenizer(files);
            loaded = tokens;
        }
        return tokens;
    }

    @Override
    public int[] starts(String text) {
        try {
            return loaded().starts(text);
        } catch (IOException e) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE, "The embedding model can't count the tokens of a text: " + e.getMessage());
        } catch (LinkageError _) { // logged where the model is loaded
            throw NativeModelLoader.unloadable();
        }
    }

    /** Waits for calls under way. Later ones fail with {@code UNAVAILABLE}. */
    @Override
    public synchronized void close() {
        closed = true;
        if (loaded != null) {
            loaded.close();
        }
    }
}
