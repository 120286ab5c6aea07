package switchboard.upstream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import switchboard.async.Futures;
import switchboard.call.CallerToken;
import switchboard.call.CallerTokens;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.config.Secret;

/**
 * Access tokens of an authorization server for one other server: for the gateway itself, by client credentials (RFC 6749,
 * 4.4) or the exchange of a fixed token, and for callers by the exchange of theirs (RFC 8693). A token is bound to the
 * server by its audience or resource (RFC 8707), and used until shortly before it expires. That of a caller is found by the
 * digest of the token that it was given for, never by a name, and not used longer than that one is valid. Calls that need
 * the same token share a request for it. Failures are not kept. Thread-safe.
 */
public final class OAuthTokens {
    /** Maximum number of callers' tokens that are kept. */
    static final int MOST_CALLERS = 10_000;

    /** How long a token is kept in memory without being used, whether it is still valid or not. */
    private static final Duration KEPT = Duration.ofHours(1);

    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String OWN = "";

    private final String backend;
    private final OAuthSettings settings;
    private final URI server;
    private final CallerTokens callers;
    private final TokenEndpoint endpoint;
    private final Clock clock;
    private final ConcurrentMap<String, Future<TokenEndpoint.AccessToken>> own = new ConcurrentHashMap<>();
    private final Cache<String, Future<TokenEndpoint.AccessToken>> exchanged = Caffeine.newBuilder()
            .maximumSize(MOST_CALLERS)
            .expireAfterAccess(KEPT)
            .executor(Runnable::run)
            .build();

    /**
     * Tokens for the server {@code backend}.
     *
     * @param server its URL, the resource that tokens are for unless the settings name another
     * @param connection how the authorization server is reached
     * @param callers the tokens of callers
     * @throws IllegalArgumentException with a message for the operator
     */
    public OAuthTokens(
            String backend,
            OAuthSettings settings,
            URI server,
            UpstreamSettings connection,
            UpstreamServices services,
            CallerTokens callers) {
        if (settings.as() == OAuthSettings.CalledAs.CALLER && callers.equals(CallerTokens.NONE)) {
            throw new IllegalArgumentException(
                    "oauth.as caller needs auth.tokens.issuers and auth.mode keys: only callers with"
                            + " an access token can be called for");
        }
        if (settings.as() == OAuthSettings.CalledAs.CALLER && connection.tls().insecure()) {
            throw new IllegalArgumentException("oauth.as caller sends callers' tokens to oauth.tokenUrl, so"
                    + " connection.tls.insecure is not allowed; name the certificate in connection.tls.caFile");
        }
        this.backend = backend;
        this.settings = settings;
        this.server = server;
        this.callers = callers;
        this.endpoint = new TokenEndpoint(backend, settings, connection, services);
        this.clock = services.clock();
    }

    /** Whether requests of calls are made as their callers. */
    public boolean asCallers() {
        return settings.as() == OAuthSettings.CalledAs.CALLER;
    }

    /**
     * What authorizes the requests of the call {@code callId}.
     *
     * @throws ToolException {@code DENIED} if it has to be made as its caller, who has no token for that
     */
    public Authorization of(String callId) {
        return asCallers() ? of(caller(callId)) : gateway();
    }

    /**
     * The token of the caller of {@code callId}.
     *
     * @throws ToolException {@code DENIED} if there is none that may be exchanged
     */
    public CallerToken caller(String callId) {
        CallerToken shown = callers.of(callId)
                .orElseThrow(() -> new ToolException(new ToolReply.Failed(
                                FailureKind.DENIED,
                                backend + " is called as the person who uses it, so a key is not enough: sign in with"
                                        + " OAuth, so that your client sends an access token.")
                        .withCode(CallerTokens.MISSING)));
        if (!settings.trusts(shown.issuer())) {
            throw new ToolException(
                    FailureKind.DENIED,
                    backend
                            + " is called as the person who uses it, and tokens of your issuer are not exchanged for it."
                            + " Sign in at the other one, or ask the operator to add yours to oauth.issuers.");
        }
        return shown;
    }

    /** The requests of the gateway itself. */
    public Authorization gateway() {
        return new SharedToken(own, OWN, () -> endpoint.ask(ownForm(), TokenErrors.gateway()));
    }

