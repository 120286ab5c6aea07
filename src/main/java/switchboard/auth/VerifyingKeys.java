package switchboard.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * The public keys of one issuer (RFC 7517), each only used with allowed algorithms of its type: whatever a token's
 * header says, an RSA key never verifies an HMAC. Thread-safe.
 */
final class VerifyingKeys {
    private static final int MOST_KEYS = 100;
    private static final int LEAST_RSA_BYTES = 256;
    private static final List<String> PUBLIC_MEMBERS = List.of("kty", "n", "e", "crv", "x", "y", "kid");

    private record Usable(@Nullable String kid, String algorithm) {}

    private final JWTAuth library;
    private final List<Usable> usable = new ArrayList<>();

    private VerifyingKeys(Vertx vertx, JsonNode document, Set<String> algorithms) {
        // The library reads the system's clock, so times are checked by the caller.
        JWTAuthOptions options = new JWTAuthOptions().setJWTOptions(new JWTOptions().setIgnoreExpiration(true));
        int seen = 0;
        for (JsonNode key : document.path("keys")) {
            if (++seen <= MOST_KEYS && forSignatures(key)) {
                fitting(key, algorithms).forEach(algorithm -> add(options, key, algorithm));
            }
        }
        this.library = JWTAuth.create(vertx, options);
    }

    /**
     * The keys in a JWK set.
     *
     * @param algorithms the allowed algorithms
     * @throws IllegalArgumentException if it is not a JWK set, or has no usable key
     */
    static VerifyingKeys of(Vertx vertx, Buffer jwks, Set<String> algorithms) {
        VerifyingKeys keys;
        try {
            keys = new VerifyingKeys(vertx, Json.parse(jwks.getBytes()), algorithms);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not a JWK set: " + e.getOriginalMessage(), e);
        }
        if (keys.usable.isEmpty()) {
            throw new IllegalArgumentException("it has no public key for " + String.join(", ", algorithms));
        }
        return keys;
    }

    /** Whether there is a key for that header. Without a {@code kid} it must be the only one for its algorithm. */
    boolean has(String algorithm, @Nullable String kid) {
        List<Usable> fitting = usable.stream()
                .filter(key -> key.algorithm().equals(algorithm)
                        && (kid == null || key.kid() == null || key.kid().equals(kid)))
                .toList();
        return kid == null ? fitting.size() == 1 : !fitting.isEmpty();
    }

    /**
     * Verifies the signature of {@code token}, for whose header there is a key.
     *
     * @return fails if it is wrong
     */
    Future<Void> verify(String token) {
        try {
            return library.authenticate(new TokenCredentials(token)).mapEmpty();
        } catch (RuntimeException e) { // the library casts claims, whose types the issuer decides
            return Future.failedFuture(e);
        }
    }

    private void add(JWTAuthOptions options, JsonNode key, String algorithm) {
        JsonObject copy = new JsonObject();
        PUBLIC_MEMBERS.stream()
                .filter(member -> key.path(member).isTextual())
                .forEach(member -> copy.put(member, key.path(member).asText()));
        options.addJwk(copy.put("alg", algorithm));
        usable.add(new Usable(copy.getString("kid"), algorithm));
    }

    private static boolean forSignatures(JsonNode key) {
        String use = key.path("use").asText("sig");
        JsonNode operations = key.path("key_ops");
        boolean verifies = operations.isMissingNode();
        for (JsonNode operation : operations) {
            verifies |= operation.asText().equals("verify");
        }
        return use.equals("sig") && verifies;
    }

    private static List<String> fitting(JsonNode key, Set<String> algorithms) {
        String only = key.path("alg").asText("");
        return byKind(key).stream()
                .filter(algorithms::contains)
                .filter(algorithm -> only.isEmpty() || only.equals(algorithm))
                .toList();
    }

    private static List<String> byKind(JsonNode key) {
        String curve = key.path("crv").asText();
        return switch (key.path("kty").asText()) {
            case "RSA" ->
                longEnough(key.path("n").asText())
                        ? List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
                        : List.of();
            case "EC" ->
                switch (curve) {
                    case "P-256" -> List.of("ES256");
                    case "P-384" -> List.of("ES384");
                    case "P-521" -> List.of("ES512");
                    default -> List.of();
                };
            case "OKP" -> curve.equals("Ed25519") ? List.of("EdDSA") : List.of();
            default -> List.of();
        };
    }

    private static boolean longEnough(String modulus) {
        try {
            return Base64.getUrlDecoder().decode(modulus).length >= LEAST_RSA_BYTES;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
