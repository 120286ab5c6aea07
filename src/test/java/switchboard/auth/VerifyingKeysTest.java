package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.TestIssuer;

/** Which keys of an issuer check which signatures. */
@ExtendWith(VertxExtension.class)
class VerifyingKeysTest {
    private static final Set<String> ALL =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA");

    private static ObjectNode ed25519(String kid) {
        return Json.object()
                .put("kty", "OKP")
                .put("crv", "Ed25519")
                .put("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
                .put("kid", kid);
    }

    private static ObjectNode rsa(int bits) {
        byte[] modulus = new byte[bits / 8];
        Arrays.fill(modulus, (byte) 0xFF);
        return Json.object()
                .put("kty", "RSA")
                .put("n", Base64.getUrlEncoder().withoutPadding().encodeToString(modulus))
                .put("e", "AQAB")
                .put("kid", "rsa");
    }

    private static byte[] set(ObjectNode... keys) {
        ArrayNode all = Json.array();
        all.addAll(List.of(keys));
        return Json.text(Json.object().set("keys", all)).getBytes(StandardCharsets.UTF_8);
    }

    private static VerifyingKeys of(Vertx vertx, ObjectNode... keys) {
        return VerifyingKeys.of(vertx, VerifyingKeys.parse(set(keys)), ALL);
    }

    @Test
    void theFirstHundredKeysOfASetAreRead() {
        ObjectNode[] keys =
                IntStream.rangeClosed(1, 101).mapToObj(i -> ed25519("k" + i)).toArray(ObjectNode[]::new);
        assertEquals(100, VerifyingKeys.parse(set(Arrays.copyOf(keys, 100))).size());
        assertEquals(100, VerifyingKeys.parse(set(keys)).size());
        assertEquals(null, VerifyingKeys.parse(set(keys)).getKeyByKeyId("k101"));
    }

    @Test
    void aKeyThatCanNotBeReadDoesNotTakeTheOthersWithIt() {
        assertEquals(
                "good",
                VerifyingKeys.parse(set(Json.object().put("kty", "new"), Json.object(), ed25519("good")))
                        .getKeys()
                        .getFirst()
                        .getKeyID());
        assertThrows(IllegalArgumentException.class, () -> VerifyingKeys.parse(new byte[] {'{'}));
        assertTrue(VerifyingKeys.parse("{\"keys\":[1,\"x\",null]}".getBytes(StandardCharsets.UTF_8))
                .isEmpty());
    }

    @Test
    void anRsaKeyHasAtLeast2048Bits(Vertx vertx) {
        VerifyingKeys strong = of(vertx, rsa(2048));
        for (String algorithm : List.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")) {
            assertTrue(strong.has(algorithm, "rsa"), algorithm);
        }
        assertFalse(strong.has("ES256", "rsa"));
        IllegalArgumentException weak = assertThrows(IllegalArgumentException.class, () -> of(vertx, rsa(2040)));
        assertTrue(weak.getMessage().startsWith("it has no public key for "), weak.getMessage());
    }

    @Test
    void aKeyChecksOnlyWhatItIsMeantFor(Vertx vertx) {
        assertTrue(of(vertx, ed25519("k").put("use", "sig")).has("EdDSA", "k"));
        assertThrows(
                IllegalArgumentException.class, () -> of(vertx, ed25519("k").put("use", "enc")));
        assertTrue(
                of(vertx, ed25519("k").<ObjectNode>set("key_ops", Json.array().add("verify")))
                        .has("EdDSA", "k"));
        assertThrows(
                IllegalArgumentException.class,
                () -> of(
                        vertx,
                        ed25519("k").<ObjectNode>set("key_ops", Json.array().add("encrypt"))));
        VerifyingKeys one = of(vertx, rsa(2048).put("alg", "PS256"));
        assertTrue(one.has("PS256", "rsa"));
        assertFalse(one.has("RS256", "rsa"), "its issuer says that it is for PS256");
    }

    @Test
    void onlyConfiguredAlgorithmsAreUsed(Vertx vertx) {
        VerifyingKeys keys =
                VerifyingKeys.of(vertx, VerifyingKeys.parse(set(rsa(2048), ed25519("ed"))), Set.of("RS256"));
        assertTrue(keys.has("RS256", "rsa"));
        assertFalse(keys.has("RS512", "rsa"));
        assertFalse(keys.has("EdDSA", "ed"));
    }

    @Test
    void withoutAnIdTheKeyMustBeTheOnlyOneForItsAlgorithm(Vertx vertx) {
        assertTrue(of(vertx, ed25519("a"), rsa(2048)).has("EdDSA", null));
        VerifyingKeys two = of(vertx, ed25519("a"), ed25519("b"));
        assertFalse(two.has("EdDSA", null));
        assertTrue(two.has("EdDSA", "b"));
        assertFalse(two.has("EdDSA", "c"));
    }

    @Test
    void aKeyWithoutAnIdServesTokensWithAnyId(Vertx vertx) {
        ObjectNode nameless = ed25519("x");
        nameless.remove("kid");
        assertTrue(of(vertx, nameless).has("EdDSA", "any"));
    }

    @Test
    void zeroBytesBeforeAModulusAreNoPartOfIt(Vertx vertx) throws Exception {
        RSAKey key = TestIssuer.rsa("rsa");
        ObjectNode padded = (ObjectNode) Json.parse(key.toPublicJWK().toJSONString());
        padded.put("n", withZeroBytes(1, key.getModulus().decode()));
        String token = TestIssuer.sign(Map.of("sub", "ada"), key, "rsa");
        assertTrue(verifies(of(vertx, padded), token));

        byte[] weak = new byte[128];
        Arrays.fill(weak, (byte) 0xFF);
        assertThrows(IllegalArgumentException.class, () -> of(vertx, rsa(2048).put("n", withZeroBytes(128, weak))));
    }

    private static String withZeroBytes(int count, byte[] number) {
        byte[] all = new byte[count + number.length];
        System.arraycopy(number, 0, all, count, number.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "PS256"})
    void aSignatureIsAsLongAsItsKey(String algorithm, Vertx vertx) throws Exception {
        // A signature that ends with a zero byte, as one of 256 does: to find some takes seconds.
        JsonNode made = Json.parse(Files.readString(Path.of("src/test/resources/signatures/ending-with-zero.json")));
        VerifyingKeys keys = of(vertx, (ObjectNode) made.path("key"));
        String token = made.path(algorithm).asText();
        byte[] signature = JWSObject.parse(token).getSignature().decode();
        assertEquals(0, signature[signature.length - 1]);
        assertTrue(verifies(keys, token));
        // The library fills a short RSA signature with zero bytes at its end.
        assertFalse(verifies(keys, resized(token, -1)));
        assertFalse(verifies(keys, resized(token, 1)));
    }

    @Test
    void aSignatureOfACurveIsAsLongAsItsPoints(Vertx vertx) throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
        VerifyingKeys keys = VerifyingKeys.of(vertx, new JWKSet(key.toPublicJWK()), ALL);
        JWSObject signed = new JWSObject(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("ec").build(), new Payload("{}"));
        signed.sign(new ECDSASigner(key));
        assertTrue(verifies(keys, signed.serialize()));
        assertFalse(verifies(keys, resized(signed.serialize(), -1)));
        assertFalse(verifies(keys, resized(signed.serialize(), 1)));
    }

    private static String resized(String token, int by) {
        int at = token.lastIndexOf('.') + 1;
        byte[] signature = Base64.getUrlDecoder().decode(token.substring(at));
        return token.substring(0, at)
                + Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(Arrays.copyOf(signature, signature.length + by));
    }

    private static boolean verifies(VerifyingKeys keys, String token) {
        UnverifiedJwt read = UnverifiedJwt.accessToken(token).orElseThrow();
        try {
            keys.verify(token, read).toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException _) {
            return false;
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
