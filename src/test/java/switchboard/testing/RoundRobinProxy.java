package switchboard.testing;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A load balancer on a free loopback port that sends each request to the next of several servers, or to the one that a test names. */
public final class RoundRobinProxy implements AutoCloseable {
    private static final Set<String> OWN_HEADERS = Set.of("host", "content-length", "transfer-encoding", "connection");

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client =
            KeptClients.http(vertx, new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(200));
    private final Supplier<List<URI>> servers;
    private final HttpServer server;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile int only = -1;

    /** A proxy before {@code servers}, which may start later. */
    public RoundRobinProxy(Supplier<List<URI>> servers) {
        this.servers = servers;
        try {
            this.server = vertx.createHttpServer(
                            new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                    .requestHandler(this::forward)
                    .listen()
                    .await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no proxy: " + e, e);
        }
    }

    /** The URL of {@code path} behind it. */
    public URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.actualPort() + path);
    }

    /** From now on all requests go to this server, counted from 0. */
    public RoundRobinProxy to(int index) {
        only = index;
        return this;
    }

    /** From now on servers take turns. */
    public RoundRobinProxy inTurn() {
        only = -1;
        return this;
    }

    private void forward(HttpServerRequest request) {
        request.pause();
        List<URI> now = servers.get();
        int index = only >= 0 ? only : Math.floorMod(turn.getAndIncrement(), now.size());
        URI to = now.get(index);
        RequestOptions options = new RequestOptions()
                .setServer(SocketAddress.inetSocketAddress(to.getPort(), to.getHost()))
                .setHost(request.authority().host())
                .setPort(request.authority().port())
                .setMethod(request.method())
                .setURI(request.uri());
        request.headers().forEach((name, value) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                options.addHeader(name, value);
            }
        });
        client.request(options).compose(next -> pass(request, next)).onFailure(_ -> {
            if (!request.response().ended() && !request.response().headWritten()) {
                request.response().setStatusCode(502).end();
            } else {
                request.connection().close();
            }
        });
    }

    private static Future<Void> pass(HttpServerRequest request, HttpClientRequest next) {
        request.response().closeHandler(_ -> next.reset());
        return next.send(request).compose(response -> pass(response, request));
    }

    private static Future<Void> pass(HttpClientResponse from, HttpServerRequest request) {
        request.response().setStatusCode(from.statusCode()).setChunked(true);
        from.headers().forEach((name, value) -> {
            if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                request.response().putHeader(name, value);
            }
        });
        return from.pipeTo(request.response());
    }

    @Override
    public void close() {
        vertx.close();
    }
}
