package switchboard.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a caller may do at one backend. */
class RightsTest {
    private static final ResourceScope MINE = ResourceScope.anyOf(List.of("mine*"));
    private static final Rights READER =
            new Rights(Map.of(Verb.READ, ResourceScope.ALL, Verb.SEARCH, MINE, Verb.DELETE, ResourceScope.NOTHING));

    private static boolean may(Rights rights, Verb verb, String resource) {
        return caller(rights).may(verb, resource);
    }

    private static Caller caller(Rights rights) {
        return new Caller("red", "key1", rights, ResourceScope.ALL, Map.of());
    }

    @Test
    void aVerbIsAllowedOnItsOwnResources() {
        assertTrue(may(READER, Verb.READ, "any"));
        assertTrue(may(READER, Verb.SEARCH, "mine1"));
        assertFalse(may(READER, Verb.SEARCH, "other"));
        assertFalse(may(READER, Verb.DELETE, "mine1"));
        assertFalse(may(READER, Verb.CREATE, "mine1"));
    }

    @Test
    void everywhereIsMoreThanSomewhere() {
        assertTrue(caller(READER).mayEverywhere(Verb.READ));
        assertFalse(caller(READER).mayEverywhere(Verb.SEARCH));
        assertFalse(caller(READER).mayEverywhere(Verb.DELETE));
        assertFalse(caller(READER).mayEverywhere(Verb.CREATE));
        Rights everywhere = Rights.everywhere(Set.of(Verb.LLM));
        assertTrue(caller(everywhere).mayEverywhere(Verb.LLM));
        assertFalse(may(everywhere, Verb.READ, "any"));
        for (Verb verb : Verb.values()) {
            assertTrue(caller(Rights.ALL).mayEverywhere(verb));
            assertTrue(Caller.unrestricted().may(verb, "any"));
        }
    }

    @Test
    void bothRightsTogetherAllowWhatEachOfThemDoes() {
        Rights other = new Rights(Map.of(
                Verb.SEARCH, ResourceScope.anyOf(List.of("*1")), Verb.CREATE, ResourceScope.ALL, Verb.READ, MINE));
        for (Rights both : List.of(READER.and(other), other.and(READER))) {
            assertEquals(Set.of(Verb.SEARCH, Verb.READ), both.byVerb().keySet());
            assertTrue(may(both, Verb.SEARCH, "mine1"));
            assertFalse(may(both, Verb.SEARCH, "mine2"));
            assertFalse(may(both, Verb.SEARCH, "other1"));
            assertTrue(may(both, Verb.READ, "mine2"));
            assertFalse(may(both, Verb.READ, "other"));
        }
    }

    @Test
    void aScopeNarrowsEveryVerb() {
        Rights narrowed = READER.within(ResourceScope.anyOf(List.of("mine1", "other")));
        assertEquals(READER.byVerb().keySet(), narrowed.byVerb().keySet());
        assertTrue(may(narrowed, Verb.READ, "other"));
        assertFalse(may(narrowed, Verb.READ, "any"));
        assertTrue(may(narrowed, Verb.SEARCH, "mine1"));
        assertFalse(may(narrowed, Verb.SEARCH, "mine2"));
        assertFalse(may(narrowed, Verb.SEARCH, "other"));
        assertFalse(caller(narrowed).mayEverywhere(Verb.READ));
        assertSame(READER, READER.within(ResourceScope.ALL));
    }

    @Test
    void whoeverMadeThemCanNotChangeThem() {
        Map<Verb, ResourceScope> scopes = new HashMap<>(Map.of(Verb.READ, MINE));
        Map<String, String> bindings = new HashMap<>(Map.of("tenant", "acme"));
        Rights rights = new Rights(scopes);
        Caller caller = new Caller("red", "key1", rights, MINE, bindings);
        scopes.put(Verb.DELETE, ResourceScope.ALL);
        bindings.put("tenant", "other");
        assertFalse(may(rights, Verb.DELETE, "mine1"));
        assertEquals(Map.of("tenant", "acme"), caller.bindings());
        assertEquals(Map.of(), caller.claims());
    }
}
