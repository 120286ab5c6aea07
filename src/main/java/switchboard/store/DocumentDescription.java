package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What can be changed of a stored document without another text.
 *
 * @param title for display
 * @param metadata see {@link DocumentDetails#metadata}
 * @param given see {@link DocumentDetails#given}
 * @param fromSource see {@link DocumentDetails#fromSource}
 * @param foundBy the {@link Chunk#foundBy additional words} of its first chunk; may be empty
 */
public record DocumentDescription(
        String title, ObjectNode metadata, AllowedReaders given, AllowedReaders fromSource, String foundBy) {
    /** A description of a document whose source does not say who may read it. */
    public DocumentDescription(String title, ObjectNode metadata, AllowedReaders given, String foundBy) {
        this(title, metadata, given, AllowedReaders.ALL, foundBy);
    }
}
