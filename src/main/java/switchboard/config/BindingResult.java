package switchboard.config;

import org.jspecify.annotations.Nullable;

/** The result of reading one key. */
sealed interface BindingResult {
    /** The key was read. Null only if the component is {@code @Nullable}. */
    record Value(@Nullable Object value) implements BindingResult {}

    /** The key could not be read. The problem has been recorded. */
    record Invalid() implements BindingResult {}

    /** The only {@link Invalid}. */
    Invalid INVALID = new Invalid();
}
