package switchboard.fetch;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.async.HttpExchange;

/**
 * One fetch with all its redirects. Each request has a connection of its own and uses no pool, so cancelling simply
 * closes it and affects no other request.
 */
final class FetchRequest {
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final String ACCEPT =
            "text/html,text/markdown,application/xhtml+xml,text/plain;q=0.9,application/json;q=0.9,*/*;q=0.5";

    private final Vertx vertx;
    private final HttpClientAgent client;
    private final Function<URI, Future<List<InetAddress>>> resolver;
    private final String userAgent;
    private final URI asked;
    private final FetchLimits limits;
    private final HttpValidators conditional;
    private final Promise<FetchResult> outcome = Promise.promise();
    private final OwnConnection own = new OwnConnection(outcome.future());

    FetchRequest(
            Vertx vertx,
            HttpClientAgent client,
            Function<URI, Future<List<InetAddress>>> resolver,
            String userAgent,
            URI asked,
            FetchLimits limits,
            HttpValidators conditional) {
        this.vertx = vertx;
        this.client = client;
        this.resolver = resolver;
        this.userAgent = userAgent;
        this.asked = asked;
        this.limits = limits;
        this.conditional = conditional;
    }

    Future<FetchResult> run() {
        long timer = vertx.setTimer(
                limits.timeout().toMillis(),
                _ -> fail(
                        FetchException.Reason.TIMEOUT,
                        "Fetching '" + asked + "' took longer than "
                                + limits.timeout().toMillis() + " ms"));
        Futures.finish(hop(asked, limits.maxRedirects()), outcome::tryComplete, this::broken);
        return outcome.future().andThen(_ -> {
            vertx.cancelTimer(timer);
            own.close();
        });
    }

    /** Cancels the fetch, if it has not ended. */
    void cancel() {
        fail(FetchException.Reason.CANCELLED, "Fetching '" + asked + "' was cancelled.");
    }

    private Future<FetchResult> hop(URI uri, int redirectsLeft) {
        return resolver.apply(uri)
                .compose(addresses -> new CheckedConnection(client, uri, outcome.future()::isComplete).to(addresses))
                .map(own::take)
                .compose(connection -> ask(connection, uri))
                .compose(step -> switch (step) {
                    case Step.Received(FetchResult fetched) -> Future.succeededFuture(fetched);
                    case Step.Redirect(String location) -> follow(uri, location, redirectsLeft);
                });
    }

    private Future<Step> ask(HttpClientConnection connection, URI uri) {
        RequestOptions options =
                CheckedConnection.request(HttpMethod.GET, uri, userAgent).putHeader(HttpHeaders.ACCEPT, ACCEPT);
        if (conditional.etag() != null) {
            options.putHeader(HttpHeaders.IF_NONE_MATCH, conditional.etag());
        }
        if (conditional.lastModified() != null) {
            options.putHeader(HttpHeaders.IF_MODIFIED_SINCE, conditional.lastModified());
        }
        return connection
                .request(options)
                .compose(request -> HttpExchange.send(request, null, response -> answered(uri, response)));
    }

    private HttpExchange.Body<Step> answered(URI uri, HttpClientResponse response) {
        int status = response.statusCode();
        if (REDIRECTS.contains(status)) {
            return HttpExchange.Body.skip(new Step.Redirect(response.getHeader(HttpHeaders.LOCATION)));
        }
        if (status == 304 && !conditional.equals(HttpValidators.NONE)) {
            return HttpExchange.Body.skip(new Step.Received(new FetchResult.NotModified()));
        }
        if (status < 200 || status >= 300) {
            throw new FetchException(reason(status), "HTTP " + status + " fetching '" + asked + "'");
        }
        if (declaredLength(response) > limits.maxBytes()) {
            throw tooLarge();
        }
        return new PageBody(uri, response);
    }

    private static FetchException.Reason reason(int status) {
        if (status == 404 || status == 410) {
            return FetchException.Reason.NOT_FOUND;
        }
        // Too Many Requests does not mean that the page is refused.
        return status >= 400 && status < 500 && status != 429
                ? FetchException.Reason.NOT_GIVEN
                : FetchException.Reason.STATUS;
    }

    private Future<FetchResult> follow(URI uri, @Nullable String location, int redirectsLeft) {
        own.close();
        if (redirectsLeft == 0) {
            throw new FetchException(
                    FetchException.Reason.NETWORK,
                    "Network error fetching '" + asked + "': more than " + limits.maxRedirects() + " redirects");
        }
        return hop(WebAddress.redirect(uri, location), redirectsLeft - 1);
    }

    private static long declaredLength(HttpClientResponse response) {
        String header = response.getHeader(HttpHeaders.CONTENT_LENGTH);
        try {
            return header == null ? 0 : Long.parseLong(header.strip());
        } catch (NumberFormatException _) {
            return 0;
        }
    }

    private FetchException tooLarge() {
        return new FetchException(
                FetchException.Reason.TOO_LARGE,
                "The document at '" + asked + "' is larger than the limit of " + limits.maxBytes() + " bytes");
    }

    private void broken(Throwable cause) {
        if (cause instanceof FetchException known) {
            outcome.tryFail(known);
            return;
        }
        fail(
                FetchException.Reason.NETWORK,
                "Network error fetching '" + asked + "': " + CheckedConnection.problem(cause));
    }

    private void fail(FetchException.Reason reason, String message) {
        outcome.tryFail(new FetchException(reason, message));
    }

    /** The result of one request. */
    private sealed interface Step {
        record Received(FetchResult fetched) implements Step {}

        record Redirect(@Nullable String location) implements Step {}
    }

    private final class PageBody implements HttpExchange.Body<Step> {
        private final URI uri;
        private final HttpClientResponse response;
        private final BoundedBody body = new BoundedBody(limits.maxBytes());

        PageBody(URI uri, HttpClientResponse response) {
            this.uri = uri;
            this.response = response;
        }

        @Override
        public void take(Buffer piece) {
            if (!body.add(piece.getBytes())) {
                throw tooLarge();
            }
        }

        @Override
        public Step end() {
            return new Step.Received(new FetchResult.Document(
                    uri,
                    body.bytes(),
                    response.getHeader(HttpHeaders.CONTENT_TYPE),
                    new HttpValidators(
                            response.getHeader(HttpHeaders.ETAG), response.getHeader(HttpHeaders.LAST_MODIFIED))));
        }
    }
}
