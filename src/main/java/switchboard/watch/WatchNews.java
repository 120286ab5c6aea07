package switchboard.watch;

import org.jspecify.annotations.Nullable;

/**
 * A document that was not among the first answers before.
 *
 * @param address its address
 * @param title its title
 * @param source the source that has it
 * @param relevance of the hit, 0 to 1; null if it is not known
 * @param position its place among the hits, from 1
 * @param found when, in milliseconds since 1970
 */
public record WatchNews(
        String address,
        String title,
        String source,
        @Nullable Double relevance,
        int position,
        long found) {}
