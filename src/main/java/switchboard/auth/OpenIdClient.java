package switchboard.auth;

import com.github.benmanes.caffeine.cache.Ticker;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.oauth2.OAuth2Auth;
import io.vertx.ext.auth.oauth2.OAuth2AuthorizationURL;
import io.vertx.ext.auth.oauth2.OAuth2FlowType;
import io.vertx.ext.auth.oauth2.OAuth2Options;
import io.vertx.ext.auth.oauth2.Oauth2Credentials;
import io.vertx.ext.auth.oauth2.providers.OpenIDConnectAuth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * A client of an issuer, for people who sign in there: the authorization code flow of OpenID Connect Core 1.0 (section 3.1)
 * with PKCE (RFC 7636). The ID token says who a person is; no token is kept. Thread-safe.
 */
public final class OpenIdClient {
    private static final Duration PROVIDER_KEPT = Duration.ofDays(1);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
    private static final int TIMEOUT_SECONDS = 20;
    private static final int MOST_EXCHANGES = 16;

    private final Vertx vertx;
    private final Registration client;
    private final Persons persons;
    private final Ticker ticker;
    private final AtomicInteger exchanges = new AtomicInteger();
    private @Nullable Provider provider;

    private record Provider(
            Future<OAuth2Auth> found, @Nullable String secret, long sinceNanos) {
        private boolean isOver(long nowNanos) {
            return nowNanos - sinceNanos >= (found.failed() ? AFTER_FAILURE : PROVIDER_KEPT).toNanos();
        }

        /** Does not contain the secret. */
        @Override
        public String toString() {
            return "Provider";
        }
    }

    /**
     * How a client is known at the issuer.
     *
     * @param name the issuer's name in the configuration
     * @param issuer its identifier, the URL whose {@code /.well-known/openid-configuration} names its endpoints
     * @param secret read at each use; null if it has none
     * @param clockSkew how much the issuer's clock may differ from this machine's
     */
    public record Registration(
            String name,
            String issuer,
            String id,
            Supplier<@Nullable String> secret,
            List<String> scopes,
            Duration clockSkew) {
        /** Does not contain the secret. */
        @Override
        public String toString() {
            return "Registration[" + name + ", " + id + "]";
        }
    }

    /** Finds out who a person is. */
    @FunctionalInterface
    public interface Persons {
        /** The person that the ID token {@code text} names; never fails. */
        Future<AuthOutcome> of(String text, ExpectedIdToken expected);
    }

    /**
     * Sign-in as {@code client}.
     *
     * @param persons checks ID tokens
     */
    public OpenIdClient(Vertx vertx, Registration client, Persons persons, Ticker ticker) {
        this.vertx = vertx;
        this.client = client;
        this.persons = persons;
        this.ticker = ticker;
    }

    /** The issuer's name. */
    public String name() {
        return client.name();
    }

    /** The address at the issuer that a person is sent to; fails if the issuer can't be reached. */
    public Future<String> begin(OpenIdRequest asked, String redirectUri) {
        return provider()
                .map(oauth -> oauth.authorizeURL(new OAuth2AuthorizationURL()
                        .setRedirectUri(redirectUri)
                        .setState(asked.state())
                        .setScopes(client.scopes())
                        .setCodeChallenge(asked.challenge())
                        .setCodeChallengeMethod("S256")
                        .putAdditionalParameter("nonce", asked.nonce())));
    }

    /**
     * Who has come back with {@code code}; fails if the issuer does not accept it, or can't be reached.
     *
     * @param until when the session that it is for ends
     */
    public Future<AuthOutcome> finish(OpenIdRequest asked, String code, String redirectUri, Instant until) {
        if (exchanges.incrementAndGet() > MOST_EXCHANGES) {
            exchanges.decrementAndGet();
            return Future.failedFuture(
                    new ToolException(FailureKind.OVERLOADED, "Too many people sign in at once. Try again."));
        }
        return provider()
                .compose(oauth -> oauth.authenticate(new Oauth2Credentials()
                        .setFlow(OAuth2FlowType.AUTH_CODE)
                        .setCode(code)
                        .setRedirectUri(redirectUri)
                        .setCodeVerifier(asked.verifier())))
                .timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .compose(user -> persons.of(
                        user.principal().getString("id_token", ""),
                        new ExpectedIdToken(
                                client.name(),
                                client.id(),
                                asked.nonce(),
                                granted(user.principal().getString("scope")),
                                until)))
                .onComplete(_ -> exchanges.decrementAndGet());
    }

    /** RFC 6749, section 5.1: without a scope in the answer it is the one that was asked for. */
    private Set<String> granted(@Nullable String scope) {
        return scope == null || scope.isBlank()
                ? Set.copyOf(client.scopes())
                : Set.copyOf(List.of(scope.strip().split(" +")));
    }

    /** The issuer with its endpoints, which are read again after a day, when the secret has changed, and soon after a failure. */
    private synchronized Future<OAuth2Auth> provider() {
        Provider known = provider;
        String secret = client.secret().get();
        if (known == null || known.isOver(ticker.read()) || !Objects.equals(known.secret(), secret)) {
            if (known != null) {
                closeLater(known.found());
            }
            known = new Provider(
                    OpenIDConnectAuth.discover(vertx, options(secret)).timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS),
                    secret,
                    ticker.read());
            provider = known;
        }
        return known.found();
    }

    /** It reads the issuer's keys now and then as long as it is open. What began with it gets time to end. */
    private void closeLater(Future<OAuth2Auth> found) {
        Futures.finish(
                found,
                oauth -> vertx.setTimer(TimeUnit.SECONDS.toMillis(2L * TIMEOUT_SECONDS), _ -> oauth.close()),
                _ -> {});
    }

    private OAuth2Options options(@Nullable String secret) {
        String issuer = client.issuer();
        return new OAuth2Options()
                .setClientId(client.id())
                .setClientSecret(secret)
                .setSite(issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer)
                .setJWTOptions(
                        new JWTOptions().setLeeway((int) client.clockSkew().toSeconds()))
                .setHttpClientOptions(new HttpClientOptions()
                        .setConnectTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS))
                        .setReadIdleTimeout(TIMEOUT_SECONDS));
    }
}
