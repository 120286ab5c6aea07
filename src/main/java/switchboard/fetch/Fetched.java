package switchboard.fetch;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** What a fetch came to. */
public sealed interface Fetched {
    /**
     * A document.
     *
     * @param uri where it was in the end
     * @param bytes the decompressed body; must not be changed
     * @param contentType the {@code Content-Type} header, or null
     * @param version what to send with the next fetch
     */
    record Document(URI uri, byte[] bytes, @Nullable String contentType, Conditional version) implements Fetched {}

    /** The server says that the version asked about is still the current one. */
    record NotModified() implements Fetched {}
}
