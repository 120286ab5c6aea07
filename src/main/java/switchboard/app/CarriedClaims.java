package switchboard.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.auth.TokenIssuer;
import switchboard.call.Claim;
import switchboard.config.AuthConfig;

/**
 * What the gateway would know of somebody, of whom an operator names claims.
 *
 * @param names the claims that the issuers of the configuration carry; without any, claims are those of a key
 */
public record CarriedClaims(Set<String> names) {
    public CarriedClaims {
        names = Set.copyOf(names);
    }

    /** The claims that {@code config} lets through. */
    public static CarriedClaims of(AuthConfig config) {
        return new CarriedClaims(config.tokens().issuers().values().stream()
                .flatMap(issuer -> issuer.carry().stream())
                .collect(Collectors.toSet()));
    }

    /** Those of {@code claims} that it would know, by name. */
    public Map<String, Claim> known(JsonNode claims) {
        if (names.isEmpty()) {
            return ofKey(claims);
        }
        Map<String, Claim> known = new HashMap<>(TokenIssuer.carried(claims, names));
        // A name may be a JSON pointer into a token; here it is also the name of what it points to.
        for (String name : names) {
            if (claims.has(name)) {
                TokenIssuer.claimOf(claims.get(name)).ifPresent(claim -> known.put(name, claim));
            }
        }
        return known;
    }

    /** Without issuers they are those of a key, of which a list of one is a text. */
    private static Map<String, Claim> ofKey(JsonNode claims) {
        Map<String, Claim> known = new HashMap<>();
        claims.propertyStream().forEach(entry -> TokenIssuer.claimOf(entry.getValue())
                .ifPresent(claim -> known.put(entry.getKey(), Claim.ofKey(claim.texts()))));
        return known;
    }
}
