package switchboard.watch;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.auth.TokenGrant;
import switchboard.call.Claim;

/**
 * What the last access token of an asker allowed and said about it; never the token itself.
 *
 * @param scopes its scopes
 * @param metadata where a token with more scopes is to be had
 * @param claims what it said, by name
 * @param seen when it was used, in milliseconds since 1970
 */
public record LastToken(Set<String> scopes, URI metadata, Map<String, Claim> claims, long seen) {
    public LastToken {
        scopes = Set.copyOf(scopes);
        claims = Map.copyOf(claims);
    }

    /** The token of {@code asker}; null if it has a key, or is nobody. */
    public static @Nullable LastToken of(Principal asker, Instant now) {
        TokenGrant token = asker.delegation();
        return token == null
                ? null
                : new LastToken(token.scopes(), token.metadata(), token.claims(), now.toEpochMilli());
    }

    /** Whether it was used longer than {@code maxAge} ago. */
    public boolean tooOld(Duration maxAge, Instant now) {
        return until(maxAge).isBefore(now);
    }

    /** Its rights, which count for {@code maxAge}. */
    public TokenGrant grant(Duration maxAge) {
        return new TokenGrant(scopes, until(maxAge), metadata, claims);
    }

    private Instant until(Duration maxAge) {
        return Instant.ofEpochMilli(seen).plus(maxAge);
    }

    /** Does not contain the claims, which are personal data. */
    @Override
    public String toString() {
        return "LastToken[scopes=" + scopes + ", claims=" + claims.keySet() + ", seen=" + seen + "]";
    }
}
