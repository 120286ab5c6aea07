package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored document without its text.
 *
 * @param id a UUID; every version of the document has a new one
 * @param namespace its namespace
 * @param details see {@link NewDocument}
 * @param createdAt when this version was stored, in milliseconds
 * @param chunkCount number of chunks
 * @param textLength length of the text in UTF-16 units
 * @param model see {@link NewDocument}
 */
public record StoredDocument(
        String id,
        Namespace namespace,
        DocumentDetails details,
        Instant createdAt,
        int chunkCount,
        int textLength,
        @Nullable String model) {

    /** A new version of {@code document}, with an id of its own, stored at {@code time}. */
    static StoredDocument of(Namespace namespace, NewDocument document, Instant time) {
        return new StoredDocument(
                DocumentIds.next(namespace),
                namespace,
                document.details(),
                time,
                document.chunks().size(),
                document.text().length(),
                document.model());
    }

    /** The same with another description. */
    public StoredDocument with(DocumentDescription description) {
        return new StoredDocument(id, namespace, details.with(description), createdAt, chunkCount, textLength, model);
    }

    /** The same stored at {@code time}. */
    public StoredDocument storedAt(Instant time) {
        return new StoredDocument(id, namespace, details, time, chunkCount, textLength, model);
    }

    /** The same with vectors of another model; null for none. */
    public StoredDocument withModel(@Nullable String otherModel) {
        return new StoredDocument(id, namespace, details, createdAt, chunkCount, textLength, otherModel);
    }

    /** {@link DocumentDetails#source()}. */
    public String source() {
        return details.source();
    }

    /** {@link DocumentDetails#title()}. */
    public String title() {
        return details.title();
    }

    /** {@link DocumentDetails#fileType()}. */
    public String fileType() {
        return details.fileType();
    }

    /** {@link DocumentDetails#lastModified()}. */
    public @Nullable String lastModified() {
        return details.lastModified();
    }

    /** {@link DocumentDetails#contentHash()}. */
    public String contentHash() {
        return details.contentHash();
    }

    /** {@link DocumentDetails#metadata()}; must not be changed. */
    public ObjectNode metadata() {
        return details.metadata();
    }

    /** {@link DocumentDetails#allow()}. */
    public AllowedReaders allow() {
        return details.allow();
    }
}
