package switchboard.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.text.CidrBlock;

/**
 * Settings of the MCP server.
 *
 * @param host the address to bind
 * @param port the port to bind; 0 for any free one
 * @param publicUrl the URL that callers use if it differs (a proxy in front), or null
 * @param allowedOrigins additional web origins, as {@code https://host[:port]}, whose pages may call
 * @param limits limits of every exchange
 * @param grace how long a stop waits for exchanges under way
 * @param tls certificates, or null for plain HTTP
 * @param trustedProxies proxies whose {@code X-Forwarded-For} is trusted
 */
public record HttpSettings(
        String host,
        int port,
        @Nullable URI publicUrl,
        Set<String> allowedOrigins,
        HttpLimits limits,
        Duration grace,
        @Nullable HttpTls tls,
        List<CidrBlock> trustedProxies) {
    public HttpSettings {
        allowedOrigins = Set.copyOf(allowedOrigins);
        trustedProxies = List.copyOf(trustedProxies);
    }
}
