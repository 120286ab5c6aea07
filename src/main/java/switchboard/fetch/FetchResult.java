package switchboard.fetch;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The result of a fetch. */
public sealed interface FetchResult {
    /**
     * A document.
     *
     * @param uri its address after redirects
     * @param bytes the decompressed body; must not be changed
     * @param contentType the {@code Content-Type} header, or null
     * @param version validators for the next fetch
     */
    record Document(URI uri, byte[] bytes, @Nullable String contentType, HttpValidators version)
            implements FetchResult {}

    /** The document has not changed since the earlier answer. */
    record NotModified() implements FetchResult {}
}
