package switchboard.store;

import java.io.IOException;
import java.time.Instant;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;

/**
 * The size and state of a namespace.
 *
 * @param namespace the namespace
 * @param documents number of documents
 * @param chunks number of chunks
 * @param changed when it was last written to, or null if not recorded; where a caller may not read all documents, when the newest
 *     of the others was stored
 * @param damage why it can't be read, or null; safe to show to operators
 */
public record NamespaceStats(
        Namespace namespace,
        long documents,
        long chunks,
        @Nullable Instant changed,
        @Nullable String damage) {

    /** The statistics of everything in {@code index}, whose last commit says {@code facts}. */
    static NamespaceStats of(NamespaceIndex index, CommitUserData facts) {
        return new NamespaceStats(
                index.namespace(),
                facts.counts().documents(),
                facts.counts().chunks(),
                facts.changed(),
                index.damage().orElse(null));
    }

    /** The statistics of what {@code reader} shows of {@code namespace}. */
    static NamespaceStats of(Namespace namespace, DirectoryReader reader) throws IOException {
        VisibleSegment.Totals totals = ReadableDocuments.totals(reader);
        return new NamespaceStats(namespace, totals.documents(), totals.chunks(), totals.changed(), null);
    }
}
