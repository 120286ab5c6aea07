package switchboard.upstream;

import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;
import switchboard.call.CallContext;
import switchboard.call.ToolException;

/** Sends the requests of calls with what authorizes them. Thread-safe. */
public final class AuthorizedClient {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final UpstreamClient client;
    private final Optional<OAuthTokens> tokens;

    /** Sends by {@code client}, with tokens of {@code tokens} if there are any. */
    public AuthorizedClient(UpstreamClient client, Optional<OAuthTokens> tokens) {
        this.client = client;
        this.tokens = tokens;
    }

    /**
     * Sends {@code request} for the call of {@code context}. One that is refused (401) is sent once more with another token.
     *
     * @return the answer, of any status but 401 and 403; fails with {@link ToolException} only
     */
    public Future<UpstreamResponse> send(UpstreamRequest request, CallContext context) {
        Authorization authorization;
        try {
            authorization = tokens.map(found -> found.of(context.callId())).orElse(Authorization.NONE);
        } catch (ToolException e) {
            return Future.failedFuture(e);
        }
        return authorization
                .headers()
                .compose(headers -> sent(request, headers, context)
                        .compose(response -> response.status() == UNAUTHORIZED && authorization.refused(headers)
                                ? authorization.headers().compose(others -> sent(request, others, context))
                                : Future.succeededFuture(response)))
                .map(response -> {
                    if (response.status() == UNAUTHORIZED || response.status() == FORBIDDEN) {
                        throw new ToolException(authorization.refusal(response));
                    }
                    return response;
                });
    }

    private Future<UpstreamResponse> sent(UpstreamRequest request, Map<String, String> headers, CallContext context) {
        UpstreamRequest complete = request;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            complete = complete.header(header.getKey(), header.getValue());
        }
        return client.send(complete, context);
    }
}
