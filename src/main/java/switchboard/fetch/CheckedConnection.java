package switchboard.fetch;

import io.vertx.core.Future;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import switchboard.async.HttpConnections;

/**
 * A connection to an address that was checked, whatever its name means by now.
 *
 * @param over whether nobody waits for it any more
 */
record CheckedConnection(HttpClientAgent client, URI uri, BooleanSupplier over) {
    private static final int ADDRESSES_TRIED = 3;

    /** Connects to the first of {@code addresses} that answers. */
    Future<HttpClientConnection> to(List<InetAddress> addresses) {
        return to(addresses, 0);
    }

    private Future<HttpClientConnection> to(List<InetAddress> addresses, int index) {
        if (over.getAsBoolean()) {
            return Future.failedFuture("the fetch is over");
        }
        // The name goes into the Host header and the TLS handshake; the connection goes to the checked address.
        HttpConnectOptions options = new HttpConnectOptions()
                .setServer(SocketAddress.inetSocketAddress(new InetSocketAddress(addresses.get(index), port(uri))))
                .setHost(unbracketed(uri.getHost()))
                .setPort(port(uri))
                .setSsl(https(uri));
        return client.connect(options)
                .map(connection -> {
                    HttpConnections.quiet(connection);
                    return connection;
                })
                .recover(failure -> index + 1 < Math.min(addresses.size(), ADDRESSES_TRIED)
                        ? to(addresses, index + 1)
                        : Future.failedFuture(failure));
    }

    /** A request for {@code uri} that follows no redirect. */
    static RequestOptions request(HttpMethod method, URI uri, String userAgent) {
        return new RequestOptions()
                .setMethod(method)
                .setHost(unbracketed(uri.getHost()))
                .setPort(port(uri))
                .setSsl(https(uri))
                .setURI(uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()))
                .setFollowRedirects(false)
                .putHeader(HttpHeaders.USER_AGENT, userAgent);
    }

    /** What {@code cause} means; its message may name addresses of the host. */
    static String problem(Throwable cause) {
        return switch (cause) {
            case SSLException _ -> "the TLS handshake failed";
            case java.net.ConnectException _ -> "the connection was refused or timed out";
            default -> "the connection broke or the answer was not valid HTTP";
        };
    }

    private static boolean https(URI uri) {
        return uri.getScheme().equals("https");
    }

    private static int port(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : https(uri) ? 443 : 80;
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
}
