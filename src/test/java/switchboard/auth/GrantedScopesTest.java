package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import switchboard.call.ResourceScope;
import switchboard.call.Rights;
import switchboard.call.Verb;

class GrantedScopesTest {
    private final List<Grant> grants = List.of(
            Grant.parse("vectordb:search,read:team-*"),
            Grant.parse("vectordb:update:team-a"),
            Grant.parse("weaviate:*"));
    private final GrantedScopes scopes = new GrantedScopes();

    @Test
    void aViewNarrowsWhatIsAllowedAndWhatIsKnownOfTheRights() {
        GrantedScopes.Allowance allowed = scopes.of(grants, "vectordb", Set.of(Verb.READ));
        assertTrue(allowed.scope().allows("team-b"));
        GrantedScopes.Allowance inView = allowed.within(ResourceScope.anyOf(List.of("team-a", "public")));
        assertTrue(inView.any());
        assertTrue(inView.scope().allows("team-a"));
        assertFalse(inView.scope().allows("team-b"));
        assertFalse(inView.scope().allows("public"));
        assertFalse(inView.rights().byVerb().get(Verb.READ).allows("team-b"));
        assertFalse(allowed.within(ResourceScope.anyOf(List.of("public"))).any());
    }

    @Test
    void aViewOfEverythingChangesNothing() {
        GrantedScopes.Allowance allowed = scopes.of(grants, "vectordb", Set.of(Verb.READ));
        assertSame(allowed, allowed.within(ResourceScope.ALL));
    }

    @Test
    void allVerbsOfACallAreNeededOnTheSameResource() {
        GrantedScopes.Allowance both = scopes.of(grants, "vectordb", Set.of(Verb.READ, Verb.UPDATE));
        assertTrue(both.scope().allows("team-a"));
        assertFalse(both.scope().allows("team-b"));
        assertFalse(scopes.of(grants, "vectordb", Set.of(Verb.ADMIN)).any());
    }

    @Test
    void theRightsOfOneBackendSayNothingOfAnother() {
        assertEquals(
                Set.of(Verb.SEARCH, Verb.READ, Verb.UPDATE),
                GrantedScopes.rights(grants, "vectordb").byVerb().keySet());
        assertEquals(Rights.ALL, GrantedScopes.rights(grants, "weaviate"));
        assertEquals(Set.of(), GrantedScopes.rights(grants, "postgres").byVerb().keySet());
    }
}
