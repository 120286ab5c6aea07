package switchboard.async;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.PoolOptions;

/**
 * Connections whose faults are no lines of the log: they reach whoever waits for the answer. Without a handler each is
 * logged as an error besides, so that the other side writes into the log what it likes, as often as it likes.
 */
public final class HttpConnections {
    private HttpConnections() {}

    /** A client. */
    public static HttpClientAgent client(Vertx vertx, HttpClientOptions options, PoolOptions pool) {
        return vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withConnectHandler(HttpConnections::quiet)
                .build();
    }

    /** Has the faults of {@code connection} not logged. */
    public static void quiet(HttpConnection connection) {
        connection.exceptionHandler(_ -> {});
    }
}
