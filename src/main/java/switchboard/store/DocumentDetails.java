package switchboard.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import switchboard.text.SurrogatePairs;

/**
 * The metadata of a document that its author and its source give.
 *
 * @param source path, URL or name, 1 to {@value #MAX_SOURCE} characters; identifies the document within its namespace
 * @param title for display
 * @param fileType {@code md}, {@code pdf}, {@code url} ...
 * @param lastModified as the source gives it, or null
 * @param contentHash hash of the source's bytes, lower-case hex; callers compare it to find out whether the source has
 *     changed
 * @param metadata the caller's own metadata; filters name them {@code metadata.<key>}; must not be changed
 * @param given who may read the document, as callers say
 * @param fromSource who may read it as its source says: its text, files beside it, and in collections also its mode, a value of
 *     its record, or the option {@code private_allow}
 */
public record DocumentDetails(
        String source,
        String title,
        String fileType,
        @Nullable String lastModified,
        String contentHash,
        ObjectNode metadata,
        AllowedReaders given,
        AllowedReaders fromSource) {
    /** Maximum length of a source, in code points, as JSON Schema counts. */
    public static final int MAX_SOURCE = 4096;

    public DocumentDetails {
        source = SurrogatePairs.replaceLone(source);
        title = SurrogatePairs.replaceLone(title);
        if (source.isEmpty() || source.codePointCount(0, source.length()) > MAX_SOURCE) {
            throw new IllegalArgumentException("A source has 1 to " + MAX_SOURCE + " characters.");
        }
    }

    /** Details of a document whose source does not say who may read it. */
    public DocumentDetails(
            String source,
            String title,
            String fileType,
            @Nullable String lastModified,
            String contentHash,
            ObjectNode metadata,
            AllowedReaders given) {
        this(source, title, fileType, lastModified, contentHash, metadata, given, AllowedReaders.ALL);
    }

    /** Details of a document for everyone. */
    public DocumentDetails(
            String source,
            String title,
            String fileType,
            @Nullable String lastModified,
            String contentHash,
            ObjectNode metadata) {
        this(source, title, fileType, lastModified, contentHash, metadata, AllowedReaders.ALL);
    }

    /** Who may read the document: who is in each of the lists. */
    public AllowedReaders allow() {
        return fromSource.restricted() ? given.narrowedBy(fromSource) : given;
    }

    /** The same with another description. */
    DocumentDetails with(DocumentDescription other) {
        return new DocumentDetails(
                source,
                other.title(),
                fileType,
                lastModified,
                contentHash,
                other.metadata(),
                other.given(),
                other.fromSource());
    }
}
