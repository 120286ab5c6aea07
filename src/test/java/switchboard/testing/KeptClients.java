package switchboard.testing;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.NetClient;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Makes clients of Vert.x and keeps references to them as long as the tests run. Vert.x closes a client that the garbage collector finds
 * without references, even while it connects: a test that uses a client in a chain of calls then fails once in many runs.
 */
public final class KeptClients {
    private static final Queue<Object> KEPT = new ConcurrentLinkedQueue<>();

    private KeptClients() {}

    /** Makes a client of HTTP. */
    public static HttpClient http(Vertx vertx, HttpClientOptions options) {
        return http(vertx, options, new PoolOptions());
    }

    /** Makes a client of HTTP with so many connections. */
    public static HttpClient http(Vertx vertx, HttpClientOptions options, PoolOptions pool) {
        HttpClient client = vertx.createHttpClient(options, pool);
        KEPT.add(client);
        return client;
    }

    /** Makes a client of TCP. */
    public static NetClient net(Vertx vertx) {
        NetClient client = vertx.createNetClient();
        KEPT.add(client);
        return client;
    }
}
