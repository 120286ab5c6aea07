package switchboard.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The HTTP server for agents. Port 0 means any free port. */
public record ServerConfig(
        @Default("127.0.0.1") @Doc("Address to listen on; `0.0.0.0` is every interface.")
        String host,

        @Default("8080") @AllowedRange(min = "0", max = "65535") @Doc("Port to listen on; 0 means any free port.")
        int port,

        @Doc("The URL that clients use, if a proxy is in front of the gateway.") @Nullable
        URI publicUrl,

        @Doc("Values of the `Origin` header that are allowed in addition to the gateway's own address.")
        List<String> allowedOrigins,

        @Default("4MiB") @AllowedRange(min = "1KiB", max = "256MiB") @Doc("Maximum size of a request body.")
        Size maxBodySize,

        @Default("60s")
        @AllowedRange(min = "1s", max = "1h")
        @Doc("Time limit for lists, resources and prompts; tools declare their own.")
        Duration requestTimeout,

        @Default("15s") @AllowedRange(min = "1s", max = "5m") @Doc("Pause between heartbeats on an event stream.")
        Duration heartbeat,

        @Doc("How the server stops.") DrainConfig drain,

        @Doc("TLS, with HTTP/2 for clients that ask for it. Without it the server speaks plain HTTP/1.1.") @Nullable
        TlsConfig tls,

        @Doc(
                "Addresses of trusted proxies, such as `10.0.0.0/8`: in their requests, the last address in"
                        + " `X-Forwarded-For` that is not a trusted proxy counts as the caller's, in limits and in the audit log.")
        List<String> trustedProxies,

        @Doc(
                "Key that signs the state which a client of 2026-07-28 holds while a call waits for its input: 32 characters"
                        + " or more that can't be guessed, the same in all replicas. If missing, each process generates its own, and"
                        + " such a call starts again if the client continues at another replica. When its file changes, state that the"
                        + " previous key has signed stays valid for one more hour.")
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

    /** Whether no other machine reaches it. */
    public boolean onThisMachineOnly() {
        return ConfigChecks.isLoopback(host);
    }

    /** The same, with relative file paths resolved against {@code folder}. */
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
