package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a stored document, without its text.
 *
 * @param id a UUID; every version of the document has a new one
 * @param namespace its namespace
 * @param source see {@link NewDocument}
 * @param title see {@link NewDocument}
 * @param fileType see {@link NewDocument}
 * @param lastModified see {@link NewDocument}
 * @param contentHash see {@link NewDocument}
 * @param metadata see {@link NewDocument}; must not be changed
 * @param createdAt when this version was stored, in milliseconds
 * @param chunkCount number of chunks
 * @param textLength length of the text in UTF-16 units
 * @param model the model of its chunks' vectors; null if they have none
 */
public record StoredDocument(
        String id,
        Namespace namespace,
        String source,
        String title,
        String fileType,
        @Nullable String lastModified,
        String contentHash,
        ObjectNode metadata,
        Instant createdAt,
        int chunkCount,
        int textLength,
        @Nullable String model) {

    /** The same with another title and other metadata. */
    StoredDocument described(String otherTitle, ObjectNode otherMetadata) {
        return new StoredDocument(
                id,
                namespace,
                source,
                otherTitle,
                fileType,
                lastModified,
                contentHash,
                otherMetadata,
                createdAt,
                chunkCount,
                textLength,
                model);
    }

    /** The same with vectors of another model. */
    StoredDocument withModel(String otherModel) {
        return new StoredDocument(
                id,
                namespace,
                source,
                title,
                fileType,
                lastModified,
                contentHash,
                metadata,
                createdAt,
                chunkCount,
                textLength,
                otherModel);
    }
}
