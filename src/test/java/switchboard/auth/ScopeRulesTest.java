package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import switchboard.call.Verb;

/** Which scopes a client is told to ask for: few, narrow, and first those that it has. */
class ScopeRulesTest {
    private final ScopeRules rules = rules(
            "everything", "*:*",
            "docs.update", "vectordb:search,read,update:team-*",
            "docs.read", "vectordb:search,read:team-*",
            "docs.find", "vectordb:search:team-*");

    @Test
    void rulesAreAbsentOnlyWhereThereIsNone() {
        assertTrue(ScopeRules.NONE.absent());
        assertFalse(rules.absent());
        assertEquals(Set.of("everything", "docs.update", "docs.read", "docs.find"), rules.names());
    }

    @Test
    void theNarrowestScopeThatCarriesAVerbIsNamed() {
        assertEquals(Set.of("docs.find"), needed(Set.of(), Set.of(Verb.SEARCH), "team-a"));
        assertEquals(Set.of("docs.read"), needed(Set.of(), Set.of(Verb.READ), "team-a"));
        assertEquals(Set.of("docs.update"), needed(Set.of(), Set.of(Verb.UPDATE), "team-a"));
        assertEquals(Set.of("everything"), needed(Set.of(), Set.of(Verb.SEARCH), "other"));
    }

    @Test
    void aScopeThatIsHeldComesBeforeANarrowerOne() {
        assertEquals(Set.of("docs.update"), needed(Set.of("docs.update"), Set.of(Verb.SEARCH), "team-a"));
    }

    @Test
    void eachVerbOnEachResourceIsCarried() {
        assertEquals(
                Set.of("docs.find", "docs.update"),
                needed(Set.of(), Set.of(Verb.SEARCH, Verb.UPDATE), "team-a", "team-b"));
        assertEquals(Set.of("docs.find", "everything"), needed(Set.of(), Set.of(Verb.SEARCH), "team-a", "other"));
    }

    @Test
    void aCallThatNamesNoResourceNeedsAScopeThatHasAny() {
        assertEquals(Set.of("docs.read"), needed(Set.of(), Set.of(Verb.READ)));
        assertEquals(Set.of("everything"), rules.needed(Set.of(), "postgres", Set.of(Verb.READ), List.of()));
    }

    @Test
    void whatNoScopeCarriesIsLeftOut() {
        ScopeRules narrow = rules("docs.find", "vectordb:search:team-*");
        assertEquals(Set.of(), narrow.needed(Set.of(), "vectordb", Set.of(Verb.UPDATE), List.of()));
        assertEquals(Set.of(), narrow.needed(Set.of(), "vectordb", Set.of(Verb.SEARCH), List.of("other")));
    }

    @Test
    void aScopeWithSeveralGrantsIsAsBroadAsAllOfTheirVerbs() {
        ScopeRules split = new ScopeRules(new LinkedHashMap<>(Map.of(
                "split", List.of(Grant.parse("vectordb:search"), Grant.parse("vectordb:read,update")),
                "pair", List.of(Grant.parse("vectordb:search,read"), Grant.parse("vectordb:read,search")))));
        assertEquals(Set.of("pair"), split.needed(Set.of(), "vectordb", Set.of(Verb.SEARCH), List.of("a")));
    }

    @Test
    void aTokenCarriesWhatItsScopesDoAndNoMore() {
        assertEquals(
                List.of(Grant.parse("vectordb:search:team-*"), Grant.EVERYTHING),
                rules.grants(List.of("docs.find", "unknown", "everything")));
    }

    private Set<String> needed(Set<String> held, Set<Verb> verbs, String... resources) {
        return rules.needed(held, "vectordb", verbs, List.of(resources));
    }

    /** Rules of scope, grant, scope, grant. */
    private static ScopeRules rules(String... pairs) {
        Map<String, List<Grant>> rules = new LinkedHashMap<>();
        Stream.iterate(0, at -> at < pairs.length, at -> at + 2)
                .forEach(at -> rules.put(pairs[at], List.of(Grant.parse(pairs[at + 1]))));
        return new ScopeRules(rules);
    }
}
