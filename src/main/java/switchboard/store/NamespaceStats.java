package switchboard.store;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The size and state of a namespace.
 *
 * @param namespace the namespace
 * @param documents number of documents
 * @param chunks number of chunks
 * @param changed when it was last written to, or null if not recorded
 * @param damage why it can't be read, or null; safe to show to operators
 */
public record NamespaceStats(
        Namespace namespace,
        long documents,
        long chunks,
        @Nullable Instant changed,
        @Nullable String damage) {

    /** The statistics of everything in {@code index}. */
    static NamespaceStats of(NamespaceIndex index) {
        return new NamespaceStats(
                index.namespace(),
                index.counts().documents(),
                index.counts().chunks(),
                index.changed().orElse(null),
                index.damage().orElse(null));
    }

    /**
     * The statistics of what {@code access} permits of {@code index}, which counts as changed when the newest of those documents
     * was stored.
     */
    static NamespaceStats of(NamespaceIndex index, DocumentAccess access) throws IOException {
        if (!index.facts().restricted()) {
            return of(index);
        }
        if (index.damage().isPresent()) {
            return new NamespaceStats(
                    index.namespace(), 0, 0, null, index.damage().get());
        }
        try (Snapshot snapshot = Snapshot.of(List.of(index), access)) {
            DocumentPage newest = DocumentLookup.list(
                    snapshot,
                    new ListRequest(
                            List.of(index.namespace()), new Filter.All(), ListRequest.Order.NEWEST_FIRST, 0, 1));
            return new NamespaceStats(
                    index.namespace(),
                    newest.total(),
                    snapshot.searcher().count(Filters.of(DocumentSchema.CHUNK, new Filter.All())),
                    newest.documents().stream()
                            .map(StoredDocument::createdAt)
                            .findFirst()
                            .orElse(null),
                    null);
        }
    }
}
