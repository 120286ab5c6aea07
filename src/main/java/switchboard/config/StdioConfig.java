package switchboard.config;

import org.jspecify.annotations.Nullable;

/** Settings for clients that start the gateway themselves, with {@code switchboard stdio}. */
public record StdioConfig(
        @Doc("The team of these clients, if `auth.mode` is not `none`. They need no key.") @Nullable
        String team) {}
