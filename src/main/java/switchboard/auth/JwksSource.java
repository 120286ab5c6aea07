package switchboard.auth;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The source of an issuer's JWK set. Thread-safe. */
@FunctionalInterface
public interface JwksSource {
    /** Reads the set as it is now. Blocks; fails if that takes longer than a few seconds. */
    byte[] read() throws IOException, InterruptedException;

    /** A file. */
    static JwksSource file(Path file) {
        return () -> Files.readAllBytes(file);
    }

    /** A URL, asked without credentials; redirects are not followed. */
    static JwksSource url(URI url) {
        return new OverHttp(url);
    }

    /** One small document by HTTP. It has a time limit as a whole, which the JDK's client has for the head alone. */
    final class OverHttp implements JwksSource {
        private static final int MOST_BYTES = 512 * 1024;
        private static final Duration LIMIT = Duration.ofSeconds(5);

        private final HttpClient client;
        private final HttpRequest request;

        private OverHttp(URI url) {
            this.client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(LIMIT)
                    .build();
            this.request = HttpRequest.newBuilder(url)
                    .header("Accept", "application/jwk-set+json, application/json")
                    .build();
        }

        @Override
        public byte[] read() throws IOException, InterruptedException {
            CompletableFuture<HttpResponse<byte[]>> asked =
                    client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
            try {
                HttpResponse<byte[]> answer = asked.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
                if (answer.statusCode() != 200) {
                    throw new IOException("it answers with status " + answer.statusCode());
                }
                return answer.body();
            } catch (ExecutionException e) {
                throw new IOException(String.valueOf(e.getCause()), e);
            } catch (TimeoutException e) {
                throw new IOException("no answer within " + LIMIT.toSeconds() + " s", e);
            } finally {
                asked.cancel(true);
            }
        }
    }
}
