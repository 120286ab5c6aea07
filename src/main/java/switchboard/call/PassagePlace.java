package switchboard.call;

import org.jspecify.annotations.Nullable;

/**
 * The place of a passage in the text of its document, as {@link BackendRequest.ReadDocument} gives that.
 *
 * @param start first UTF-16 unit
 * @param leading how many UTF-16 units of the passage are not at that place but shown before it, such as the names of columns
 * @param version the document's version; null if the source tells none apart
 */
public record PassagePlace(int start, int leading, @Nullable DocumentVersion version) {
    /** The place of a text in a document that is its title, an empty line and this text. */
    public static PassagePlace below(String title, String text) {
        boolean alone = title.isEmpty() || text.startsWith(title);
        return new PassagePlace(alone ? 0 : title.length() + 2, 0, null);
    }

    /** The place of another title and text of {@code passage}, which is at this one; null if that is not known. */
    @Nullable
    PassagePlace of(Passage passage, String title, String text) {
        if (version == null) {
            return below(title, text);
        }
        return text.equals(passage.text()) ? this : null;
    }
}
