package switchboard.async;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.PoolOptions;

/**
 * Makes HTTP connections whose errors are not logged. They reach the code that waits for the answer. By default Vert.x
 * also logs each of them as an error, so that the other side could fill the log.
 */
public final class HttpConnections {
    private HttpConnections() {}

    /** Makes a client. */
    public static HttpClientAgent client(Vertx vertx, HttpClientOptions options, PoolOptions pool) {
        return vertx.httpClientBuilder()
                .with(options)
                .with(pool)
                .withConnectHandler(HttpConnections::quiet)
                .build();
    }

    /** Suppresses the logging of errors of {@code connection}. */
    public static void quiet(HttpConnection connection) {
        connection.exceptionHandler(_ -> {});
    }

    /** The same for {@code request}, whose answer fails, too. */
    public static void quiet(HttpClientRequest request) {
        request.exceptionHandler(_ -> {});
    }

    /** The same for {@code response}, which is not read. */
    public static void quiet(HttpClientResponse response) {
        response.exceptionHandler(_ -> {});
    }
}
