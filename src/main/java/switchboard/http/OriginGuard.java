package switchboard.http;

import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps foreign web pages out (MCP "Security Warning" of the HTTP transport). A page of another site can make a
 * browser call a loopback address, and with DNS rebinding even read the answer, but it can't choose the {@code Host}
 * and {@code Origin} that the browser sends. Immutable.
 */
final class OriginGuard {
    private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final boolean loopback;
    private final Set<String> authorities = new HashSet<>();
    private final Set<String> origins = new HashSet<>();

    private OriginGuard(String boundTo) {
        String host = boundTo.toLowerCase(Locale.ROOT);
        this.loopback =
                host.equals("localhost") || host.startsWith("127.") || host.equals("::1") || host.equals("[::1]");
    }

    /** A guard for a server bound to {@code host}, without other names. */
    static OriginGuard of(String host) {
        return new OriginGuard(host);
    }

    OriginGuard(HttpSettings settings) {
        this(settings.host());
        for (String origin : settings.allowedOrigins()) {
            allow(URI.create(origin));
        }
        if (settings.publicUrl() != null) {
            allow(settings.publicUrl());
        }
    }

    private void allow(URI uri) {
        if (uri.getScheme() == null || uri.getHost() == null) {
            throw new IllegalArgumentException("\"" + uri + "\" is not of the form https://host[:port]");
        }
        authorities.add(authority(uri));
        origins.add(origin(uri));
    }

    /**
     * Whether {@code host} may mean this server. Only a server bound to loopback knows all its names.
     *
     * @param port the port of the server
     */
    boolean hostAllowed(@Nullable HostAndPort host, int port) {
        if (!loopback) {
            return true;
        }
        if (host == null) {
            return false;
        }
        String name = bracketed(host.host().toLowerCase(Locale.ROOT));
        int actual = host.port() < 0 ? 80 : host.port();
        return (LOOPBACK_NAMES.contains(name) && actual == port)
                || authorities.contains(name + ":" + actual)
                || (host.port() < 0 && authorities.contains(name + ":443"));
    }

    /**
     * The same for any port, because callers of a forwarded port name another one. A name used for DNS rebinding is
     * still not a loopback name. A request of HTTP/1.0 may have no host; browsers don't send those.
     */
    boolean nameAllowed(@Nullable HostAndPort host) {
        return !loopback
                || host == null
                || LOOPBACK_NAMES.contains(bracketed(host.host().toLowerCase(Locale.ROOT)));
    }

    /** Whether a page of {@code origin} may call. A request without an origin does not come from a page. */
    boolean originAllowed(@Nullable String origin, int port) {
        if (origin == null) {
            return true;
        }
        URI uri;
        try {
            uri = URI.create(origin);
        } catch (IllegalArgumentException e) {
            return false;
        }
        if (uri.getScheme() == null || uri.getHost() == null) {
            return false;
        }
        return origins.contains(origin(uri))
                || (loopback
                        && uri.getScheme().equalsIgnoreCase("http")
                        && portOf(uri) == port
                        && LOOPBACK_NAMES.contains(uri.getHost().toLowerCase(Locale.ROOT)));
    }

    private static String origin(URI uri) {
        return uri.getScheme().toLowerCase(Locale.ROOT) + "://" + authority(uri);
    }

    private static String authority(URI uri) {
        return bracketed(uri.getHost().toLowerCase(Locale.ROOT)) + ":" + portOf(uri);
    }

    private static int portOf(URI uri) {
        if (uri.getPort() >= 0) {
            return uri.getPort();
        }
        return uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
    }
}
