package switchboard.backend.postgres;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import switchboard.async.Futures;

/** How a running statement is cancelled on the server. Best effort: a request may arrive too late. */
sealed interface Cancellation {
    /** Requests cancellation of the statement on {@code connection}. */
    void request(PgConnection connection);

    /** The client's own way: it hangs up as soon as the request is sent. */
    enum CloseAtOnce implements Cancellation {
        INSTANCE;

        @Override
        public void request(PgConnection connection) {
            connection.cancelRequest();
        }
    }

    /**
     * Closes its side only after the other side has, like libpq: PgBouncer 1.18 and 1.19 crash if the sender of a
     * request disconnects before it was passed on (pgbouncer/pgbouncer#801). The request goes to every address,
     * because the client does not say which one a connection uses; the other servers don't know its key. TLS is used
     * if connections use it.
     */
    final class CloseAfterServer implements Cancellation {
        private static final int LENGTH = 16;
        private static final int CANCEL_REQUEST_CODE = 80877102; // PostgreSQL manual, message formats
        private static final Buffer SSL_REQUEST = Buffer.buffer(8).appendInt(8).appendInt(80877103);
        private static final Duration PATIENCE = Duration.ofSeconds(5);

        private final NetClient client;
        private final ConnectionSettings connectionSettings;

        /** A sender to all addresses of {@code destination}. */
        CloseAfterServer(Vertx vertx, ConnectionSettings connectionSettings) {
            this.client = vertx.createNetClient(new NetClientOptions()
                    .setConnectTimeout((int) PATIENCE.toMillis())
                    .setIdleTimeout((int) PATIENCE.toSeconds()));
            this.connectionSettings = connectionSettings;
        }

        @Override
        public void request(PgConnection connection) {
            request(connection.processId(), connection.secretKey());
        }

        /** Requests cancellation on the connection with this key. */
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

        /** Sends over TLS; {@code otherwise} runs if the other side does not support it. */
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
