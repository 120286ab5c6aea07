package switchboard.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is in a namespace.
 *
 * @param namespace which
 * @param documents how many documents
 * @param chunks how many chunks
 * @param changed when it was last written to, or null where that was not noted
 * @param damage why the namespace can't be read, or null; safe to show to operators
 */
public record NamespaceStats(
        Namespace namespace,
        long documents,
        long chunks,
        @Nullable Instant changed,
        @Nullable String damage) {}
