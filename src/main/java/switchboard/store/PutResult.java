package switchboard.store;

import java.util.Optional;

/**
 * The result of storing a document.
 *
 * @param document the stored document
 * @param replaced the version that it replaced
 */
public record PutResult(StoredDocument document, Optional<StoredDocument> replaced) {}
