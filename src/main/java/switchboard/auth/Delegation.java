package switchboard.auth;

import java.net.URI;
import java.time.Instant;
import java.util.Set;

/**
 * What an access token carries of its team's permissions, and for how long.
 *
 * @param scopes the OAuth scopes in it
 * @param expires from when on it is not accepted
 * @param metadata where a client learns how to get a token with more (RFC 9728)
 */
public record Delegation(Set<String> scopes, Instant expires, URI metadata) {
    public Delegation {
        scopes = Set.copyOf(scopes);
    }
}
