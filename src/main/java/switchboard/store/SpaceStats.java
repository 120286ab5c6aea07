package switchboard.store;

import org.jspecify.annotations.Nullable;

/**
 * What is in a space.
 *
 * @param space which
 * @param documents how many documents
 * @param chunks how many chunks
 * @param damage why the space can't be read, or null; safe to show to operators
 */
public record SpaceStats(
        Space space, long documents, long chunks, @Nullable String damage) {}