    /** The requests that are made as the bearer of {@code caller}. */
    public Authorization of(CallerToken caller) {
        return new SharedToken(exchanged.asMap(), caller.digest(), () -> exchange(caller)) {
            @Override
            public ToolReply.Failed refusal(UpstreamResponse response) {
                return new ToolReply.Failed(
                        FailureKind.DENIED_UPSTREAM,
                        backend + " refuses the token that stands for you (" + response.status()
                                + "). Ask for the rights that you need there; if you have them, the operator has to check"
                                + " oauth.");
            }
        };
    }

    /**
     * Has the requests that are made as the bearer of {@code first} go on with a token for {@code fresh}, which the same person
     * has shown since, if the one for {@code first} can't be used any more.
     */
    public void renew(CallerToken first, CallerToken fresh) {
        Instant now = clock.instant();
        exchanged
                .asMap()
                .compute(
                        first.digest(),
                        (_, held) -> held == null || SharedToken.stale(held, now) ? exchange(fresh) : held);
    }

    /** The number of callers whose tokens are kept. */
    long kept() {
        exchanged.cleanUp();
        return exchanged.estimatedSize();
    }

    private Future<TokenEndpoint.AccessToken> exchange(CallerToken caller) {
        return endpoint.ask(callerForm(caller), TokenErrors.caller(backend, settings, caller))
                .map(token -> {
                    if (token.text()
                            .equals(caller.reveal())) { // a token of the gateway's own audience is not passed on
                        throw new ToolException(
                                FailureKind.DENIED_UPSTREAM,
                                "The authorization server gave back the token that it was to exchange for one for "
                                        + backend + "; the operator has to check oauth.audience and oauth.resource");
                    }
                    return token.notAfter(caller.expires());
                });
    }

    private Map<String, String> ownForm() {
        Secret subject = settings.subjectToken();
        if (subject != null) {
            return purpose(exchange(subject.reveal()));
        }
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "client_credentials");
        return purpose(form);
    }

    private Map<String, String> callerForm(CallerToken caller) {
        Map<String, String> form = exchange(caller.reveal());
        form.put("requested_token_type", TokenEndpoint.ACCESS_TOKEN);
        return purpose(form);
    }

    private static Map<String, String> exchange(String subject) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", EXCHANGE);
        form.put("subject_token", subject);
        form.put("subject_token_type", TokenEndpoint.ACCESS_TOKEN);
        return form;
    }

    private Map<String, String> purpose(Map<String, String> form) {
        if (settings.scope() != null) {
            form.put("scope", settings.scope());
        }
        if (settings.audience() != null) {
            form.put("audience", settings.audience());
        }
        URI resource = settings.resource();
        if (resource != null) {
            form.put("resource", resource.toString());
        } else if (settings.audience() == null) {
            form.put("resource", server.toString());
        }
        return form;
    }

    /** One of the tokens among {@code tokens}, which is asked for when there is none that can be used. */
    private class SharedToken implements Authorization {
        private final ConcurrentMap<String, Future<TokenEndpoint.AccessToken>> tokens;
        private final String key;
        private final Supplier<Future<TokenEndpoint.AccessToken>> ask;

        SharedToken(
                ConcurrentMap<String, Future<TokenEndpoint.AccessToken>> tokens,
                String key,
                Supplier<Future<TokenEndpoint.AccessToken>> ask) {
            this.tokens = tokens;
            this.key = key;
            this.ask = ask;
        }

        @Override
        public Future<Map<String, String>> headers() {
            Instant now = clock.instant();
            Future<TokenEndpoint.AccessToken> token =
                    tokens.compute(key, (_, held) -> held == null || stale(held, now) ? ask.get() : held);
            return Futures.here(token)
                    .onFailure(_ -> tokens.remove(key, token)) // a failure keeps no other token out
                    .map(SharedToken::headers);
        }

        private static Map<String, String> headers(TokenEndpoint.AccessToken token) {
            return Map.of("Authorization", "Bearer " + token.text());
        }

        private static boolean stale(Future<TokenEndpoint.AccessToken> held, Instant now) {
            return held.failed()
                    || (held.succeeded() && !now.isBefore(held.result().until()));
        }

        @Override
        public boolean refused(Map<String, String> headers) {
            tokens.computeIfPresent(
                    key, (_, held) -> held.succeeded() && headers(held.result()).equals(headers) ? null : held);
            return true;
        }
    }
}
