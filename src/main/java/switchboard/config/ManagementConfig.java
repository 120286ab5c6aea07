package switchboard.config;

/** The HTTP server for operators. */
public record ManagementConfig(
        @Default("127.0.0.1") @Doc("Address to listen on. It has no authentication: keep it off public networks.")
        String host,

        @Default("9090") @Range(min = "0", max = "65535") @Doc("Port to listen on; 0 takes a free one.")
        int port) {}
