package switchboard.store;

import java.time.Instant;
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
        @Nullable String damage) {}
