package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.auth.TokenIssuer.Membership;
import switchboard.call.Claim;
import switchboard.call.Json;

/** What an issuer's claims say. */
class TokenIssuerTest {
    private static TokenIssuer issuer(Membership membership, String... carried) {
        return new TokenIssuer(
                "idp", "https://idp.example", null, Set.of(), membership, "/rights/scope", Set.of(carried));
    }

    private static final Membership ONE = new Membership.Fixed("team");

    @Test
    void valuesOfUpTo1000CharactersAreCarriedToBackends() {
        ObjectNode claims = Json.object()
                .put("longest", "v".repeat(1000))
                .put("tooLong", "v".repeat(1001))
                .put("number", 7)
                .put("flag", true)
                .put("secret", "not asked for")
                .putNull("nothing");
        claims.putArray("list").add("x").add("y");
        claims.putArray("mixed").add("x").add(7);
        claims.putArray("empty");
        for (int i = 0; i <= 1000; i++) {
            claims.withArray("many").add("x" + i);
        }
        claims.putObject("nested").put("region", "eu");
        assertEquals(
                Map.of(
                        "longest", Claim.of("v".repeat(1000)),
                        "number", Claim.of("7"),
                        "flag", Claim.of("true"),
                        "list", Claim.of(List.of("x", "y")),
                        "empty", Claim.of(List.of()),
                        "/nested/region", Claim.of("eu")),
                issuer(
                                ONE,
                                "longest",
                                "tooLong",
                                "number",
                                "flag",
                                "nothing",
                                "list",
                                "mixed",
                                "empty",
                                "many",
                                "nested",
                                "/nested/region",
                                "no")
                        .carried(claims));
    }

    @Test
    void scopesAreWordsOrAList() {
        ObjectNode claims = Json.object();
        assertEquals(Set.of(), issuer(ONE).scopes(claims));
        claims.putObject("rights").put("scope", "  a:read   b:write ");
        assertEquals(Set.of("a:read", "b:write"), issuer(ONE).scopes(claims));
        claims.putObject("rights")
                .putArray("scope")
                .add("a:read")
                .add("b:write c")
                .add(7);
        assertEquals(Set.of("a:read", "b:write", "c"), issuer(ONE).scopes(claims));
        claims.putObject("rights").put("scope", " ");
        assertEquals(Set.of(), issuer(ONE).scopes(claims));
    }

    @Test
    void teamsComeFromTheIssuerOrFromAClaim() {
        ObjectNode claims = Json.object().put("group", "g1");
        assertEquals(Set.of("team"), issuer(ONE).teams(claims));
        assertEquals(
                Set.of("g1"), issuer(new Membership.ByClaim("group", Map.of())).teams(claims));
        Membership mapped = new Membership.ByClaim("group", Map.of("g1", "search", "g2", "docs"));
        assertEquals(Set.of("search"), issuer(mapped).teams(claims));
        claims.putArray("group").add("g2").add("unknown").add("g1");
        assertEquals(Set.of("search", "docs"), issuer(mapped).teams(claims));
        assertEquals(Set.of(), issuer(mapped).teams(Json.object().put("group", "unknown")));
        assertEquals(Set.of(), issuer(mapped).teams(Json.object()));
    }
}
