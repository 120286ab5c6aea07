package switchboard.call;

import org.jspecify.annotations.Nullable;

/**
 * The fields of a source's documents that an operator has declared, by their names.
 *
 * @param text the field of the text, or null
 * @param title the field of the title, or null
 * @param url the field of the address, or null
 */
public record NamedFields(
        @Nullable String text,
        @Nullable String title,
        @Nullable String url) {
    /** Nothing is declared. */
    public static final NamedFields NONE = new NamedFields(null, null, null);
}
