package switchboard.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.Algorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.authentication.TokenCredentials;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * The public keys of one issuer (RFC 7517), each only used with allowed algorithms of its type: whatever a token's
 * header says, an RSA key never verifies an HMAC. Thread-safe.
 */
final class VerifyingKeys {
    private static final int MOST_KEYS = 100;
    private static final int LEAST_RSA_BITS = 2048;
    /** The members of a key that are read. A key may have private parts, or certificates that can't be read: they are ignored. */
    private static final List<String> READ = List.of("kty", "n", "e", "crv", "x", "y", "kid", "use", "key_ops", "alg");

    /** A key and an algorithm that it may be used with; {@code signatureBytes} is the length of such a signature. */
    private record Usable(@Nullable String kid, String algorithm, int signatureBytes) {
        boolean fits(String algorithm, @Nullable String kid) {
            return this.algorithm.equals(algorithm) && (kid == null || this.kid == null || this.kid.equals(kid));
        }
    }

    private final JWTAuth library;
    private final List<Usable> usable = new ArrayList<>();

    private VerifyingKeys(Vertx vertx, JWKSet set, Set<String> algorithms) {
        // The library reads the system's clock, so times are checked by the caller.
        JWTAuthOptions options = new JWTAuthOptions().setJWTOptions(new JWTOptions().setIgnoreExpiration(true));
        for (JWK key : set.getKeys()) {
            fitting(key, algorithms).forEach(algorithm -> add(options, key, algorithm));
        }
        this.library = JWTAuth.create(vertx, options);
    }

    /**
     * The first keys of a JWK set that can be read. One that can't be read does not affect the others; if Nimbus read the whole set, all would fail.
     *
     * @throws IllegalArgumentException if it is not JSON
     */
    static JWKSet parse(byte[] document) {
        List<JWK> keys = new ArrayList<>();
        int seen = 0;
        try {
            for (JsonNode key : Json.parse(document).path("keys")) {
                if (++seen <= MOST_KEYS && key instanceof ObjectNode object) {
                    key(object).ifPresent(keys::add);
                }
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not a JWK set: " + Json.problem(e), e);
        }
        return new JWKSet(keys);
    }

    /** The key {@code key} without what is not read; empty if it can't be. */
    static Optional<JWK> key(ObjectNode key) {
        try {
            return Optional.of(JWK.parse(Json.text(key.deepCopy().retain(READ))));
        } catch (ParseException | IllegalArgumentException | IllegalStateException _) {
            return Optional.empty();
        }
    }

    /**
     * The keys of {@code set} that can check signatures.
     *
     * @param algorithms those that may be used
     * @throws IllegalArgumentException if there are none
     */
    static VerifyingKeys of(Vertx vertx, JWKSet set, Set<String> algorithms) {
        VerifyingKeys keys = new VerifyingKeys(vertx, set, algorithms);
        if (keys.usable.isEmpty()) {
            throw new IllegalArgumentException("it has no public key for " + String.join(", ", algorithms));
        }
        return keys;
    }

    /** Whether there is a key for that header. Without a {@code kid} it must be the only one for its algorithm. */
    boolean has(String algorithm, @Nullable String kid) {
        long fitting = usable.stream().filter(key -> key.fits(algorithm, kid)).count();
        return kid == null ? fitting == 1 : fitting > 0;
    }

    /**
     * Verifies the signature of {@code token}, for whose header there is a key. Its length is checked here, since the library
     * fills a short RSA signature with zero bytes (RFC 8017 section 8.2.2 wants the length of the modulus).
     *
     * @param read the same token, parsed
     * @return fails if it is wrong
     */
    Future<Void> verify(String token, UnverifiedJwt read) {
        boolean asLong = usable.stream()
                .filter(key -> key.fits(read.algorithm(), read.kid()))
                .anyMatch(key -> key.signatureBytes() == read.signatureBytes());
        if (!asLong) {
            return Future.failedFuture("the signature has the wrong length");
        }
        try {
            return library.authenticate(new TokenCredentials(token)).mapEmpty();
        } catch (RuntimeException e) { // the library casts claims, whose types the issuer decides
            return Future.failedFuture(e);
        }
    }

    private void add(JWTAuthOptions options, JWK key, String algorithm) {
        JsonObject copy = new JsonObject(key.toJSONObject());
        copy.remove("use");
        copy.remove("key_ops");
        options.addJwk(copy.put("alg", algorithm));
        usable.add(new Usable(key.getKeyID(), algorithm, signatureBytes(key)));
    }

    /** RFC 8017 section 8.2.1, RFC 7518 section 3.4 and RFC 8032 section 5.1.6. */
    private static int signatureBytes(JWK key) {
        return switch (key) {
            case ECKey ec -> 2 * bytes(ec.size());
            case OctetKeyPair pair -> 2 * bytes(pair.size());
            case RSAKey rsa -> bytes(modulusBits(rsa));
            default -> throw new IllegalArgumentException("no signatures of " + key.getKeyType());
        };
    }

    /** Without the zero bytes that some write before it, and that {@link RSAKey#size} counts. */
    static int modulusBits(RSAKey key) {
        return key.getModulus().decodeToBigInteger().bitLength();
    }

    private static int bytes(int bits) {
        return (bits + 7) / 8;
    }

    private static List<String> fitting(JWK key, Set<String> algorithms) {
        boolean verifies = (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY));
        Algorithm only = key.getAlgorithm();
        return byKind(key).stream()
                .filter(algorithm -> verifies && algorithms.contains(algorithm))
                .filter(algorithm -> only == null || only.getName().equals(algorithm))
                .toList();
    }

    private static List<String> byKind(JWK key) {
        return switch (key) {
            case RSAKey rsa
            when modulusBits(rsa) >= LEAST_RSA_BITS -> List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512");
            case ECKey ec ->
                switch (ec.getCurve().getName()) {
                    case "P-256" -> List.of("ES256");
                    case "P-384" -> List.of("ES384");
                    case "P-521" -> List.of("ES512");
                    default -> List.of();
                };
            case OctetKeyPair pair when pair.getCurve().equals(Curve.Ed25519) -> List.of("EdDSA");
            default -> List.of();
        };
    }
}
