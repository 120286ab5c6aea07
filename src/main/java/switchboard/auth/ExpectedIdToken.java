package switchboard.auth;

import java.time.Instant;
import java.util.Set;

/**
 * What an ID token has to be (OpenID Connect Core 1.0, section 3.1.3.7), and what its person gets.
 *
 * @param issuer the name of its issuer in the configuration
 * @param clientId the client that it has to be for
 * @param nonce the nonce of the request that it answers
 * @param scopes the scopes that the issuer has granted, which limit rights like those of an access token
 * @param until when the session that it opens ends
 */
public record ExpectedIdToken(String issuer, String clientId, String nonce, Set<String> scopes, Instant until) {
    public ExpectedIdToken {
        scopes = Set.copyOf(scopes);
    }
}
