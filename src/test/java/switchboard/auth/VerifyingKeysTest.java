package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import switchboard.call.Json;

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
}
