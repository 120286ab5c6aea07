package switchboard.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** OAuth access tokens, accepted in addition to keys. */
public record TokensConfig(
        @Doc("The accepted issuers, by a name of your choice; by default none. Needs `server.publicUrl`, which is"
                + " the audience that tokens must have.")
        Map<String, IssuerConfig> issuers,

        @Doc("Allowed signature algorithms. By default: RS256, PS256, ES256, ES384, EdDSA.")
        Set<String> algorithms,

        @Default("60s")
        @AllowedRange(min = "0s", max = "5m")
        @Doc("Allowed difference between an issuer's clock and this machine's.")
        Duration clockSkew,

        @Doc("The grants of each scope, written like a team's. A token allows what both its team and its scopes"
                + " allow; if missing, everything that its team may do.")
        Map<String, List<String>> scopes,

        @Doc("The scopes that clients are told to request first.")
        List<String> baseScopes,

        @Default("optional")
        @Doc(
                "Which tokens are accepted. `optional`: all; one that is bound to a key or a certificate only from the client"
                        + " that has it. `required`: only bound ones. `dpop`: only those that are bound to a key, with DPoP proofs."
                        + " API keys are not affected.")
        Binding binding,

        @Default("60s")
        @AllowedRange(min = "5s", max = "5m")
        @Doc(
                "How long after it was made a DPoP proof is accepted. Clients' clocks must be as exact; they may be 10 s fast.")
        Duration proofAge) {
    /** Which tokens are accepted. */
    public enum Binding {
        /** All. */
        OPTIONAL,
        /** Tokens that are bound to a key or a certificate of their client. */
        REQUIRED,
        /** Tokens that are bound to a key. */
        DPOP
    }

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
