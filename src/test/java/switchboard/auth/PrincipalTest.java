package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.call.Claim;

class PrincipalTest {
    private static final Map<String, Map<String, String>> BOUND = Map.of("docs", Map.of("tenant", "acme"));

    private static final Principal WITH_KEY = new Principal(
            "t",
            "k",
            List.of(Grant.EVERYTHING),
            BOUND,
            Set.of("v"),
            null,
            "pr00f",
            Map.of("department", Claim.of("sales")));

    private static final TokenGrant TOKEN = new TokenGrant(
            Set.of("docs:read"), Instant.parse("2030-01-01T00:00:00Z"), URI.create("https://a.example/meta"));

    @Test
    void actingWithATokenChangesNothingElse() {
        assertEquals(
                new Principal(
                        "t",
                        "k",
                        List.of(Grant.EVERYTHING),
                        BOUND,
                        Set.of("v"),
                        TOKEN,
                        "pr00f",
                        Map.of("department", Claim.of("sales"))),
                WITH_KEY.by(TOKEN));
    }

    @Test
    void whoHasNoViewsMayUseNoneAndWhoHasNoListAll() {
        assertTrue(WITH_KEY.mayUseView("v"));
        assertFalse(WITH_KEY.mayUseView(""), "the default view is a view like any other");
        assertFalse(new Principal("t", "k", List.of(), Map.of(), Set.of(), null).mayUseView("v"));
        assertTrue(new Principal("t", "k", List.of()).mayUseView("v"));
    }

    @Test
    void whoeverMadeItCannotChangeItsRights() {
        List<Grant> grants = new ArrayList<>();
        Map<String, Map<String, String>> bindings = new HashMap<>(BOUND);
        Set<String> views = new HashSet<>(Set.of("v"));
        Principal principal = new Principal("t", "k", grants, bindings, views, null);
        grants.add(Grant.EVERYTHING);
        bindings.clear();
        views.add("w");
        assertEquals(new Principal("t", "k", List.of(), BOUND, Set.of("v"), null), principal);
    }

    @Test
    void withoutAuthenticationEverythingIsAllowedToNobodyInParticular() {
        assertEquals(new Principal("", "anonymous", List.of(Grant.EVERYTHING)), Principal.anonymous());
        assertNull(Principal.anonymous().proof());
        assertTrue(Principal.anonymous().mayUseView("any"));
    }

    @Test
    void anotherKeyOfTheSameIdIsAnotherIdentity() {
        Principal replaced =
                new Principal("t", "k", List.of(Grant.EVERYTHING), BOUND, Set.of("v"), null, "other", Map.of());
        assertNotEquals(WITH_KEY.identity(), replaced.identity());
        assertEquals(
                WITH_KEY.identity(),
                new Principal("t", "k", List.of(), Map.of(), null, TOKEN, "pr00f", Map.of()).identity(),
                "rights are no part of it");
    }

    @Test
    void aTokensScopesAndClaimsAreItsOwnAndClaimsAreNotPrinted() {
        Set<String> scopes = new HashSet<>(Set.of("docs:read"));
        Map<String, Claim> claims = new HashMap<>(Map.of("email", Claim.of("ada@example.org")));
        TokenGrant token = new TokenGrant(scopes, TOKEN.expires(), TOKEN.metadata(), claims);
        scopes.add("docs:admin");
        claims.put("email", Claim.of("bob@example.org"));
        assertEquals(Set.of("docs:read"), token.scopes());
        assertEquals(Map.of("email", Claim.of("ada@example.org")), token.claims());
        assertEquals("Delegation[scopes=[docs:read], expires=2030-01-01T00:00:00Z, claims=[email]]", token.toString());
        assertEquals(Map.of(), TOKEN.claims());
    }

    @Test
    void theProofIsNotPrinted() {
        assertEquals(
                "Principal[team=t, id=k, grants=" + List.of(Grant.EVERYTHING) + ", views=[v], delegation=null]",
                WITH_KEY.toString());
        assertEquals("Identity[team=t, id=k]", WITH_KEY.identity().toString());
    }
}
