package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.nimbusds.jose.util.X509CertUtils;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.DpopClient;
import switchboard.testing.TestCertificate;

/** Who may send a token that is bound to its client, and who one that is not. */
@ExtendWith(VertxExtension.class)
class TokenConfirmationTest {
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
    private static final String TOKEN = "a.b.c";
    private static final DpopClient CLIENT = DpopClient.of("ES256");
    private static final String BY_KEY = "{\"cnf\": {\"jkt\": \"" + CLIENT.thumbprint() + "\"}}";
    private static final String UNBOUND = "{\"sub\": \"ada\"}";

    @TempDir
    static Path folder;

    private DpopProofs proofs;

    @BeforeEach
    void open(Vertx vertx) {
        proofs = new DpopProofs(vertx, Clock.fixed(NOW, ZoneOffset.UTC), Duration.ofSeconds(60));
    }

    private String problem(
            TokenBinding binding, String claims, TokenScheme scheme, @Nullable X509Certificate certificate) {
        String proof = CLIENT.sign(CLIENT.header(), DpopClient.claims("GET", "https://gw.example/mcp", TOKEN, NOW));
        ShownToken token =
                new ShownToken(scheme, TOKEN, "", new Possession("GET", "/mcp", List.of(proof), certificate));
        ProtectedResource resource = new ProtectedResource(
                PublicUrl.of(URI.create("https://gw.example")), List.of("https://idp.example"), List.of(), binding);
        try {
            Optional<AuthOutcome.Rejected> found = new TokenConfirmation(resource, proofs)
                    .problem(Json.parse(claims), token, "jwt:idp:ada")
                    .await(30, TimeUnit.SECONDS);
            found.ifPresent(refused -> assertEquals(AuthFailure.TOKEN_BINDING, refused.failure()));
            return found.map(AuthOutcome.Rejected::message).orElse("");
        } catch (JsonProcessingException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private String problem(String claims, TokenScheme scheme) {
        return problem(TokenBinding.OPTIONAL, claims, scheme, null);
    }

    @Test
    void aTokenIsSentInTheWayThatItIsBound() {
        assertEquals("", problem(UNBOUND, TokenScheme.BEARER));
        assertEquals("", problem(BY_KEY, TokenScheme.DPOP));
        assertEquals(
                "The access token is bound to a key (cnf.jkt) and was sent as Bearer.",
                problem(BY_KEY, TokenScheme.BEARER));
        assertEquals(
                "The access token is not bound to a key (cnf.jkt) and was sent as DPoP.",
                problem(UNBOUND, TokenScheme.DPOP));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "[]",
                "\"jkt\"",
                "true",
                "{\"jwk\": {}}",
                "{\"kid\": \"k\"}",
                "{\"jwe\": \"x\"}",
                "{\"jku\": \"https://a.example\"}",
                "{\"x5t\": \"x\"}",
                "{\"X5T#S256\": \"x\"}",
                "{\"jkt\": 7}",
                "{\"jkt\": null}",
                "{\"jkt\": [\"x\"]}",
                "{\"x5t#S256\": {}}",
                "{\"jkt\": \"x\", \"kid\": \"k\"}",
                "{\"x5t#S256\": \"x\", \"jwk\": {}}"
            })
    void whatCannotBeCheckedIsRefusedNotIgnored(String cnf) {
        for (TokenScheme scheme : TokenScheme.values()) {
            assertEquals(
                    "The access token is bound to its client in a way that can't be checked here (cnf).",
                    problem("{\"cnf\": " + cnf + "}", scheme),
                    scheme::toString);
        }
    }

    @ParameterizedTest
    @EnumSource(TokenBinding.Required.class)
    void whatIsRequiredIsRequired(TokenBinding.Required required) throws IOException {
        TokenBinding binding = new TokenBinding(required, true);
        X509Certificate own = certificate("required");
        String byCertificate = byCertificate(own);
        assertEquals(
                switch (required) {
                    case OPTIONAL -> "";
                    case BOUND -> "The access token is not bound to its client (cnf).";
                    case DPOP -> "The access token is not bound to a key (cnf.jkt).";
                },
                problem(binding, UNBOUND, TokenScheme.BEARER, own));
        assertEquals(
                required == TokenBinding.Required.DPOP ? "The access token is not bound to a key (cnf.jkt)." : "",
                problem(binding, byCertificate, TokenScheme.BEARER, own));
        assertEquals("", problem(binding, BY_KEY, TokenScheme.DPOP, own));
    }

    @Test
    void aCertificateIsThatOfTheConnection() throws IOException {
        X509Certificate own = certificate("own");
        X509Certificate others = certificate("others");
        TokenBinding asked = new TokenBinding(TokenBinding.Required.OPTIONAL, true);
        String claims = byCertificate(own);
        String another =
                "The access token is bound to another certificate (cnf.x5t#S256) than that of this connection.";
        assertEquals("", problem(asked, claims, TokenScheme.BEARER, own));
        assertEquals(another, problem(asked, claims, TokenScheme.BEARER, others));
        assertEquals(another, problem(asked, claims, TokenScheme.BEARER, null));
        assertEquals(another, problem(asked, claims.replace("\"}}", "=\"}}"), TokenScheme.BEARER, own));
        assertEquals(another, problem(asked, "{\"cnf\": {\"x5t#S256\": \"\"}}", TokenScheme.BEARER, own));
        assertEquals(
                "The access token is bound to a certificate (cnf.x5t#S256), and this server asks for none.",
                problem(TokenBinding.OPTIONAL, claims, TokenScheme.BEARER, null));
        assertEquals(
                "The access token is not bound to a key (cnf.jkt) and was sent as DPoP.",
                problem(asked, claims, TokenScheme.DPOP, own));
    }

    @Test
    void whoeverIsBoundTwiceNeedsBoth() throws IOException {
        X509Certificate own = certificate("both");
        X509Certificate others = certificate("not");
        TokenBinding asked = new TokenBinding(TokenBinding.Required.DPOP, true);
        String claims =
                byCertificate(own).replace("{\"cnf\": {", "{\"cnf\": {\"jkt\": \"" + CLIENT.thumbprint() + "\", ");
        assertEquals("", problem(asked, claims, TokenScheme.DPOP, own));
        assertTrue(problem(asked, claims, TokenScheme.DPOP, others).contains("another certificate"));
        assertTrue(problem(asked, claims, TokenScheme.BEARER, own).contains("was sent as Bearer"));
        String otherKey =
                claims.replace(CLIENT.thumbprint(), DpopClient.of("ES256").thumbprint());
        assertTrue(problem(asked, otherKey, TokenScheme.DPOP, own).contains("another key"));
    }

    private static String byCertificate(X509Certificate certificate) {
        return "{\"cnf\": {\"x5t#S256\": \"" + X509CertUtils.computeSHA256Thumbprint(certificate) + "\"}}";
    }

    private static X509Certificate certificate(String alias) throws IOException {
        TestCertificate made = TestCertificate.make(folder, alias, "dns:client.example");
        return X509CertUtils.parse(Files.readString(made.certificate()));
    }
}
