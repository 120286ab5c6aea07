package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.auth.TokenGrant;
import switchboard.auth.TokenScheme;
import switchboard.call.CallerToken;
import switchboard.call.Claim;

/** What is kept of an issuer's word. */
class SavedGrantTest {
    private static final Instant ENDS = Instant.parse("2026-11-28T16:00:00Z");
    private static final URI METADATA =
            URI.create("https://tools.example.com/.well-known/oauth-protected-resource/mcp");
    private static final TokenGrant GRANT = new TokenGrant(
            Set.of("openid", "notes"),
            ENDS,
            METADATA,
            Map.of(
                    "department",
                    Claim.of("quotes \" and \u0000 and \ud83d\ude00"),
                    "/realm/groups",
                    Claim.of(List.of("red", "blue", "red")),
                    "none",
                    Claim.of(List.of())));
    private final SavedGrant grants = new SavedGrant("rules");

    @Test
    void whatIsReadIsWhatWasSaved() {
        assertEquals(Optional.of(GRANT), grants.read(grants.text(GRANT), ENDS));
        TokenGrant bare = new TokenGrant(Set.of(), ENDS, METADATA);
        assertEquals(Optional.of(bare), grants.read(grants.text(bare), ENDS));
    }

    @Test
    void itHasNoTokenAndNothingThatADatabaseRefuses() {
        CallerToken token = new CallerToken("header.payload.signature", "issuer", ENDS);
        String text = grants.text(
                new TokenGrant(GRANT.scopes(), ENDS, METADATA, GRANT.claims(), TokenScheme.BEARER, Optional.of(token)));
        assertEquals(grants.text(GRANT), text);
        assertFalse(text.contains("\u0000"), text);
    }

    @Test
    void otherRulesTakeNothing() {
        String text = grants.text(GRANT);
        assertEquals(Optional.empty(), new SavedGrant("others").read(text, ENDS));
        assertEquals(Optional.empty(), new SavedGrant("").read(new SavedGrant("").text(GRANT), ENDS));
        assertEquals(Optional.empty(), grants.read("{", ENDS));
    }
}
