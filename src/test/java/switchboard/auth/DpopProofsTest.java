package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWK;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.spec.RSAKeyGenParameterSpec;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.DpopClient;
import switchboard.testing.HandClock;

/** Which DPoP proofs are accepted. The proxy in front adds the path {@code /tools}. */
@ExtendWith(VertxExtension.class)
class DpopProofsTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final String URL = "https://gw.example/tools/mcp/v";
    private static final String TOKEN = "header.claims.signature";
    private static final DpopClient CLIENT = DpopClient.of("ES256");
    private static final DpopClient OTHER = DpopClient.of("ES256");
    private static final DpopClient RSA = DpopClient.of("RS256");
    private static final ProtectedResource RESOURCE = new ProtectedResource(
            PublicUrl.of(URI.create("https://gw.example/tools")), List.of("https://idp.example"), List.of());
    private static final String NO_PROOF =
            "The DPoP header is not a proof: a JWT of the type dpop+jwt with its public key"
                    + " (jwk), signed with one of ES256, ES384, EdDSA, PS256, RS256.";
    private static final String SIGNATURE = "The signature of the DPoP proof is wrong.";

    private final HandClock clock = new HandClock(NOW);
    private DpopProofs proofs;

    @BeforeEach
    void open(Vertx vertx) {
        proofs = new DpopProofs(vertx, clock, Duration.ofSeconds(60), new SeenProofs(4, 3));
    }

    /** A proof for another application behind the same proxy is none for this one. */
    @Test
    void noPathLeadsOutOfThePartThatAProxyAdds() {
        for (String path : List.of("/../mcp", "/%2e%2e/mcp", "/a/../../mcp", "/mcp")) {
            assertEquals(Optional.of("https://gw.example/tools/mcp"), RESOURCE.target(path), path);
        }
    }

    private Optional<AuthOutcome.Rejected> problem(String thumbprint, String... sent) {
        return problem("/mcp/v", thumbprint, List.of(sent));
    }

    private Optional<AuthOutcome.Rejected> problem(String path, String thumbprint, List<String> sent) {
        ShownToken token = new ShownToken(TokenScheme.DPOP, TOKEN, "v", new Possession("POST", path, sent, null));
        try {
            return proofs.problem(token, thumbprint, thumbprint, RESOURCE).await(30, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static ObjectNode claims() {
        return DpopClient.claims("POST", URL, TOKEN, NOW);
    }

    private Optional<AuthOutcome.Rejected> claims(Consumer<ObjectNode> change) {
        ObjectNode claims = claims();
        change.accept(claims);
        return problem(CLIENT.thumbprint(), CLIENT.sign(CLIENT.header(), claims));
    }

    private Optional<AuthOutcome.Rejected> header(Consumer<ObjectNode> change) {
        ObjectNode header = CLIENT.header();
        change.accept(header);
        return problem(CLIENT.thumbprint(), CLIENT.sign(header, claims()));
    }

    private static void accepted(Optional<AuthOutcome.Rejected> problem) {
        assertEquals(Optional.empty(), problem);
    }

    private static void refused(AuthFailure failure, String message, Optional<AuthOutcome.Rejected> problem) {
        assertEquals(message, problem.map(AuthOutcome.Rejected::message).orElse("accepted"));
        assertEquals(failure, problem.orElseThrow().failure());
    }

    private static void wrong(String message, Optional<AuthOutcome.Rejected> problem) {
        refused(AuthFailure.PROOF_WRONG, message, problem);
        assertEquals(
                Map.of(
                        "WWW-Authenticate",
                        "Bearer resource_metadata=\"https://gw.example/.well-known/oauth-protected-resource/tools/mcp/v\","
                                + " DPoP error=\"invalid_dpop_proof\", algs=\"ES256 ES384 EdDSA PS256 RS256\""),
                problem.orElseThrow().headers());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ES256", "ES384", "EdDSA", "PS256", "RS256"})
    void aProofIsSignedWithAnAllowedAlgorithm(String algorithm) {
        DpopClient client = DpopClient.of(algorithm);
        accepted(problem(client.thumbprint(), client.sign(client.header(), claims())));
        ObjectNode named = client.header().put("kid", "mine");
        named.withObject("/jwk").put("kid", "another name").put("use", "sig").put("ext", true);
        accepted(problem(client.thumbprint(), client.sign(named, claims())));
    }

    @Test
    void theSignatureIsThatOfTheKeyInTheProof() {
        wrong(SIGNATURE, problem(CLIENT.thumbprint(), OTHER.sign(CLIENT.header(), claims())));
        String good = CLIENT.sign(CLIENT.header(), claims());
        String[] parts = good.split("\\.");
        String longer = DpopClient.base64(Json.text(claims()));
        wrong(SIGNATURE, problem(CLIENT.thumbprint(), parts[0] + "." + longer + "." + parts[2]));
        wrong(SIGNATURE, problem(CLIENT.thumbprint(), parts[0] + "." + parts[1] + "." + zeros(64)));
        wrong(SIGNATURE, problem(CLIENT.thumbprint(), parts[0] + "." + parts[1] + "." + zeros(63)));
        accepted(problem(CLIENT.thumbprint(), good));
    }

    private static String zeros(int bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[bytes]);
    }

    /** Everything of it counts: no text that differs in one character is a proof. */
    @Test
    void noCharacterOfAProofCanBeChanged() {
        String good = CLIENT.sign(CLIENT.header(), claims());
        for (int i = 0; i < good.length(); i++) {
            char other = good.charAt(i) == 'A' ? 'B' : 'A';
            String changed = good.substring(0, i) + other + good.substring(i + 1);
            assertTrue(problem(CLIENT.thumbprint(), changed).isPresent(), changed);
        }
        accepted(problem(CLIENT.thumbprint(), good));
    }

    @Test
    void theTokenIsBoundToTheKey() {
        Optional<AuthOutcome.Rejected> problem = problem(OTHER.thumbprint(), CLIENT.sign(CLIENT.header(), claims()));
        refused(
                AuthFailure.TOKEN_BINDING,
                "The access token is bound to another key than that of the DPoP proof.",
                problem);
        assertTrue(
                problem.orElseThrow()
                        .headers()
                        .get("WWW-Authenticate")
                        .endsWith("DPoP error=\"invalid_token\", algs=\"ES256 ES384 EdDSA PS256 RS256\""),
                problem::toString);
        for (String thumbprint : List.of(
                "",
                CLIENT.thumbprint() + "=",
                CLIENT.thumbprint().substring(1),
                CLIENT.thumbprint().toLowerCase(java.util.Locale.ROOT))) {
            assertTrue(
                    problem(thumbprint, CLIENT.sign(CLIENT.header(), claims())).isPresent(), thumbprint);
        }
    }

    @Test
    void thereIsExactlyOneProof() {
        String proof = CLIENT.sign(CLIENT.header(), claims());
        String message =
                "The access token is bound to a key, so its request needs exactly one DPoP header; this one has ";
        refused(AuthFailure.PROOF_MISSING, message + "0.", problem(CLIENT.thumbprint()));
        refused(AuthFailure.PROOF_MISSING, message + "2.", problem(CLIENT.thumbprint(), proof, proof));
        wrong(NO_PROOF, problem(CLIENT.thumbprint(), proof + "," + proof));
        for (String nothing : List.of("", " ", "a.b.c", "..", "x".repeat(10_000), proof + ".", " " + proof)) {
            wrong(NO_PROOF, problem(CLIENT.thumbprint(), nothing));
        }
        accepted(problem(CLIENT.thumbprint(), proof));
    }

    @Test
    void theHeaderSaysThatItIsAProofAndHasAPublicKey() {
        for (String type : List.of("JWT", "at+jwt", "dpop", "DPOP+JWT", "")) {
            wrong(NO_PROOF, header(header -> header.put("typ", type)));
        }
        wrong(NO_PROOF, header(header -> header.remove("typ")));
        wrong(NO_PROOF, header(header -> header.putArray("typ").add("dpop+jwt")));
        wrong(NO_PROOF, header(header -> header.remove("jwk")));
        wrong(NO_PROOF, header(header -> header.put("jwk", Json.text(CLIENT.jwk()))));
        wrong(NO_PROOF, header(header -> header.putObject("jwk")));
        wrong(NO_PROOF, header(header -> header.putArray("crit").add("jwk")));
        wrong(NO_PROOF, header(header -> header.put("b64", false)));
        wrong(NO_PROOF, header(header -> header.withObject("/jwk").put("x", "AAAA")));
        wrong(NO_PROOF, header(header -> header.withObject("/jwk").put("kty", "EC2")));
    }

    /** The curve of the key decides what its signatures are. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "HS256", "ES512", "RS512", "RS1", "", "es256"})
    void otherAlgorithmsAreNotAllowed(String algorithm) {
        wrong(NO_PROOF, header(header -> header.put("alg", algorithm)));
        String unsigned = DpopClient.base64(Json.text(CLIENT.header().put("alg", algorithm))) + "."
                + DpopClient.base64(Json.text(claims())) + ".";
        wrong(NO_PROOF, problem(CLIENT.thumbprint(), unsigned));
    }

    @Test
    void theAlgorithmFitsTheKey() {
        for (String algorithm : List.of("ES384", "EdDSA", "RS256", "PS256")) {
            wrong(SIGNATURE, header(header -> header.put("alg", algorithm)));
        }
        wrong(SIGNATURE, header(header -> header.withObject("/jwk").put("alg", "ES384")));
        wrong(SIGNATURE, header(header -> header.withObject("/jwk").put("use", "enc")));
    }

    /** The classic attack: what is public as the secret of a MAC. */
    @Test
    void noPublicKeyIsTheSecretOfAMac() throws JOSEException, ParseException {
        byte[] secret = Json.text(RSA.jwk()).getBytes(StandardCharsets.UTF_8);
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256)
                .type(new com.nimbusds.jose.JOSEObjectType("dpop+jwt"))
                .jwk(JWK.parse(Json.text(RSA.jwk())))
                .build();
        JWSObject mac = new JWSObject(header, new Payload(Json.text(claims())));
        mac.sign(new MACSigner(secret));
        wrong(NO_PROOF, problem(RSA.thumbprint(), mac.serialize()));
    }

    @Test
    void aKeyWithAPrivatePartOrASecretIsRefused() {
        ObjectNode header = RSA.header();
        header.set("jwk", RSA.privateJwk());
        wrong(NO_PROOF, problem(RSA.thumbprint(), RSA.sign(header, claims())));
        for (String part : List.of("d", "p", "q", "dp", "dq", "qi", "oth", "k")) {
            wrong(NO_PROOF, header(changed -> changed.withObject("/jwk").put(part, "AQAB")));
            wrong(NO_PROOF, header(changed -> changed.withObject("/jwk").putNull(part)));
        }
        ObjectNode secret = Json.object().put("kty", "oct").put("k", "AAAA");
        wrong(NO_PROOF, header(changed -> changed.set("jwk", secret)));
        wrong(NO_PROOF, header(changed -> changed.set("jwk", Json.object().put("kty", "oct"))));
    }

    @Test
    void anRsaKeyIsNeitherSmallNorSlow() {
        DpopClient small = DpopClient.rsa("RS256", new RSAKeyGenParameterSpec(1024, RSAKeyGenParameterSpec.F4));
        wrong(SIGNATURE, problem(small.thumbprint(), small.sign(small.header(), claims())));
        BigInteger longest = BigInteger.ONE.shiftLeft(32).subtract(BigInteger.valueOf(5)); // a prime of 32 bits
        DpopClient slow = DpopClient.rsa("RS256", new RSAKeyGenParameterSpec(2048, longest));
        accepted(problem(slow.thumbprint(), slow.sign(slow.header(), claims())));
        DpopClient slower =
                DpopClient.rsa("RS256", new RSAKeyGenParameterSpec(2048, BigInteger.valueOf((1L << 32) + 15)));
        wrong(NO_PROOF, problem(slower.thumbprint(), slower.sign(slower.header(), claims())));
        byte[] modulus = new byte[4097 / 8 + 1];
        Arrays.fill(modulus, (byte) 0xFF);
        modulus[0] = 1;
        ObjectNode huge = RSA.header();
        huge.withObject("/jwk").put("n", Base64.getUrlEncoder().withoutPadding().encodeToString(modulus));
        wrong(NO_PROOF, problem(RSA.thumbprint(), RSA.sign(huge, claims())));
    }

    /** Keys that no client has, with tokens that are bound to them. */
    @Test
    void aKeyThatIsNoneIsRefusedAndNothingFails() throws Exception {
        for (String exponent : List.of("AQ", "Ag", "AA", "", "BAAB")) {
            ObjectNode header = RSA.header();
            header.withObject("/jwk").put("e", exponent);
            assertRefused(header);
        }
        for (String modulus : List.of("", "AA", "AQ", Base64.getUrlEncoder().encodeToString(new byte[256]))) {
            ObjectNode header = RSA.header();
            header.withObject("/jwk").put("n", modulus);
            assertRefused(header);
        }
        for (String point : List.of("", "AA", zeros(31), zeros(33), zeros(32))) {
            ObjectNode header = Json.object().put("typ", "dpop+jwt").put("alg", "EdDSA");
            header.putObject("jwk").put("kty", "OKP").put("crv", "Ed25519").put("x", point);
            assertRefused(header);
        }
        for (String member : List.of("kty", "crv", "x", "y", "n", "e", "use", "key_ops", "alg")) {
            for (String value : List.of("7", "null", "[]", "{}", "[[\"sign\"]]", "\"\"", "\"!\u00fc\"", "true")) {
                for (DpopClient client : List.of(CLIENT, RSA)) {
                    ObjectNode header = client.header();
                    header.withObject("/jwk").set(member, Json.parse(value));
                    problem(client.thumbprint(), client.sign(header, claims())); // does not fail
                }
            }
        }
        ObjectNode deep = CLIENT.header();
        deep.set("jwk", Json.parse("[".repeat(90) + "]".repeat(90)));
        String proof = CLIENT.sign(deep, claims());
        wrong(NO_PROOF, problem(CLIENT.thumbprint(), proof));
        String deeper = "{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":" + "[".repeat(5_000);
        wrong(NO_PROOF, problem(CLIENT.thumbprint(), DpopClient.base64(deeper) + proof.substring(proof.indexOf('.'))));
    }

    private void assertRefused(ObjectNode header) throws JOSEException {
        String thumbprint;
        try {
            thumbprint =
                    JWK.parse(Json.text(header.path("jwk"))).computeThumbprint().toString();
        } catch (ParseException | IllegalArgumentException | IllegalStateException _) {
            thumbprint = CLIENT.thumbprint();
        }
        assertTrue(problem(thumbprint, RSA.sign(header, claims())).isPresent(), header::toString);
    }

    @Test
    void theMethodIsThatOfTheRequest() {
        String message = "The DPoP proof is not for the method POST (htm).";
        for (String method : List.of("GET", "post", "", " POST", "POST ")) {
            wrong(message, claims(claims -> claims.put("htm", method)));
        }
        wrong(message, claims(claims -> claims.remove("htm")));
        wrong(message, claims(claims -> claims.putArray("htm").add("POST")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://gw.example:443/tools/mcp/v",
                "HTTPS://GW.EXAMPLE/tools/mcp/v",
                "https://gw.example/tools/mcp/%76",
                "https://gw.example/tools/x/../mcp/./v"
            })
    void theUrlIsThatOfTheRequestAsItsClientSeesIt(String url) {
        accepted(claims(claims -> claims.put("htu", url)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/tools/mcp/v",
                "https://gw.example.org/tools/mcp/v",
                "http://gw.example/tools/mcp/v",
                "https://gw.example:8443/tools/mcp/v",
                "https://gw.example/mcp/v",
                "https://gw.example/tools/mcp",
                "https://gw.example/tools/mcp/w",
                "https://gw.example/tools/mcp/V",
                "https://gw.example/tools/mcp/v/",
                "https://gw.example/tools/mcp/v?",
                "https://gw.example/tools/mcp/v?a=b",
                "https://gw.example/tools/mcp/v#a",
                "https://a@gw.example/tools/mcp/v",
                "/tools/mcp/v",
                "/mcp/v",
                ""
            })
    void otherUrlsAreRefused(String url) {
        wrong("The DPoP proof is not for " + URL + " (htu).", claims(claims -> claims.put("htu", url)));
    }

    @Test
    void withoutAUrlThereIsNoProofAndAUrlThatIsNoneIsNobodys() {
        wrong("The DPoP proof is not for " + URL + " (htu).", claims(claims -> claims.remove("htu")));
        wrong("The DPoP proof is not for " + URL + " (htu).", claims(claims -> claims.put("htu", 7)));
        String strange = "/mcp/a|b";
        ObjectNode claims = DpopClient.claims("POST", "https://gw.example/tools" + strange, TOKEN, NOW);
        wrong(
                "The DPoP proof is not for this URL (htu).",
                problem(strange, CLIENT.thumbprint(), List.of(CLIENT.sign(CLIENT.header(), claims))));
    }

    @ParameterizedTest
    @CsvSource({"-61, false", "-60, true", "0, true", "10, true", "11, false", "100000000, false", "-100000000, false"})
    void aProofIsNew(long seconds, boolean good) {
        Optional<AuthOutcome.Rejected> problem = claims(claims -> claims.put("iat", NOW.getEpochSecond() + seconds));
        if (good) {
            accepted(problem);
        } else {
            wrong("The DPoP proof was not made in the last 60 s (iat); it is 2026-06-01T00:00:00Z here.", problem);
        }
    }

    @Test
    void itsTimeIsANumber() {
        String message = "The DPoP proof was not made in the last 60 s (iat); it is 2026-06-01T00:00:00Z here.";
        wrong(message, claims(claims -> claims.remove("iat")));
        wrong(message, claims(claims -> claims.put("iat", 1e12)));
        wrong(NO_PROOF, claims(claims -> claims.put("iat", Long.toString(NOW.getEpochSecond()))));
        wrong(NO_PROOF, claims(claims -> claims.putNull("iat")));
        accepted(claims(claims -> claims.put("iat", NOW.getEpochSecond() + 0.5)));
    }

    @Test
    void aProofMayEndEarlierOrBeginLater() {
        String message = "The DPoP proof has expired, or is not valid yet (exp, nbf).";
        wrong(message, claims(claims -> claims.put("exp", NOW.getEpochSecond())));
        wrong(message, claims(claims -> claims.put("exp", 1e12)));
        wrong(message, claims(claims -> claims.put("nbf", NOW.getEpochSecond() + 11)));
        wrong(message, claims(claims -> claims.put("nbf", 1e12)));
        accepted(claims(claims -> claims.put("exp", NOW.getEpochSecond() + 1).put("nbf", NOW.getEpochSecond() + 10)));
    }

    @Test
    void aProofIsForOneToken() {
        String message = "The DPoP proof is not for this access token (ath).";
        wrong(message, claims(claims -> claims.put("ath", DpopClient.sha256(TOKEN + "x"))));
        wrong(message, claims(claims -> claims.put("ath", DpopClient.sha256(TOKEN) + "=")));
        wrong(message, claims(claims -> claims.put("ath", "")));
        wrong(message, claims(claims -> claims.remove("ath")));
    }

    @Test
    void aProofHasAnIdentifierOfItsOwn() {
        String message = "The DPoP proof needs an identifier of 1 to 256 characters of its own (jti).";
        wrong(message, claims(claims -> claims.remove("jti")));
        wrong(message, claims(claims -> claims.put("jti", "")));
        wrong(message, claims(claims -> claims.put("jti", 7)));
        wrong(message, claims(claims -> claims.put("jti", "x".repeat(257))));
        accepted(claims(claims -> claims.put("jti", "x".repeat(256))));
        accepted(claims(claims -> claims.put("jti", "ü\u0000")));
    }

    @Test
    void aProofIsUsedOnce() {
        String proof = CLIENT.sign(CLIENT.header(), claims());
        accepted(problem(CLIENT.thumbprint(), proof));
        String used = "The DPoP proof was used before (jti).";
        refused(AuthFailure.PROOF_REPLAYED, used, problem(CLIENT.thumbprint(), proof));
        clock.forward(Duration.ofSeconds(60));
        refused(AuthFailure.PROOF_REPLAYED, used, problem(CLIENT.thumbprint(), proof));
        clock.forward(Duration.ofMillis(1));
        wrong(
                "The DPoP proof was not made in the last 60 s (iat); it is 2026-06-01T00:01:00.001Z here.",
                problem(CLIENT.thumbprint(), proof));
    }

    /** One that was made in the future is accepted, and so remembered, for longer. */
    @Test
    void aProofOfTheFutureIsUsedOnce() {
        ObjectNode claims = claims().put("iat", NOW.getEpochSecond() + 10);
        String proof = CLIENT.sign(CLIENT.header(), claims);
        accepted(problem(CLIENT.thumbprint(), proof));
        clock.forward(Duration.ofSeconds(70));
        refused(
                AuthFailure.PROOF_REPLAYED,
                "The DPoP proof was used before (jti).",
                problem(CLIENT.thumbprint(), proof));
    }

    @Test
    void anIdentifierIsUsedOnceWhateverElseIsInTheProof() {
        accepted(claims(claims -> claims.put("jti", "same")));
        clock.forward(Duration.ofSeconds(30));
        refused(AuthFailure.PROOF_REPLAYED, "The DPoP proof was used before (jti).", claims(claims -> claims.put(
                        "jti", "same")
                .put("iat", NOW.getEpochSecond() + 30)));
    }

    /** A proof that is refused uses nothing up: whoever sees an identifier can't spoil it. */
    @Test
    void onlyAGoodProofIsUsed() {
        ObjectNode claims = claims();
        ObjectNode elsewhere = claims.deepCopy().put("htu", "https://else.example");
        assertTrue(problem(CLIENT.thumbprint(), CLIENT.sign(CLIENT.header(), elsewhere))
                .isPresent());
        assertTrue(problem(CLIENT.thumbprint(), OTHER.sign(CLIENT.header(), claims))
                .isPresent());
        accepted(problem(OTHER.thumbprint(), OTHER.sign(OTHER.header(), claims)));
        accepted(problem(CLIENT.thumbprint(), CLIENT.sign(CLIENT.header(), claims)));
    }

    @Test
    void whenNoMoreCanBeRememberedNewProofsWait() {
        for (int i = 0; i < 3; i++) {
            accepted(claims(_ -> {}));
        }
        Optional<AuthOutcome.Rejected> full = claims(_ -> {});
        refused(
                AuthFailure.PROOF_UNCHECKED,
                "More requests with DPoP proofs have come than can be remembered, in all or with your tokens.",
                full);
        assertEquals(Map.of("Retry-After", "1"), full.orElseThrow().headers());
        accepted(problem(OTHER.thumbprint(), OTHER.sign(OTHER.header(), claims())));
        refused(
                AuthFailure.PROOF_UNCHECKED,
                "More requests with DPoP proofs have come than can be remembered, in all or with your tokens.",
                problem(OTHER.thumbprint(), OTHER.sign(OTHER.header(), claims())));
        clock.forward(Duration.ofSeconds(61));
        accepted(claims(claims -> claims.put("iat", NOW.getEpochSecond() + 61)));
    }

    @Test
    void proofsAndTokensAreNotPrinted() {
        String proof = CLIENT.sign(CLIENT.header(), claims());
        Possession possession = new Possession("POST", "/mcp/v", List.of(proof), null);
        assertEquals("Possession[POST /mcp/v, proofs=1, certificate=absent]", possession.toString());
        ShownToken token = new ShownToken(TokenScheme.DPOP, TOKEN, "v", possession);
        assertFalse(token.toString().contains(TOKEN) || token.toString().contains(proof), token::toString);
        assertEquals(
                "DpopProof[" + CLIENT.thumbprint() + "]",
                DpopProof.read(proof).orElseThrow().toString());
    }
}
