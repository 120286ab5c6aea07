package switchboard.auth;

import io.vertx.core.Future;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates callers by API key ({@code Authorization: Bearer <key>} or {@code X-API-Key: <key>}) and, if issuers
 * are configured, by access token ({@code Authorization: Bearer <token>} or {@code DPoP <token>}). A caller without credentials belongs to the
 * anonymous team, if one is configured.
 */
public final class KeyAuthenticator implements Authenticator {
    private static final String NEW_KEY = "Ask the operator for a new key.";

    private final Supplier<TeamDirectory> teams;
    private final @Nullable String anonymousTeam;
    private final AuthErrors authErrors;
    private final @Nullable TokenAuthenticator tokens;
    private final Clock clock;

    /**
     * Makes an authenticator.
     *
     * @param teams the current teams, read at every call
     * @param anonymousTeam the team of callers without a key, or null if a key is required
     * @param tokens checks access tokens, or null if only keys are accepted
     * @param clock decides whether a key has expired
     */
    public KeyAuthenticator(
            Supplier<TeamDirectory> teams,
            @Nullable String anonymousTeam,
            @Nullable TokenAuthenticator tokens,
            Clock clock) {
        this.teams = teams;
        this.anonymousTeam = anonymousTeam;
        this.authErrors = tokens == null ? new AuthErrors(null) : tokens.errors();
        this.tokens = tokens;
        this.clock = clock;
    }

    @Override
    public Future<AuthOutcome> authenticate(Credentials credentials) {
        String authorization = credentials.authorization();
        String apiKey = credentials.apiKey();
        String view = credentials.view();
        if (credentials.repeated()) {
            return Future.succeededFuture(ambiguous(view, "Authorization or X-API-Key came more than once."));
        }
        if (authorization == null) {
            return Future.succeededFuture(apiKey == null ? nobody(view) : member(apiKey.strip(), view));
        }
        String bearer = sentAs(TokenScheme.BEARER, authorization);
        if (apiKey != null && !apiKey.strip().equals(bearer)) {
            return Future.succeededFuture(ambiguous(view, "Authorization and X-API-Key have different credentials."));
        }
        String bound = sentAs(TokenScheme.DPOP, authorization);
        if (tokens != null && bound != null) {
            return tokens.authenticate(new ShownToken(TokenScheme.DPOP, bound, view, credentials.possession()));
        }
        if (bearer == null) {
            return Future.succeededFuture(authErrors.refuse(
                    AuthFailure.UNSUPPORTED,
                    view,
                    "The Authorization header must be \"Bearer <key>\".",
                    "Send your API key as \"Authorization: Bearer <key>\" or \"X-API-Key: <key>\"."));
        }
        return tokens != null && teams.get().memberWith(bearer).isEmpty() && UnverifiedJwt.looksLikeOne(bearer)
                ? tokens.authenticate(new ShownToken(TokenScheme.BEARER, bearer, view, credentials.possession()))
                : Future.succeededFuture(member(bearer, view));
    }

    /** Rejects ambiguous credentials: a proxy in front of the gateway may have checked another one of them. */
    private AuthOutcome ambiguous(String view, String message) {
        return authErrors.refuse(AuthFailure.AMBIGUOUS, view, message, "Send one of the two headers, once.");
    }

    private AuthOutcome member(String key, String view) {
        Optional<TeamDirectory.Member> member = teams.get().memberWith(key);
        if (member.isEmpty()) {
            return authErrors.refuse(
                    AuthFailure.INVALID, view, "The API key is not known.", "Check it, or ask the operator for one.");
        }
        Team.TeamKey found = member.get().key();
        Principal principal = member.get().team().principal(found.id());
        return found.expired(clock.instant())
                ? authErrors.refuse(AuthFailure.EXPIRED, view, "The API key has expired.", NEW_KEY, principal)
                : new AuthOutcome.Authenticated(principal);
    }

    private AuthOutcome nobody(String view) {
        Optional<Team> team =
                anonymousTeam == null ? Optional.empty() : teams.get().team(anonymousTeam);
        return team.<AuthOutcome>map(found -> new AuthOutcome.Authenticated(found.principal(TeamDirectory.ANONYMOUS)))
                .orElseGet(() -> authErrors.refuse(
                        AuthFailure.MISSING,
                        view,
                        "An API key is needed.",
                        "Send it as \"Authorization: Bearer <key>\" or \"X-API-Key: <key>\"."));
    }

    private static @Nullable String sentAs(TokenScheme scheme, String authorization) {
        String start = scheme.word() + " ";
        return authorization.regionMatches(true, 0, start, 0, start.length())
                ? authorization.substring(start.length()).strip()
                : null;
    }
}
