package switchboard.auth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A DPoP proof (RFC 9449 section 4.2), parsed but not verified.
 *
 * @param text the proof as received
 * @param jwt the same, parsed
 * @param key the public key in its header
 * @param thumbprint that of the key (RFC 7638)
 */
record DpopProof(String text, UnverifiedJwt jwt, JWK key, String thumbprint) {
    /** The signatures that are accepted. */
    static final List<String> ALGORITHMS = List.of("ES256", "ES384", "EdDSA", "PS256", "RS256");

    /** Members of a key that are not public (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1, RFC 8037 section 2). */
    private static final Set<String> PRIVATE = Set.of("d", "p", "q", "dp", "dq", "qi", "oth", "k");

    /** A larger key, or a larger exponent, would make the check of a signature slow. */
    private static final int MOST_RSA_BITS = 4096;

    private static final int MOST_EXPONENT_BITS = 32;
    private static final BigInteger LEAST_EXPONENT = BigInteger.valueOf(3);
    private static final int ED25519_BYTES = 32;

    /** Parses a proof. Empty if it is not one, or its key or its algorithm is not accepted. */
    static Optional<DpopProof> read(String text) {
        return UnverifiedJwt.proof(text)
                .filter(jwt -> ALGORITHMS.contains(jwt.algorithm()))
                .flatMap(jwt -> key(jwt).flatMap(key -> of(text, jwt, key)));
    }

    /** Verifies the signature; fails if it is wrong, or the key is not one for the algorithm. */
    Future<Void> verify(Vertx vertx) {
        try {
            return VerifyingKeys.of(vertx, new JWKSet(key), Set.of(jwt.algorithm()))
                    .verify(text, jwt);
        } catch (RuntimeException e) { // the libraries throw many, and the client decides the key
            return Future.failedFuture(e);
        }
    }

    /** Does not contain the proof. */
    @Override
    public String toString() {
        return "DpopProof[" + thumbprint + "]";
    }

    private static Optional<JWK> key(UnverifiedJwt jwt) {
        if (!(jwt.header().get("jwk") instanceof ObjectNode jwk)
                || PRIVATE.stream().anyMatch(jwk::has)) {
            return Optional.empty();
        }
        ObjectNode unnamed = jwk.deepCopy();
        unnamed.remove("kid"); // the key is here, so nothing has to be found by its name
        return VerifyingKeys.key(unnamed).filter(DpopProof::usable);
    }

    /** Whether the JDK takes it, and is quick with it. What it does not take, the library would report to the log each time. */
    private static boolean usable(JWK key) {
        return switch (key) {
            case RSAKey rsa -> {
                BigInteger exponent = rsa.getPublicExponent().decodeToBigInteger();
                yield VerifyingKeys.modulusBits(rsa) <= MOST_RSA_BITS
                        && exponent.bitLength() <= MOST_EXPONENT_BITS
                        && exponent.compareTo(LEAST_EXPONENT) >= 0;
            }
            case OctetKeyPair pair -> pair.getX().decode().length == ED25519_BYTES;
            default -> true;
        };
    }

    private static Optional<DpopProof> of(String text, UnverifiedJwt jwt, JWK key) {
        try {
            return Optional.of(
                    new DpopProof(text, jwt, key, key.computeThumbprint().toString()));
        } catch (JOSEException _) {
            return Optional.empty();
        }
    }
}
