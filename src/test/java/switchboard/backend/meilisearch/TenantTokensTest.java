package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import switchboard.call.Json;
import switchboard.config.Secret;
import switchboard.testing.HandClock;

class TenantTokensTest {
    private static final String KEY = "k".repeat(32);
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final ObjectNode RULES =
            Json.object().set("docs", Json.object().put("filter", "tenant = acme"));

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));

    private TenantTokens tokens(String key) {
        return new TenantTokens(Secret.of(key), "uid-1", clock, TTL);
    }

    @Test
    void aTokenCarriesTheRulesTheKeysIdAndItsEnd() throws Exception {
        SignedJWT token = SignedJWT.parse(tokens(KEY).token(RULES));
        assertTrue(token.verify(new MACVerifier(KEY.getBytes(StandardCharsets.UTF_8))));
        assertEquals("HS256", token.getHeader().getAlgorithm().getName());
        Map<String, Object> claims = token.getJWTClaimsSet().getClaims();
        assertEquals(Map.of("docs", Map.of("filter", "tenant = acme")), claims.get("searchRules"));
        assertEquals("uid-1", claims.get("apiKeyUid"));
        assertEquals(
                clock.instant().plus(TTL),
                token.getJWTClaimsSet().getExpirationTime().toInstant());
    }

    @Test
    void aTokenIsUsedAgainWhileMoreThanHalfOfItsLifeIsLeft() {
        TenantTokens tokens = tokens(KEY);
        String first = tokens.token(RULES);
        clock.forward(TTL.dividedBy(2).minusMillis(1));
        assertEquals(first, tokens.token(RULES.deepCopy()));
        clock.forward(Duration.ofMillis(1));
        assertNotEquals(first, tokens.token(RULES));
    }

    @Test
    void otherRulesAreAnotherToken() {
        TenantTokens tokens = tokens(KEY);
        assertNotEquals(
                tokens.token(RULES),
                tokens.token(Json.object().set("docs", Json.object().put("filter", "tenant = b"))));
    }

    @Test
    void aKeyHasAtLeast32Characters() {
        assertThrows(IllegalArgumentException.class, () -> tokens("k".repeat(31)));
        assertTrue(tokens(KEY).token(RULES).length() > 100);
    }

    @Test
    void aChangedKeySignsTheNextTokenAndAShortOneIsNotUsed() throws Exception {
        AtomicReference<String> key = new AtomicReference<>(KEY);
        TenantTokens tokens = new TenantTokens(Secret.of("").as(_ -> key.get()), "uid-1", clock, TTL);
        String first = tokens.token(RULES);
        assertSigned(KEY, first);

        String other = "n".repeat(32);
        key.set(other);
        String second = tokens.token(RULES);
        assertSigned(other, second);
        assertEquals(second, tokens.token(RULES), "one token for each change");

        key.set("s".repeat(31));
        assertEquals(second, tokens.token(RULES));
        clock.forward(TTL);
        assertSigned(other, tokens.token(RULES));

        key.set(KEY);
        assertSigned(KEY, tokens.token(RULES));
    }

    private static void assertSigned(String key, String token) throws Exception {
        assertTrue(SignedJWT.parse(token).verify(new MACVerifier(key.getBytes(StandardCharsets.UTF_8))));
    }
}
