package switchboard.config;

import org.jspecify.annotations.Nullable;

/** The HTTP server for operators. */
public record ManagementConfig(
        @Default("127.0.0.1") @Doc("Address to listen on. Reading needs no credential: keep it off public networks.")
        String host,

        @Default("9090") @AllowedRange(min = "0", max = "65535") @Doc("Port to listen on; 0 takes a free one.")
        int port,

        @Nullable
        @Doc(
                "What changes need as a bearer token, besides that they come from this machine. Without it, whoever is on this"
                        + " machine, or has a port forwarded to it, switches backends off and sets log levels.")
        Secret token) {}
