package switchboard.testing;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import switchboard.http.HttpLimits;
import switchboard.http.HttpSettings;
import switchboard.http.HttpVerticle;

/** Settings of an MCP server for callers on this machine only. */
public final class LoopbackHttp {
    private LoopbackHttp() {}

    /** A server on {@code port}, with the usual limits. */
    public static HttpSettings settings(int port) {
        return new HttpSettings(
                "127.0.0.1",
                port == 0 ? HttpVerticle.SHARED_FREE_PORT : port,
                null,
                Set.of(),
                HttpLimits.DEFAULT,
                Duration.ofSeconds(10),
                null,
                List.of());
    }

    /** {@code settings} with other limits. */
    public static HttpSettings limited(HttpSettings settings, HttpLimits limits) {
        return new HttpSettings(
                settings.host(),
                settings.port(),
                settings.publicUrl(),
                settings.allowedOrigins(),
                limits,
                settings.grace(),
                settings.tls(),
                settings.trustedProxies());
    }
}
