package switchboard.config;

import org.jspecify.annotations.Nullable;

/** Settings for callers without credentials. */
public record AnonymousConfig(
        @Doc("The team of callers without a key. If it is missing, they are refused.") @Nullable
        String team) {}
