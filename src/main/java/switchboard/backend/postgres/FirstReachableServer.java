package switchboard.backend.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.sqlclient.SqlConnectOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import switchboard.database.HostAndPort;

/**
 * Chooses a server for each new connection: the first in the list that accepts one, as libpq does. That a server is a
 * standby does not matter, since nothing is written.
 */
final class FirstReachableServer implements Supplier<Future<SqlConnectOptions>> {
    private final NetClient client;
    private final ConnectionSettings connectionSettings;

    /** Tries each address for {@code patience}. */
    FirstReachableServer(Vertx vertx, ConnectionSettings connectionSettings, Duration patience) {
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout((int) patience.toMillis()));
        this.connectionSettings = connectionSettings;
    }

    @Override
    public Future<SqlConnectOptions> get() {
        return first(connectionSettings.addresses());
    }

    private Future<SqlConnectOptions> first(List<HostAndPort> rest) {
        HostAndPort hostAndPort = rest.getFirst();
        Future<SqlConnectOptions> reached = client.connect(hostAndPort.port(), hostAndPort.host())
                .compose(NetSocket::close)
                .map(closed ->
                        connectionSettings.now().setHost(hostAndPort.host()).setPort(hostAndPort.port()));
        return rest.size() == 1 ? reached : reached.recover(down -> first(rest.subList(1, rest.size())));
    }
}
