package switchboard.auth;

import io.vertx.core.Future;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells callers apart by their API keys, shown as {@code Authorization: Bearer <key>} or {@code X-API-Key: <key>}. A
 * caller without a key is a member of the anonymous team where one is configured.
 */
public final class KeyAuthenticator implements Authenticator {
    private static final String CHALLENGE = "Bearer realm=\"switchboard\"";
    private static final String BEARER = "bearer ";

    private final Supplier<TeamDirectory> teams;
    private final @Nullable String anonymousTeam;
    private final Clock clock;

    /**
     * An authenticator.
     *
     * @param teams the directory in force, asked at every call
     * @param anonymousTeam the team of callers without a key, or null if there must be one
     * @param clock decides whether a key has expired
     */
    public KeyAuthenticator(Supplier<TeamDirectory> teams, @Nullable String anonymousTeam, Clock clock) {
        this.teams = teams;
        this.anonymousTeam = anonymousTeam;
        this.clock = clock;
    }

    @Override
    public Future<AuthOutcome> authenticate(Credentials credentials) {
        return Future.succeededFuture(check(credentials));
    }

    private AuthOutcome check(Credentials credentials) {
        String authorization = credentials.authorization();
        String apiKey = credentials.apiKey();
        if (authorization == null && apiKey == null) {
            return nobody();
        }
        String bearer = authorization == null ? null : bearer(authorization);
        if (authorization != null && bearer == null) {
            return refused("unsupported", "The Authorization header must be \"Bearer <key>\".");
        }
        if (bearer != null && apiKey != null && !bearer.equals(apiKey.strip())) {
            return refused("ambiguous", "Authorization and X-API-Key show different keys; send one of them.");
        }
        return bearer != null ? member(bearer) : apiKey != null ? member(apiKey.strip()) : nobody();
    }

    private AuthOutcome member(String key) {
        Optional<TeamDirectory.Member> member = teams.get().memberWith(key);
        if (member.isEmpty()) {
            return refused("invalid", "The API key is not known. Check it, or ask the operator for one.");
        }
        Team.Key found = member.get().key();
        if (found.expired(clock.instant())) {
            return refused("expired", "The API key has expired. Ask the operator for a new one.");
        }
        return new AuthOutcome.Authenticated(member.get().team().principal(found.id()));
    }

    private AuthOutcome nobody() {
        Optional<Team> team =
                anonymousTeam == null ? Optional.empty() : teams.get().team(anonymousTeam);
        return team.<AuthOutcome>map(found -> new AuthOutcome.Authenticated(found.principal(TeamDirectory.ANONYMOUS)))
                .orElseGet(() -> new AuthOutcome.Challenge(
                        401,
                        CHALLENGE,
                        "An API key is needed: send it as \"Authorization: Bearer <key>\" or \"X-API-Key: <key>\".",
                        "missing"));
    }

    private static @Nullable String bearer(String authorization) {
        return authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? authorization.substring(BEARER.length()).strip()
                : null;
    }

    private static AuthOutcome.Challenge refused(String reason, String message) {
        return new AuthOutcome.Challenge(401, CHALLENGE + ", error=\"invalid_token\"", message, reason);
    }
}
