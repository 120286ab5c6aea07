package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What can be changed of a stored document without another text.
 *
 * @param title for display
 * @param metadata see {@link DocumentDetails#metadata}
 * @param allow who may read it
 * @param foundBy the {@link Chunk#foundBy additional words} of its first chunk; may be empty
 */
public record DocumentDescription(String title, ObjectNode metadata, AllowedReaders allow, String foundBy) {}
