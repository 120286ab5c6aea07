package switchboard.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import switchboard.call.Json;
import switchboard.testing.TestIssuer;

/** Access tokens of an issuer for an audience: good ones, and every game that is played with them. */
record MatrixTokens(TestIssuer issuer, String audience, Instant now) {
    /** Tokens that must not be believed, by what is wrong with them. */
    Map<String, String> wrong() {
        Map<String, String> tokens = new LinkedHashMap<>();
        RSAKey key = issuer.key();
        tokens.put("for another server", with("aud", "https://elsewhere.example.org"));
        tokens.put("for another path", with("aud", audience + "/other"));
        tokens.put("for no server", without("aud"));
        tokens.put("of another issuer", with("iss", "https://evil.example.org"));
        tokens.put("of no issuer", without("iss"));
        tokens.put("expired", with("exp", now.minusSeconds(61).getEpochSecond()));
        tokens.put("that never expires", without("exp"));
        tokens.put("that expires some day", with("exp", "tomorrow"));
        tokens.put("not valid yet", with("nbf", now.plusSeconds(3600).getEpochSecond()));
        tokens.put("from the future", with("iat", now.plusSeconds(3600).getEpochSecond()));
        tokens.put("of nobody", without("sub"));
        tokens.put("of an unknown key", TestIssuer.sign(claims(), key, "never-seen"));
        tokens.put("of another key with the same name", TestIssuer.sign(claims(), TestIssuer.rsa("x"), key.getKeyID()));
        tokens.put("with its signature cut off", strip(issuer.sign(claims())));
        tokens.put("with another one's claims", swapped());
        tokens.put("alg none", part("{\"alg\":\"none\"}") + "." + part(Json.text(tree())) + ".");
        tokens.put("alg none in capitals", part("{\"alg\":\"NONE\"}") + "." + part(Json.text(tree())) + ".AAAA");
        tokens.put("alg none with a signature", part("{\"alg\":\"none\"}") + "." + part(Json.text(tree())) + ".AAAA");
        tokens.put("HMAC with the public key", hmac(key));
        tokens.put("with critical extensions", critical(key));
        tokens.put("that brings its own key", embedded());
        tokens.put("that is none", "a.b.c");
        return tokens;
    }

    private String swapped() {
        String[] good = issuer.sign(claims()).split("\\.");
        return good[0] + "." + part(Json.text(tree().put("team", "elsewhere"))) + "." + good[2];
    }

    private String hmac(RSAKey key) {
        try {
            byte[] secret = key.toRSAPublicKey().getEncoded();
            JWSObject token = new JWSObject(
                    new JWSHeader.Builder(JWSAlgorithm.HS256)
                            .keyID(key.getKeyID())
                            .build(),
                    new Payload(claims()));
            token.sign(new MACSigner(secret));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private String critical(RSAKey key) {
        return signed(
                key,
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(key.getKeyID())
                        .criticalParams(Set.of("exp"))
                        .customParam("exp", 1)
                        .build());
    }

    private String embedded() {
        RSAKey own = TestIssuer.rsa("own");
        return signed(
                own,
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .jwk(own.toPublicJWK())
                        .keyID("own")
                        .build());
    }

    private String signed(RSAKey key, JWSHeader header) {
        try {
            JWSObject token = new JWSObject(header, new Payload(claims()));
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private Map<String, Object> claims() {
        Map<String, Object> claims = issuer.claims(audience, "ada", now);
        claims.put("team", "everything");
        claims.put("scope", "mcp:all");
        return claims;
    }

    private ObjectNode tree() {
        return Json.mapper().valueToTree(claims());
    }

    private String with(String claim, Object value) {
        Map<String, Object> claims = claims();
        claims.put(claim, value);
        return issuer.sign(claims);
    }

    private String without(String claim) {
        Map<String, Object> claims = claims();
        claims.remove(claim);
        return issuer.sign(claims);
    }

    /** A good token of {@code team}. */
    String good(String team, String scope) {
        Map<String, Object> claims = claims();
        claims.put("team", team);
        claims.put("scope", scope);
        return issuer.sign(claims);
    }

    private static String strip(String token) {
        return token.substring(0, token.lastIndexOf('.') + 1);
    }

    private static String part(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
