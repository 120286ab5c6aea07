package switchboard.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.commons.codec.digest.DigestUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.TokenGrant;
import switchboard.call.Claim;
import switchboard.call.Json;
import switchboard.config.GatewayConfig;
import switchboard.config.IssuerConfig;
import switchboard.config.OpenIdConfig;

/**
 * Makes text of what an issuer has said of a person who has signed in there. It contains no token. The text is of use to gateways with
 * the same rules for the issuer only: who changes them ends what was said before.
 *
 * @param rules a digest of the rules; empty if nobody signs in at an issuer
 */
record SavedGrant(String rules) {
    private static final Logger LOG = LoggerFactory.getLogger(SavedGrant.class);

    /** By the rules of {@code config}. */
    static SavedGrant of(GatewayConfig config) {
        OpenIdConfig openId = config.console().openid();
        IssuerConfig issuer =
                openId == null ? null : config.auth().tokens().issuers().get(openId.issuer());
        if (openId == null || issuer == null) {
            return new SavedGrant("");
        }
        List<Object> all = Arrays.asList(
                openId.issuer(),
                openId.clientId(),
                new TreeSet<>(openId.scopes()),
                issuer.issuer(),
                String.valueOf(issuer.jwks()),
                String.valueOf(issuer.jwksFile()),
                issuer.team(),
                issuer.teamClaim(),
                new TreeMap<>(issuer.teams()),
                new TreeSet<>(issuer.carry()));
        return new SavedGrant(DigestUtils.sha256Hex(all.toString()));
    }

    /** {@code grant} as JSON, without its end. */
    String text(TokenGrant grant) {
        ObjectNode saved = Json.object()
                .put("rules", rules)
                .put("metadata", grant.metadata().toString());
        ArrayNode scopes = saved.putArray("scopes");
        grant.scopes().stream().sorted().forEach(scopes::add);
        ObjectNode claims = saved.putObject("claims");
        grant.claims().forEach((name, claim) -> {
            ObjectNode one = claims.putObject(name).put("list", claim.list());
            claim.texts().forEach(one.putArray("texts")::add);
        });
        return Json.text(saved);
    }

    /** The grant that was saved as {@code text}; empty if that was by other rules, or by a version that writes it differently. */
    Optional<TokenGrant> read(String text, Instant ends) {
        try {
            return grant(Json.parse(text), ends);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            LOG.warn(
                    "a saved sign-in can't be read, so that the person has to sign in again: {}",
                    e.getClass().getSimpleName());
            return Optional.empty();
        }
    }

    private Optional<TokenGrant> grant(JsonNode saved, Instant ends) {
        if (rules.isEmpty() || !rules.equals(saved.path("rules").asText())) {
            return Optional.empty();
        }
        Map<String, Claim> claims = new HashMap<>();
        saved.path("claims")
                .properties()
                .forEach(one -> claims.put(
                        one.getKey(),
                        new Claim(
                                texts(one.getValue().path("texts")),
                                one.getValue().path("list").asBoolean())));
        Set<String> scopes = new HashSet<>(texts(saved.path("scopes")));
        return Optional.of(
                new TokenGrant(scopes, ends, URI.create(saved.path("metadata").asText()), claims));
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }
}
