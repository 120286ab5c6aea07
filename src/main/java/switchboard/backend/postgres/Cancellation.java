package switchboard.backend.postgres;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import switchboard.async.Futures;

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
     * address, because the client does not say which one a connection is to; the others don't know its key. It goes over
     * TLS where connections do.
     */
    final class Patient implements Cancellation {
        private static final int LENGTH = 16;
        private static final int CANCEL_REQUEST_CODE = 80877102; // PostgreSQL manual, message formats
        private static final Buffer SSL_REQUEST = Buffer.buffer(8).appendInt(8).appendInt(80877103);
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private final NetClient client;
        private final ConnectionSettings connectionSettings;

        /** A sender to all addresses of {@code destination}. */
        Patient(Vertx vertx, ConnectionSettings connectionSettings) {
            this.client = vertx.createNetClient(new NetClientOptions()
                    .setConnectTimeout((int) PATIENCE.toMillis())
                    .setIdleTimeout((int) PATIENCE.toSeconds()));
            this.connectionSettings = connectionSettings;
        }

        @Override
        public void request(PgConnection connection) {
            request(connection.processId(), connection.secretKey());
        }

        /** Asks for an end of what the connection with this key runs. */
        void request(int processId, int secretKey) {
            Buffer request = Buffer.buffer(LENGTH)
                    .appendInt(LENGTH)
                    .appendInt(CANCEL_REQUEST_CODE)
                    .appendInt(processId)
                    .appendInt(secretKey);
            connectionSettings
                    .addresses()
                    .forEach(hostAndPort -> Futures.finish(
                            client.connect(hostAndPort.port(), hostAndPort.host()),
                            socket -> send(socket, request),
                            _ -> {}));
        }

        private void send(NetSocket socket, Buffer request) {
            socket.endHandler(end -> socket.close());
            switch (connectionSettings.options().getSslMode()) {
                case DISABLE, ALLOW -> socket.write(request);
                case PREFER -> secure(socket, request, () -> socket.write(request));
                case REQUIRE, VERIFY_CA, VERIFY_FULL -> secure(socket, request, socket::close);
            }
        }

        /** Sends over TLS; {@code otherwise} where the other side has none. */
        private void secure(NetSocket socket, Buffer request, Runnable otherwise) {
            socket.handler(answer -> {
                socket.handler(ignored -> {});
                if (answer.toString().equals("S")) {
                    socket.upgradeToSsl(connectionSettings.now().getSslOptions())
                            .compose(done -> socket.write(request))
                            .onFailure(refused -> socket.close());
                } else {
                    otherwise.run();
                }
            });
            socket.write(SSL_REQUEST);
        }
    }
}
