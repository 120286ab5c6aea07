package switchboard.config;

import org.jspecify.annotations.Nullable;

/** What became of one key. */
sealed interface Bound {
    /** It was read; null only where the component is {@code @Nullable}. */
    record Value(@Nullable Object value) implements Bound {}

    /** It could not be read; the problem is noted. */
    record Invalid() implements Bound {}

    /** The one {@link Invalid}. */
    Invalid INVALID = new Invalid();
}
