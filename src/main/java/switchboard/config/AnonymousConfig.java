package switchboard.config;

import org.jspecify.annotations.Nullable;

/** Callers without a credential. */
public record AnonymousConfig(
        @Doc("The team they act as; left out, they are refused.") @Nullable
        String team) {}
