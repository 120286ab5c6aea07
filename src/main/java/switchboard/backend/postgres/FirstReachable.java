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

/**
 * Chooses a server for each new connection: the first in the list that accepts one, as libpq does. That a server is a
 * standby does not matter, since nothing is written.
 */
final class FirstReachable implements Supplier<Future<SqlConnectOptions>> {
    private final NetClient client;
    private final Destination destination;

    /** Tries each address for {@code patience}. */
    FirstReachable(Vertx vertx, Destination destination, Duration patience) {
        this.client = vertx.createNetClient(new NetClientOptions().setConnectTimeout((int) patience.toMillis()));
        this.destination = destination;
    }

    @Override
    public Future<SqlConnectOptions> get() {
        return first(destination.addresses());
    }

    private Future<SqlConnectOptions> first(List<Address> rest) {
        Address address = rest.getFirst();
        Future<SqlConnectOptions> reached = client.connect(address.port(), address.host())
                .compose(NetSocket::close)
                .map(closed -> destination.now().setHost(address.host()).setPort(address.port()));
        return rest.size() == 1 ? reached : reached.recover(down -> first(rest.subList(1, rest.size())));
    }
}
