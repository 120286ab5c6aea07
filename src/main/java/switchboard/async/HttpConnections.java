package switchboard.async;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

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

    /**
     * Opens a request, with a time limit for getting a connection. Don't set that limit in {@code RequestOptions}: if the
     * client is closed while it connects for a request whose limit has passed, the pool of Vert.x 5.0 to 5.2 throws, and
     * closing never ends (Vert.x issue 6266).
     *
     * @return fails with a {@link java.util.concurrent.TimeoutException} if there is no connection in time
     */
    public static Future<HttpClientRequest> request(HttpClient client, RequestOptions options, Duration limit) {
        Future<HttpClientRequest> opened = client.request(options);
        Future<HttpClientRequest> inTime = opened.timeout(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS);
        inTime.onFailure(_ -> opened.onSuccess(late -> {
            quiet(late);
            late.reset();
        }));
        return inTime;
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
