package switchboard.backend.meilisearch;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import switchboard.async.ForwardClock;
import switchboard.call.Json;
import switchboard.config.Secret;

/**
 * Tenant tokens: JWTs (RFC 7519, HS256) signed with the API key and restricted to search rules. They are short-lived,
 * and reused while more than half of their life is left. Thread-safe.
 */
final class TenantTokens {
    private static final int MOST_KEPT = 1_000;
    private static final int LEAST_CHARACTERS = 32;

    private final Secret apiKey;
    private volatile Signer signer;
    private final String keyUid;
    private final Clock clock;
    private final Duration ttl;
    private final Cache<ObjectNode, String> tokens;

    /** A signer with {@code key}. */
    private record Signer(String key, JWSSigner with) {
        static Signer of(String key) {
            try {
                return new Signer(key, new MACSigner(key.getBytes(StandardCharsets.UTF_8)));
            } catch (JOSEException e) {
                throw new IllegalArgumentException(
                        "apiKey has fewer than the 32 characters needed to sign tenant tokens; leave out apiKeyUid");
            }
        }

        @Override
        public String toString() {
            return "Signer";
        }
    }

    /** The signer for the current key. A key that is too short is not used. */
    private Signer current() {
        String key = apiKey.reveal();
        Signer known = signer;
        if (known.key().equals(key) || key.length() < LEAST_CHARACTERS) {
            return known;
        }
        known = Signer.of(key);
        signer = known;
        tokens.invalidateAll();
        return known;
    }

    /**
     * Signs tokens with an API key.
     *
     * @throws IllegalArgumentException if the key is shorter than the 256 bits that HS256 requires
     */
    TenantTokens(Secret apiKey, String keyUid, Clock clock, Duration ttl) {
        this.apiKey = apiKey;
        this.signer = Signer.of(apiKey.reveal());
        this.keyUid = keyUid;
        this.clock = clock;
        this.ttl = ttl;
        this.tokens = Caffeine.newBuilder()
                .maximumSize(MOST_KEPT)
                .expireAfterWrite(ttl.dividedBy(2))
                .ticker(new ForwardClock(clock)::nanos)
                .build();
    }

    /** A token that allows searching by {@code rules}, which must not change afterwards. */
    String token(ObjectNode rules) {
        Signer now = current();
        return tokens.get(rules, asked -> sign(asked, now));
    }

    private String sign(ObjectNode rules, Signer signer) {
        Map<String, Object> plain = Json.mapper().convertValue(rules, new TypeReference<>() {});
        Instant expiry = clock.instant().plus(ttl);
        SignedJWT token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                        .claim("searchRules", plain)
                        .claim("apiKeyUid", keyUid)
                        .expirationTime(Date.from(expiry))
                        .build());
        try {
            token.sign(signer.with());
        } catch (JOSEException e) {
            throw new IllegalStateException("HS256 with a checked key can't fail", e);
        }
        return token.serialize();
    }
}
