package switchboard.fetch;

import org.jspecify.annotations.Nullable;

/**
 * Validators of an earlier answer, with which the server may answer "not modified" (RFC 9110 section 13).
 *
 * @param etag the {@code ETag} header as received, or null
 * @param lastModified the {@code Last-Modified} header as received, or null
 */
public record HttpValidators(
        @Nullable String etag, @Nullable String lastModified) {
    /** No validators. */
    public static final HttpValidators NONE = new HttpValidators(null, null);
}
