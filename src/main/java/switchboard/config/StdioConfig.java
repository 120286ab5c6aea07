package switchboard.config;

import org.jspecify.annotations.Nullable;

/** Clients that start the gateway themselves, with {@code switchboard stdio}. */
public record StdioConfig(
        @Doc("The team they act as, where `auth.mode` is not `none`: whoever can start the program shows no key.")
        @Nullable
        String team) {}
