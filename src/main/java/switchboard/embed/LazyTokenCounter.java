package switchboard.embed;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A tokenizer that is loaded on first use, so that chunks can be sized before the model is needed. */
final class LazyTokenCounter implements TokenCounter, AutoCloseable {
    private final NativeModelLoader loader;
    private final String resource;
    private @Nullable HuggingFaceTokenCounter loaded;
    private boolean closed;

    LazyTokenCounter(NativeModelLoader loader, String resource) {
        this.loader = loader;
        this.resource = resource;
    }

    synchronized HuggingFaceTokenCounter loaded() throws IOException {
        if (closed) {
            throw NativeResourceGuard.closed();
        }
        HuggingFaceTokenCounter tokens = loaded;
        if (tokens == null) {
            tokens = loader.tokenizer(resource);
            loaded = tokens;
        }
        return tokens;
    }

    @Override
    public int[] starts(String text) {
        try {
            return loaded().starts(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
