package switchboard.auth;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.call.CallerToken;

/**
 * Authenticates callers by access token: a JWT (RFC 7519, in the profile of RFC 9068) that a configured issuer has
 * signed for this gateway (RFC 8707), sent by the client that it was issued to. Thread-safe.
 */
public final class TokenAuthenticator {
    private static final Pattern SUBJECT = Pattern.compile("[\\x21-\\x7e]{1,255}");
    private static final String NEW_TOKEN = "Get a new access token from the issuer, for this server.";

    private final Supplier<TeamDirectory> teams;
    private final ProtectedResource resource;
    private final Map<String, TokenIssuer> issuers = new HashMap<>();
    private final Rules rules;
    private final TokenConfirmation confirmation;
    private final Clock clock;
    private final AuthErrors authErrors;

    /**
     * Requirements for all tokens.
     *
     * @param algorithms the allowed signature algorithms
     * @param clockSkew how much an issuer's clock may differ from this machine's
     * @param scopes what the scopes of a token allow
     * @param keepsTokens whether tokens are kept with their calls, because a server is called as their bearers
     */
    public record Rules(Set<String> algorithms, Duration clockSkew, ScopeRules scopes, boolean keepsTokens) {
        public Rules {
            algorithms = Set.copyOf(algorithms);
        }
    }

    /**
     * Accepts tokens of {@code issuers}.
     *
     * @param teams the current teams, read at every call
     * @param resource the audience that tokens must have
     * @param proofs checks that the sender of a token has the key that it is bound to
     */
    public TokenAuthenticator(
            Supplier<TeamDirectory> teams,
            ProtectedResource resource,
            List<TokenIssuer> issuers,
            Rules rules,
            DpopProofs proofs,
            Clock clock) {
        this.teams = teams;
        this.resource = resource;
        issuers.forEach(issuer -> this.issuers.put(issuer.identifier(), issuer));
        this.rules = rules;
        this.confirmation = new TokenConfirmation(resource, proofs);
        this.clock = clock;
        this.authErrors = new AuthErrors(resource);
    }

    /** Makes the rejections for this gateway. */
    AuthErrors errors() {
        return authErrors;
    }

    /** Authenticates the bearer of {@code token}. Never fails. */
    Future<AuthOutcome> authenticate(ShownToken token) {
        return checked(token, (claims, issuer) -> confirmed(claims, issuer, token));
    }

    /**
     * Authenticates the person that an ID token names. It is for one client, and nobody can call with it. Never fails.
     *
     * @param text the token
     */
    public Future<AuthOutcome> person(String text, ExpectedIdToken expected) {
        ShownToken token = new ShownToken(TokenScheme.BEARER, text, "", Possession.NONE);
        return checked(token, (claims, issuer) -> Future.succeededFuture(person(claims, issuer, token, expected)));
    }

    private AuthOutcome person(JsonNode claims, TokenIssuer issuer, ShownToken token, ExpectedIdToken expected) {
        return time(claims, token)
                .or(() -> answers(claims, issuer, expected)
                        ? Optional.empty()
                        : refusal(AuthFailure.TOKEN_AUDIENCE, token, "The ID token is not the answer to this request."))
                .<AuthOutcome>map(refused -> refused)
                .orElseGet(() -> member(
                        claims,
                        issuer,
                        token,
                        new TokenGrant(
                                expected.scopes(),
                                expected.until(),
                                resource.metadataUrl(token.view()),
                                issuer.carried(claims))));
    }

    private static boolean answers(JsonNode claims, TokenIssuer issuer, ExpectedIdToken expected) {
        List<String> audience = TokenIssuer.texts(claims.get("aud"));
        boolean authorized =
                claims.has("azp") ? claims.path("azp").asText().equals(expected.clientId()) : audience.size() == 1;
        return issuer.name().equals(expected.issuer())
                && audience.contains(expected.clientId())
                && authorized
                && claims.path("nonce").asText().equals(expected.nonce())
                && subject(claims) != null;
    }

    /** Gives the claims of a token with a valid signature to {@code then}. */
    private Future<AuthOutcome> checked(ShownToken token, BiFunction<JsonNode, TokenIssuer, Future<AuthOutcome>> then) {
        Optional<UnverifiedJwt> read = UnverifiedJwt.accessToken(token.text());
        if (read.isEmpty()) {
            return refused(
                    AuthFailure.TOKEN_MALFORMED,
                    token,
                    "The access token is not a signed JWT of the type at+jwt or JWT.");
        }
        UnverifiedJwt jwt = read.get();
        if (!rules.algorithms().contains(jwt.algorithm())) {
            return refused(
                    AuthFailure.TOKEN_ALGORITHM,
                    token,
                    "The access token is not signed with one of "
                            + String.join(
                                    ", ", rules.algorithms().stream().sorted().toList()) + ".");
        }
        JsonNode iss = jwt.claims().path("iss");
        TokenIssuer issuer = iss.isTextual() ? issuers.get(iss.asText()) : null;
        if (issuer == null) {
            return refused(AuthFailure.TOKEN_ISSUER, token, "The issuer of the access token is not trusted here.");
        }
        return issuer.keys()
                .forKey(jwt.algorithm(), jwt.kid())
                .compose(
                        keys -> verified(keys, token, jwt, claims -> then.apply(claims, issuer)),
                        _ -> Future.succeededFuture(unchecked()));
    }

    private Future<AuthOutcome> verified(
            VerifyingKeys keys, ShownToken token, UnverifiedJwt jwt, Function<JsonNode, Future<AuthOutcome>> then) {
        if (!keys.has(jwt.algorithm(), jwt.kid())) {
            return refused(
                    AuthFailure.TOKEN_KEY,
                    token,
                    "The access token is signed with a key that its issuer does not have.");
        }
        return keys.verify(token.text(), jwt)
                .compose(
                        _ -> then.apply(jwt.claims()),
                        _ -> refused(
                                AuthFailure.TOKEN_SIGNATURE, token, "The signature of the access token is wrong."));
    }

