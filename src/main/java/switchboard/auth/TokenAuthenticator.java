package switchboard.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallerToken;

/**
 * Authenticates callers by access token: a JWT (RFC 7519, in the profile of RFC 9068) that a configured issuer has
 * signed for this gateway (RFC 8707). Thread-safe.
 */
public final class TokenAuthenticator {
    private static final Pattern SUBJECT = Pattern.compile("[\\x21-\\x7e]{1,255}");
    private static final String NEW_TOKEN = "Get a new access token from the issuer, for this server.";

    private final Supplier<TeamDirectory> teams;
    private final ProtectedResource resource;
    private final Map<String, TokenIssuer> issuers = new HashMap<>();
    private final Rules rules;
    private final Clock clock;
    private final AuthErrors authErrors;

    /**
     * Requirements for all tokens.
     *
     * @param algorithms the allowed signature algorithms
     * @param clockSkew how much an issuer's clock may differ from this machine's
     */
    public record Rules(Set<String> algorithms, Duration clockSkew) {
        public Rules {
            algorithms = Set.copyOf(algorithms);
        }
    }

    /**
     * Accepts tokens of {@code issuers}.
     *
     * @param teams the current teams, read at every call
     * @param resource the audience that tokens must have
     */
    public TokenAuthenticator(
            Supplier<TeamDirectory> teams,
            ProtectedResource resource,
            List<TokenIssuer> issuers,
            Rules rules,
            Clock clock) {
        this.teams = teams;
        this.resource = resource;
        issuers.forEach(issuer -> this.issuers.put(issuer.identifier(), issuer));
        this.rules = rules;
        this.clock = clock;
        this.authErrors = new AuthErrors(resource);
    }

    /** Makes the rejections for this gateway. */
    AuthErrors errors() {
        return authErrors;
    }

    /** Authenticates {@code token} for {@code view}. Never fails. */
    Future<AuthOutcome> authenticate(String token, String view) {
        Optional<UnverifiedJwt> read = UnverifiedJwt.read(token);
        if (read.isEmpty()) {
            return refused(AuthFailure.TOKEN_MALFORMED, view, "The access token is not a signed JWT.");
        }
        UnverifiedJwt text = read.get();
        if (!rules.algorithms().contains(text.algorithm())) {
            return refused(
                    AuthFailure.TOKEN_ALGORITHM,
                    view,
                    "The access token is not signed with one of "
                            + String.join(
                                    ", ", rules.algorithms().stream().sorted().toList()) + ".");
        }
        JsonNode iss = text.claims().path("iss");
        TokenIssuer issuer = iss.isTextual() ? issuers.get(iss.asText()) : null;
        if (issuer == null) {
            return refused(AuthFailure.TOKEN_ISSUER, view, "The issuer of the access token is not trusted here.");
        }
        return issuer.keys()
                .forKey(text.algorithm(), text.kid())
                .compose(keys -> verified(keys, token, text, issuer, view), _ -> Future.succeededFuture(unchecked()));
    }

    private Future<AuthOutcome> verified(
            VerifyingKeys keys, String token, UnverifiedJwt text, TokenIssuer issuer, String view) {
        if (!keys.has(text.algorithm(), text.kid())) {
            return refused(
                    AuthFailure.TOKEN_KEY,
                    view,
                    "The access token is signed with a key that its issuer does not have.");
        }
        return keys.verify(token, text)
                .map(_ -> evaluate(token, text.claims(), issuer, view))
                .otherwise(
                        _ -> refusal(AuthFailure.TOKEN_SIGNATURE, view, "The signature of the access token is wrong."));
    }

    /** Evaluates the claims of a token with a valid signature. */
    private AuthOutcome evaluate(String token, JsonNode claims, TokenIssuer issuer, String view) {
        Instant now = clock.instant();
        Instant expires = instant(claims.get("exp"));
        if (expires == null || !now.isBefore(expires.plus(rules.clockSkew()))) {
            return refusal(AuthFailure.TOKEN_EXPIRED, view, "The access token has expired.");
        }
        if (later(claims.get("nbf"), now) || later(claims.get("iat"), now)) {
            return refusal(AuthFailure.TOKEN_EARLY, view, "The access token is not valid yet.");
        }
        List<String> audience = TokenIssuer.texts(claims.get("aud"));
        if (!resource.isFor(view, audience) && audience.stream().noneMatch(issuer.audiences()::contains)) {
            return refusal(
                    AuthFailure.TOKEN_AUDIENCE,
                    view,
                    "The access token is for another server; ask for one with resource=" + resource.resource(view)
                            + ".");
        }
        String subject = subject(claims);
        if (subject == null) {
            return refusal(AuthFailure.TOKEN_MALFORMED, view, "The access token names no subject (sub).");
        }
        return member(
                issuer.teams(claims),
                TeamDirectory.tokenId(issuer.name(), subject),
                new TokenGrant(
                        issuer.scopes(claims),
                        expires.plus(rules.clockSkew()),
                        resource.metadataUrl(view),
                        issuer.carried(claims),
                        Optional.of(new CallerToken(token, issuer.identifier(), expires))),
                view);
    }

    private AuthOutcome member(Set<String> names, String id, TokenGrant token, String view) {
        List<Team> found =
                names.stream().map(teams.get()::team).flatMap(Optional::stream).toList();
        if (found.size() != 1) {
            return authErrors.refuse(
                    AuthFailure.TOKEN_TEAM,
                    view,
                    found.isEmpty()
                            ? "The access token is valid, but its bearer belongs to no team here."
                            : "The access token is valid, but its bearer belongs to several teams here.",
                    "Ask the operator to assign you to exactly one team.");
        }
        return new AuthOutcome.Authenticated(found.getFirst().principal(id).by(token));
    }

    private Future<AuthOutcome> refused(AuthFailure failure, String view, String message) {
        return Future.succeededFuture(refusal(failure, view, message));
    }

    private AuthOutcome refusal(AuthFailure failure, String view, String message) {
        return authErrors.refuse(failure, view, message, NEW_TOKEN);
    }

    private static AuthOutcome unchecked() {
        return AuthErrors.later(
                AuthFailure.TOKEN_UNCHECKED,
                "The access token can't be checked now, because its issuer's keys are not available.",
                "Try again later.",
                IssuerKeys.PAUSE);
    }

    private boolean later(@Nullable JsonNode claim, Instant now) {
        if (claim == null) {
            return false;
        }
        Instant when = instant(claim);
        return when == null || when.isAfter(now.plus(rules.clockSkew()));
    }

    /** A NumericDate (RFC 7519 section 2), or null if it is not one. */
    private static @Nullable Instant instant(@Nullable JsonNode seconds) {
        return seconds != null && seconds.isNumber() && Math.abs(seconds.asDouble()) < 1e11
                ? Instant.ofEpochSecond(seconds.asLong())
                : null;
    }

    /** {@code sub}, or {@code client_id} for a token without a user; null if it could break a log line. */
    private static @Nullable String subject(JsonNode claims) {
        for (String name : List.of("sub", "client_id")) {
            JsonNode value = claims.path(name);
            if (value.isTextual() && SUBJECT.matcher(value.asText()).matches()) {
                return value.asText();
            }
        }
        return null;
    }
}
