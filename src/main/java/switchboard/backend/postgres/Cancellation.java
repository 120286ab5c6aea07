package switchboard.backend.postgres;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;

/** How a server is told to stop what it does for a connection. Best effort: a request may come too late. */
sealed interface Cancellation {
    /** Asks for an end of what {@code connection} runs. */
    void request(PgConnection connection);

    /** The client's own way: it hangs up as soon as the request is sent. */
    enum Direct implements Cancellation {
        INSTANCE;

        @Override
        public void request(PgConnection connection) {
            connection.cancelRequest();
        }
    }

    /**
     * Hangs up only after the other side has, as libpq does: PgBouncer 1.18 and 1.19 end with a fatal error when the
     * sender of a request leaves before they have passed it on (pgbouncer/pgbouncer#801). The request goes to every
     * address, because the client does not say which one a connection is to; the others don't know its key.
     */
    final class Patient implements Cancellation {
        private static final int LENGTH = 16;
        private static final int CANCEL_REQUEST_CODE = 80877102; // PostgreSQL manual, message formats
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private final NetClient client;
        private final List<Address> addresses;

        /** A sender to {@code addresses}. */
        Patient(Vertx vertx, List<Address> addresses) {
            this.client = vertx.createNetClient(new NetClientOptions()
                    .setConnectTimeout((int) PATIENCE.toMillis())
                    .setIdleTimeout((int) PATIENCE.toSeconds()));
            this.addresses = List.copyOf(addresses);
        }

        @Override
        public void request(PgConnection connection) {
            Buffer request = Buffer.buffer(LENGTH)
                    .appendInt(LENGTH)
                    .appendInt(CANCEL_REQUEST_CODE)
                    .appendInt(connection.processId())
                    .appendInt(connection.secretKey());
            addresses.forEach(address ->
                    client.connect(address.port(), address.host()).onSuccess(socket -> send(socket, request)));
        }

        private static void send(NetSocket socket, Buffer request) {
            socket.endHandler(end -> socket.close());
            socket.write(request);
        }
    }
}
