package switchboard.auth;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.call.CallerToken;
import switchboard.call.Claim;

/**
 * The rights of an access token within those of its team.
 *
 * @param scopes its OAuth scopes
 * @param expires when it expires
 * @param metadata URL that tells a client how to get a token with more scopes (RFC 9728)
 * @param claims claims about the bearer that backends may see
 * @param scheme how it was sent
 * @param token the token itself, for servers that are called as its bearer; empty where nothing needs it
 */
public record TokenGrant(
        Set<String> scopes,
        Instant expires,
        URI metadata,
        Map<String, Claim> claims,
        TokenScheme scheme,
        Optional<CallerToken> token) {
    public TokenGrant {
        scopes = Set.copyOf(scopes);
        claims = Map.copyOf(claims);
    }

    /** A token that was sent as a bearer token, without the token itself. */
    public TokenGrant(Set<String> scopes, Instant expires, URI metadata, Map<String, Claim> claims) {
        this(scopes, expires, metadata, claims, TokenScheme.BEARER, Optional.empty());
    }

    /** The same without claims for backends. */
    public TokenGrant(Set<String> scopes, Instant expires, URI metadata) {
        this(scopes, expires, metadata, Map.of());
    }

    /** Does not contain the token, nor the claims, which are personal data. */
    @Override
    public String toString() {
        return "Delegation[scopes=" + scopes + ", expires=" + expires + ", claims=" + claims.keySet() + "]";
    }
}
