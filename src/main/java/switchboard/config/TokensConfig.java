package switchboard.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** OAuth access tokens, accepted beside keys. */
public record TokensConfig(
        @Doc("Whose tokens are accepted, by a name of your choice; none if left out. Needs `server.publicUrl`, which is"
                + " the audience that tokens must have.")
        Map<String, IssuerConfig> issuers,

        @Doc("Signature algorithms that may be used. Left out: RS256, PS256, ES256, ES384, EdDSA.")
        Set<String> algorithms,

        @Default("60s") @AllowedRange(min = "0s", max = "5m") @Doc("By how much an issuer's clock may differ.")
        Duration clockSkew,

        @Doc("By scope, the grants it carries, in the form of a team's. A token does what its team may and its scopes"
                + " carry; left out, all that its team may.")
        Map<String, List<String>> scopes,

        @Doc("The scopes that clients are told to ask for at first.")
        List<String> baseScopes) {
    private static final Set<String> USUAL = Set.of("RS256", "PS256", "ES256", "ES384", "EdDSA");
    private static final Set<String> KNOWN =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA");

    public TokensConfig {
        issuers = Collections.unmodifiableMap(new LinkedHashMap<>(issuers));
        algorithms = algorithms.isEmpty() ? USUAL : Set.copyOf(algorithms);
        scopes = Collections.unmodifiableMap(new LinkedHashMap<>(scopes));
        baseScopes = List.copyOf(baseScopes);
        for (String algorithm : algorithms) {
            if (!KNOWN.contains(algorithm)) {
                throw new IllegalArgumentException("algorithms: \"" + algorithm
                        + "\" is not one of the signatures with a public key: "
                        + String.join(", ", KNOWN.stream().sorted().toList()));
            }
        }
        for (String scope : scopes.keySet()) {
            if (!scope.matches("[\\x21\\x23-\\x5b\\x5d-\\x7e]+")) {
                throw new IllegalArgumentException("scopes: \"" + scope + "\" is not a scope (RFC 6749 section 3.3)");
            }
        }
        if (!scopes.isEmpty() && !scopes.keySet().containsAll(baseScopes)) {
            throw new IllegalArgumentException("baseScopes names a scope that is not among scopes");
        }
    }
}
