package switchboard.config;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The HTTP server for agents. Port 0 takes a free one. */
public record ServerConfig(
        @Default("127.0.0.1") @Doc("Address to listen on; `0.0.0.0` is every interface.")
        String host,

        @Default("8080") @Range(min = "0", max = "65535") @Doc("Port to listen on; 0 takes a free one.")
        int port,

        @Doc("The URL by which clients reach the gateway, where a proxy stands before it.") @Nullable
        URI publicUrl,

        @Doc("Values of the `Origin` header that browsers may send besides the gateway's own address.")
        List<String> allowedOrigins,

        @Default("4MiB") @Range(min = "1KiB", max = "256MiB") @Doc("Largest request body.")
        Size maxBodySize,

        @Default("60s")
        @Range(min = "1s", max = "1h")
        @Doc("Time limit of lists, resources and prompts; tools declare their own.")
        Duration requestTimeout,

        @Default("15s") @Range(min = "1s", max = "5m") @Doc("Pause between heartbeats on an event stream.")
        Duration heartbeat,

        @Doc("How the server stops.") DrainConfig drain) {
    public ServerConfig {
        allowedOrigins = List.copyOf(allowedOrigins);
    }
}
