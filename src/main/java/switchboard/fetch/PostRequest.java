package switchboard.fetch;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import switchboard.async.Futures;
import switchboard.async.HttpExchange;

/** One POST with a connection of its own, which ends when the status of the answer is known. */
final class PostRequest {
    private final Vertx vertx;
    private final HttpClientAgent client;
    private final Function<URI, Future<List<InetAddress>>> resolver;
    private final String userAgent;
    private final URI uri;
    private final Promise<Integer> outcome = Promise.promise();
    private final OwnConnection own = new OwnConnection(outcome.future());

    PostRequest(
            Vertx vertx,
            HttpClientAgent client,
            Function<URI, Future<List<InetAddress>>> resolver,
            String userAgent,
            URI uri) {
        this.vertx = vertx;
        this.client = client;
        this.resolver = resolver;
        this.userAgent = userAgent;
        this.uri = uri;
    }

    Future<Integer> run(Map<String, String> headers, Buffer body, Duration timeout) {
        long timer = vertx.setTimer(
                timeout.toMillis(),
                _ -> fail(FetchException.Reason.TIMEOUT, "there was no answer within " + timeout.toMillis() + " ms"));
        Future<Integer> status = resolver.apply(uri)
                .compose(addresses -> new CheckedConnection(client, uri, outcome.future()::isComplete).to(addresses))
                .map(own::take)
                .compose(connection -> connection.request(options(headers)))
                .compose(request ->
                        HttpExchange.send(request, body, response -> HttpExchange.Body.skip(response.statusCode())));
        Futures.finish(status, outcome::tryComplete, this::broken);
        return outcome.future().andThen(_ -> {
            vertx.cancelTimer(timer);
            own.close();
        });
    }

    /** Cancels it, if it has not ended. */
    void cancel() {
        fail(FetchException.Reason.CANCELLED, "it was cancelled");
    }

    private RequestOptions options(Map<String, String> headers) {
        RequestOptions options = CheckedConnection.request(HttpMethod.POST, uri, userAgent);
        headers.forEach(options::putHeader);
        return options;
    }

    private void broken(Throwable cause) {
        if (cause instanceof FetchException known) {
            outcome.tryFail(known);
            return;
        }
        fail(FetchException.Reason.NETWORK, CheckedConnection.problem(cause));
    }

    private void fail(FetchException.Reason reason, String message) {
        outcome.tryFail(new FetchException(reason, message));
    }
}
