package switchboard.config;

import org.jspecify.annotations.Nullable;

/** Settings of the management port. */
public record ManagementConfig(
        @Default("127.0.0.1") @Doc("Address to listen on. Reading needs no credential: keep it off public networks.")
        String host,

        @Default("9090") @AllowedRange(min = "0", max = "65535") @Doc("Port to listen on; 0 means any free port.")
        int port,

        @Nullable
        @Doc("Bearer token that changes need, in addition to coming from this machine. Without it, everybody on this"
                + " machine, or with a port forwarded to it, can switch backends off and set log levels.")
        Secret token) {}