    /** Evaluates the claims of a token with a valid signature, then who sends it. */
    private Future<AuthOutcome> confirmed(JsonNode claims, TokenIssuer issuer, ShownToken token) {
        Optional<AuthOutcome.Rejected> problem =
                time(claims, token).or(() -> purpose(claims, issuer, token)).or(() -> details(claims, token));
        if (problem.isPresent()) {
            return Future.succeededFuture(problem.get());
        }
        String id = TeamDirectory.tokenId(issuer.name(), Objects.requireNonNull(subject(claims), "checked before"));
        return confirmation.problem(claims, token, id).map(found -> found.<AuthOutcome>map(refused -> refused)
                .orElseGet(() -> member(claims, issuer, token, granted(claims, issuer, token))));
    }

    private Optional<AuthOutcome.Rejected> time(JsonNode claims, ShownToken token) {
        Instant now = clock.instant();
        Instant expires = UnverifiedJwt.instant(claims.get("exp"));
        if (expires == null || !now.isBefore(expires.plus(rules.clockSkew()))) {
            return refusal(AuthFailure.TOKEN_EXPIRED, token, "The access token has expired.");
        }
        return later(claims.get("nbf"), now) || later(claims.get("iat"), now)
                ? refusal(AuthFailure.TOKEN_EARLY, token, "The access token is not valid yet.")
                : Optional.empty();
    }

    /** Whether it is an access token for this server, and somebody's. */
    private Optional<AuthOutcome.Rejected> purpose(JsonNode claims, TokenIssuer issuer, ShownToken token) {
        List<String> audience = TokenIssuer.texts(claims.get("aud"));
        if (!resource.isFor(token.view(), audience) && audience.stream().noneMatch(issuer.audiences()::contains)) {
            return refusal(
                    AuthFailure.TOKEN_AUDIENCE,
                    token,
                    "The access token is for another server; ask for one with resource="
                            + resource.resource(token.view()) + ".");
        }
        if (isIdToken(claims)) {
            return refusal(
                    AuthFailure.TOKEN_MALFORMED,
                    token,
                    "This is an ID token, which is for the client, not for servers.");
        }
        return subject(claims) == null
                ? refusal(AuthFailure.TOKEN_MALFORMED, token, "The access token names no subject (sub).")
                : Optional.empty();
    }

    /**
     * Whether these are claims that only ID tokens have: hashes of what was issued with them (OpenID Connect Core section
     * 3.3.2.11), or Keycloak's name for them. Others are recognized by their audience, the client.
     */
    private static boolean isIdToken(JsonNode claims) {
        return claims.has("at_hash")
                || claims.has("c_hash")
                || claims.path("typ").asText().equals("ID");
    }

    /**
     * Rights in {@code authorization_details} (RFC 9396) are not known here. They may be all that the token is for, so it may
     * not have everything that its team may do, as tokens have without rules for scopes.
     */
    private Optional<AuthOutcome.Rejected> details(JsonNode claims, ShownToken token) {
        JsonNode details = claims.path("authorization_details");
        boolean none = details.isMissingNode() || details.isNull() || (details.isArray() && details.isEmpty());
        return none || !rules.scopes().absent()
                ? Optional.empty()
                : Optional.of(authErrors.refuse(
                        AuthFailure.TOKEN_DETAILS,
                        token,
                        "The access token is limited by authorization_details, and this server can limit by scopes only.",
                        "Get a token without them, or ask the operator to set auth.tokens.scopes."));
    }

    private AuthOutcome member(JsonNode claims, TokenIssuer issuer, ShownToken token, TokenGrant grant) {
        List<Team> found = issuer.teams(claims).stream()
                .map(teams.get()::team)
                .flatMap(Optional::stream)
                .toList();
        if (found.size() != 1) {
            return authErrors.refuse(
                    AuthFailure.TOKEN_TEAM,
                    token,
                    found.isEmpty()
                            ? "The access token is valid, but its bearer belongs to no team here."
                            : "The access token is valid, but its bearer belongs to several teams here.",
                    "Ask the operator to assign you to exactly one team.");
        }
        String id = TeamDirectory.tokenId(issuer.name(), Objects.requireNonNull(subject(claims), "checked before"));
        return new AuthOutcome.Authenticated(found.getFirst().principal(id).by(grant));
    }

    private TokenGrant granted(JsonNode claims, TokenIssuer issuer, ShownToken token) {
        Instant expires = Objects.requireNonNull(UnverifiedJwt.instant(claims.get("exp")), "checked before");
        return new TokenGrant(
                issuer.scopes(claims),
                expires.plus(rules.clockSkew()),
                resource.metadataUrl(token.view()),
                issuer.carried(claims),
                token.scheme(),
                rules.keepsTokens()
                        ? Optional.of(new CallerToken(token.text(), issuer.identifier(), expires))
                        : Optional.empty());
    }

    private Future<AuthOutcome> refused(AuthFailure failure, ShownToken token, String message) {
        return Future.succeededFuture(authErrors.refuse(failure, token, message, NEW_TOKEN));
    }

    private Optional<AuthOutcome.Rejected> refusal(AuthFailure failure, ShownToken token, String message) {
        return Optional.of(authErrors.refuse(failure, token, message, NEW_TOKEN));
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
        Instant when = UnverifiedJwt.instant(claim);
        return when == null || when.isAfter(now.plus(rules.clockSkew()));
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
