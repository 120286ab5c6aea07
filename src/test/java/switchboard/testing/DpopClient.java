package switchboard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** A client with a key of its own that makes DPoP proofs (RFC 9449), good ones and any others. Signed with the JDK alone. */
public final class DpopClient {
    private static final int RAW_ED25519 = 32;

    private final String algorithm;
    private final KeyPair pair;
    private final JWK key;

    private DpopClient(String algorithm, KeyPair pair, JWK key) {
        this.algorithm = algorithm;
        this.pair = pair;
        this.key = key;
    }

    /** A client with a new key for the signatures {@code algorithm}. */
    public static DpopClient of(String algorithm) {
        return switch (algorithm) {
            case "ES256" -> ec(algorithm, "secp256r1", Curve.P_256);
            case "ES384" -> ec(algorithm, "secp384r1", Curve.P_384);
            case "ES512" -> ec(algorithm, "secp521r1", Curve.P_521);
            case "EdDSA" -> {
                KeyPair pair = pair("Ed25519", null);
                byte[] encoded = pair.getPublic().getEncoded();
                byte[] raw = Arrays.copyOfRange(encoded, encoded.length - RAW_ED25519, encoded.length);
                yield new DpopClient(
                        algorithm, pair, new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(raw)).build());
            }
            default -> rsa(algorithm, new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4));
        };
    }

    /** A client with a new RSA key. */
    public static DpopClient rsa(String algorithm, RSAKeyGenParameterSpec size) {
        KeyPair pair = pair("RSA", size);
        return new DpopClient(algorithm, pair, new RSAKey.Builder((RSAPublicKey) pair.getPublic()).build());
    }

    private static DpopClient ec(String algorithm, String name, Curve curve) {
        KeyPair pair = pair("EC", new ECGenParameterSpec(name));
        return new DpopClient(algorithm, pair, new ECKey.Builder(curve, (ECPublicKey) pair.getPublic()).build());
    }

    /** Its public key. */
    public ObjectNode jwk() {
        return parsed(key.toJSONString());
    }

    /** Its private key, for RSA. */
    public ObjectNode privateJwk() {
        return parsed(new RSAKey.Builder((RSAPublicKey) pair.getPublic())
                .privateKey((RSAPrivateKey) pair.getPrivate())
                .build()
                .toJSONString());
    }

    /** What tokens that are bound to its key have as {@code cnf.jkt}. */
    public String thumbprint() {
        try {
            return key.computeThumbprint().toString();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** The claim of a token that is bound to its key. */
    public Map<String, Object> confirmation() {
        return Map.of("jkt", thumbprint());
    }

    /** The header of its proofs. */
    public ObjectNode header() {
        ObjectNode header = Json.object().put("typ", "dpop+jwt").put("alg", algorithm);
        return header.set("jwk", jwk());
    }

    /** The claims of a proof for a request with {@code token}. */
    public static ObjectNode claims(String method, String url, String token, Instant now) {
        return Json.object()
                .put("jti", UUID.randomUUID().toString())
                .put("htm", method)
                .put("htu", url)
                .put("iat", now.getEpochSecond())
                .put("ath", sha256(token));
    }

    /** A new proof for a request with {@code token}. */
    public String proof(String method, String url, String token) {
        return sign(header(), claims(method, url, token, Instant.now()));
    }

    /** A proof with that content, signed with its key, whatever the header says. */
    public String sign(ObjectNode header, ObjectNode claims) {
        String signed = base64(Json.text(header)) + "." + base64(Json.text(claims));
        try {
            Signature signature = Signature.getInstance(
                    switch (algorithm) {
                        case "ES256" -> "SHA256withECDSAinP1363Format";
                        case "ES384" -> "SHA384withECDSAinP1363Format";
                        case "ES512" -> "SHA512withECDSAinP1363Format";
                        case "EdDSA" -> "Ed25519";
                        case "PS256" -> "RSASSA-PSS";
                        default -> "SHA256withRSA";
                    });
            if (algorithm.equals("PS256")) {
                signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
            }
            signature.initSign(pair.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + Base64URL.encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** base64url(SHA-256) of {@code text}. */
    public static String sha256(String text) {
        try {
            return Base64URL.encode(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)))
                    .toString();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** base64url of {@code text}. */
    public static String base64(String text) {
        return Base64URL.encode(text).toString();
    }

    private static KeyPair pair(String kind, @Nullable AlgorithmParameterSpec parameters) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
            if (parameters != null) {
                generator.initialize(parameters);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static ObjectNode parsed(String json) {
        try {
            JsonNode parsed = Json.parse(json);
            return (ObjectNode) parsed;
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }
}
