package switchboard.call;

import org.jspecify.annotations.Nullable;

/**
 * The fields of a source's documents that an operator has declared.
 *
 * @param text the field of the text, or null
 * @param title the field of the title, or null
 * @param url the field of the URL, or null
 */
public record NamedFields(
        @Nullable String text,
        @Nullable String title,
        @Nullable String url) {
    /** No declared fields. */
    public static final NamedFields NONE = new NamedFields(null, null, null);
}
