package switchboard.fetch;

import org.jspecify.annotations.Nullable;

/**
 * What an earlier answer said about its version, so that the server may answer "not modified" (RFC 9110 section 13).
 *
 * @param etag the {@code ETag} header as it came, or null
 * @param lastModified the {@code Last-Modified} header as it came, or null
 */
public record Conditional(@Nullable String etag, @Nullable String lastModified) {
    /** Nothing is known. */
    public static final Conditional NONE = new Conditional(null, null);
}
