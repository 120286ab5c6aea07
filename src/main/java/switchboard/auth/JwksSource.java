package switchboard.auth;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import switchboard.async.HttpConnections;
import switchboard.async.HttpExchange;

/** The source of an issuer's JWK set. Thread-safe. */
@FunctionalInterface
public interface JwksSource {
    /** Reads the current set; fails if that takes longer than a few seconds. */
    Future<Buffer> read();

    /** A file. */
    static JwksSource file(Vertx vertx, Path file) {
        return () -> vertx.fileSystem().readFile(file.toString());
    }

    /** A URL, requested without credentials; redirects are not followed. */
    static JwksSource url(Vertx vertx, URI url) {
        return new OverHttp(vertx, url);
    }

    /** One small document by HTTP. */
    final class OverHttp implements JwksSource {
        private static final int MOST_BYTES = 512 * 1024;
        private static final long LIMIT_MS = 5_000;

        private final HttpClient client;
        private final URI url;

        private OverHttp(Vertx vertx, URI url) {
            this.client = HttpConnections.client(
                    vertx,
                    new HttpClientOptions(),
                    new PoolOptions().setHttp1MaxSize(1).setMaxWaitQueueSize(1));
            this.url = url;
        }

        @Override
        public Future<Buffer> read() {
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.GET)
                    .setAbsoluteURI(url.toString())
                    .setConnectTimeout(LIMIT_MS)
                    .setIdleTimeout(LIMIT_MS)
                    .putHeader("accept", "application/jwk-set+json, application/json");
            return client.request(options).compose(request -> HttpExchange.send(request, null, OverHttp::body)
                    .timeout(LIMIT_MS, TimeUnit.MILLISECONDS)
                    .onFailure(_ -> request.reset()));
        }

        private static HttpExchange.Body<Buffer> body(HttpClientResponse response) throws IOException {
            if (response.statusCode() != 200) {
                throw new IOException("it answers with status " + response.statusCode());
            }
            return HttpExchange.Body.collect(
                    MOST_BYTES, () -> new IOException("it has more than " + MOST_BYTES + " bytes"), bytes -> bytes);
        }
    }
}
