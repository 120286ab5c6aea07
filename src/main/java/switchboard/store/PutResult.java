package switchboard.store;

import java.util.Optional;

/**
 * What a put did.
 *
 * @param document the document as it is now
 * @param replaced the version that stood there before, gone now
 */
public record PutResult(StoredDocument document, Optional<StoredDocument> replaced) {}
