package switchboard.auth;

import java.net.URI;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * What an access token carries of its team's permissions, and for how long.
 *
 * @param scopes the OAuth scopes in it
 * @param expires from when on it is not accepted
 * @param metadata where a client learns how to get a token with more (RFC 9728)
 * @param claims what backends may know of the bearer, by claim
 */
public record TokenGrant(Set<String> scopes, Instant expires, URI metadata, Map<String, String> claims) {
    public TokenGrant {
        scopes = Set.copyOf(scopes);
        claims = Map.copyOf(claims);
    }

    /** What a token carries of which backends learn nothing but its scopes. */
    public TokenGrant(Set<String> scopes, Instant expires, URI metadata) {
        this(scopes, expires, metadata, Map.of());
    }

    /** Without what the claims say, which is about a person. */
    @Override
    public String toString() {
        return "Delegation[scopes=" + scopes + ", expires=" + expires + ", claims=" + claims.keySet() + "]";
    }
}
