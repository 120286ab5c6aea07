package switchboard.testing;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.dns.AddressResolverOptions;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A Vert.x whose DNS server never answers, so that connecting to a host by its name takes long. */
public final class SilentDns implements AutoCloseable {
    private static final int QUERY_SECONDS = 20;

    private final DatagramSocket server;
    private final Vertx vertx;

    /** Listens on a free port of the loopback address. */
    public SilentDns() {
        try {
            server = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (SocketException e) {
            throw new AssertionError(e);
        }
        vertx = Vertx.vertx(new VertxOptions()
                .setAddressResolverOptions(new AddressResolverOptions()
                        .setServers(List.of("127.0.0.1:" + server.getLocalPort()))
                        .setQueryTimeout(TimeUnit.SECONDS.toMillis(QUERY_SECONDS))));
    }

    /** Asks this server for addresses. */
    public Vertx vertx() {
        return vertx;
    }

    @Override
    public void close() {
        server.close();
        try {
            vertx.close().await(60, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("Vert.x does not close", e);
        }
    }
}
