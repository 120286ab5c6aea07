package switchboard.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The HTTP server for agents. Port 0 takes a free one. */
public record ServerConfig(
        @Default("127.0.0.1") @Doc("Address to listen on; `0.0.0.0` is every interface.")
        String host,

        @Default("8080") @AllowedRange(min = "0", max = "65535") @Doc("Port to listen on; 0 takes a free one.")
        int port,

        @Doc("The URL by which clients reach the gateway, where a proxy stands before it.") @Nullable
        URI publicUrl,

        @Doc("Values of the `Origin` header that browsers may send besides the gateway's own address.")
        List<String> allowedOrigins,

        @Default("4MiB") @AllowedRange(min = "1KiB", max = "256MiB") @Doc("Largest request body.")
        Size maxBodySize,

        @Default("60s")
        @AllowedRange(min = "1s", max = "1h")
        @Doc("Time limit of lists, resources and prompts; tools declare their own.")
        Duration requestTimeout,

        @Default("15s") @AllowedRange(min = "1s", max = "5m") @Doc("Pause between heartbeats on an event stream.")
        Duration heartbeat,

        @Doc("How the server stops.") DrainConfig drain,

        @Doc("TLS, with HTTP/2 for clients that ask for it. Without it the server speaks plain HTTP/1.1.") @Nullable
        TlsConfig tls,

        @Doc("Addresses of proxies before the gateway, such as `10.0.0.0/8`: from them, the last address in"
                + " `X-Forwarded-For` that is none of these is the caller's, in limits and in the audit log.")
        List<String> trustedProxies,

        @Doc("Signs what a client of 2026-07-28 keeps for the gateway while a call waits for its answers: 32 characters"
                + " or more that nobody guesses, the same in every replica. Left out, each process makes its own, and"
                + " such a call is begun anew by a client that comes back to another one. When its file changes, the key before"
                + " opens for an hour more what it signed.")
        @Nullable
        Secret stateKey) {
    private static final int SHORTEST_KEY = 32;

    public ServerConfig {
        if (stateKey != null) {
            if (!isLong(stateKey.reveal())) {
                throw new IllegalArgumentException("stateKey has fewer than " + SHORTEST_KEY + " characters");
            }
            stateKey.requires(ServerConfig::isLong);
        }
        allowedOrigins = List.copyOf(allowedOrigins);
        trustedProxies = List.copyOf(trustedProxies);
    }

    private static boolean isLong(String key) {
        return key.length() >= SHORTEST_KEY;
    }

    /** The same with files found from {@code folder}. */
    ServerConfig in(Path folder) {
        return new ServerConfig(
                host,
                port,
                publicUrl,
                allowedOrigins,
                maxBodySize,
                requestTimeout,
                heartbeat,
                drain,
                tls == null ? null : tls.in(folder),
                trustedProxies,
                stateKey);
    }
}
