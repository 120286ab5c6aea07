package switchboard.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import switchboard.auth.TokenGrant;
import switchboard.call.Claim;
import switchboard.call.Json;

/** What an issuer has said of a person who has signed in there, as text. It contains no token. */
final class SavedGrant {
    private SavedGrant() {}

    /** {@code grant} as JSON, without its end. */
    static String text(TokenGrant grant) {
        ObjectNode saved = Json.object().put("metadata", grant.metadata().toString());
        ArrayNode scopes = saved.putArray("scopes");
        grant.scopes().stream().sorted().forEach(scopes::add);
        ObjectNode claims = saved.putObject("claims");
        grant.claims().forEach((name, claim) -> {
            ObjectNode one = claims.putObject(name).put("list", claim.list());
            claim.texts().forEach(one.putArray("texts")::add);
        });
        return Json.text(saved);
    }

    /**
     * The grant that was saved as {@code text}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static TokenGrant read(String text, Instant ends) {
        JsonNode saved;
        try {
            saved = Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no saved grant", e);
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
        return new TokenGrant(scopes, ends, URI.create(saved.path("metadata").asText()), claims);
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }
}
