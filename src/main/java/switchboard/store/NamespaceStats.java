package switchboard.store;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /** The statistics of the namespaces of {@code snapshot}, without those whose documents are all hidden. */
    static List<NamespaceStats> visible(Snapshot snapshot) throws IOException {
        List<NamespaceStats> all = new ArrayList<>();
        for (Map.Entry<Namespace, DirectoryReader> part : snapshot.parts().entrySet()) {
            NamespaceStats one = of(part.getKey(), part.getValue());
            if (one.documents() > 0 || !ReadableDocuments.restricted(part.getValue())) {
                all.add(one);
            }
        }
        return all;
    }

    /** The statistics of what {@code reader} shows of {@code namespace}. */
    static NamespaceStats of(Namespace namespace, DirectoryReader reader) throws IOException {
        VisibleSegment.Totals totals = ReadableDocuments.totals(reader);
        return new NamespaceStats(namespace, totals.documents(), totals.chunks(), totals.changed(), null);
    }
}
