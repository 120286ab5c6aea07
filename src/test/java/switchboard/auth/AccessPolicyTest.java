package switchboard.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import switchboard.auth.AccessPolicy.PolicyDecision;
import switchboard.call.Caller;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;

class AccessPolicyTest {
    private static final List<String> RESOURCES = List.of("", "a", "b", "ab", "ba", "aa", "bb", "aab", "bba");
    private final AccessPolicy policy = new AccessPolicy();

    @Test
    void everyVerbOfTheToolIsNeeded() {
        Principal reader = principal("v:read");
        assertInstanceOf(
                PolicyDecision.Allowed.class,
                policy.decide(reader, ResourceScope.ALL, "v", Set.of(Verb.READ), List.of()));
        assertInstanceOf(
                PolicyDecision.Invisible.class,
                policy.decide(reader, ResourceScope.ALL, "v", Set.of(Verb.READ, Verb.DELETE), List.of()));
        assertInstanceOf(
                PolicyDecision.Invisible.class,
                policy.decide(reader, ResourceScope.ALL, "w", Set.of(Verb.READ), List.of()));
    }

    @Test
    void aToolWithoutVerbsIsNobodys() {
        assertInstanceOf(
                PolicyDecision.Invisible.class,
                policy.decide(Principal.anonymous(), ResourceScope.ALL, "v", Set.of(), List.of()));
    }

    @Test
    void aForbiddenResourceIsNamed() {
        assertEquals(
                new PolicyDecision.Denied("b"),
                policy.decide(principal("v:read:a*"), ResourceScope.ALL, "v", Set.of(Verb.READ), List.of("a1", "b")));
    }

    @Test
    void everyVerbNeedsTheResource() {
        Principal mixed = principal("v:create:a*", "v:update:*b");
        Set<Verb> verbs = Set.of(Verb.CREATE, Verb.UPDATE);
        Caller caller = assertInstanceOf(
                        PolicyDecision.Allowed.class,
                        policy.decide(mixed, ResourceScope.ALL, "v", verbs, List.of("ab")))
                .caller();
        assertEquals(
                List.of("ab", "aab"),
                RESOURCES.stream().filter(caller.scope()::allows).toList());
        assertEquals(new PolicyDecision.Denied("a"), policy.decide(mixed, ResourceScope.ALL, "v", verbs, List.of("a")));
        assertInstanceOf(
                PolicyDecision.Invisible.class,
                policy.decide(principal("v:create:a*", "v:update:b*"), ResourceScope.ALL, "v", verbs, List.of()));
    }

    @Test
    void theCallerCarriesItsBindingsForThatBackendOnly() {
        Principal bound = new Principal(
                "t",
                "k",
                List.of(Grant.EVERYTHING),
                Map.of("v", Map.of("tenant", "acme"), "w", Map.of("role", "r")),
                null,
                null);
        PolicyDecision.Allowed allowed = assertInstanceOf(
                PolicyDecision.Allowed.class,
                policy.decide(bound, ResourceScope.ALL, "v", Set.of(Verb.READ), List.of()));
        assertEquals(Map.of("tenant", "acme"), allowed.caller().bindings());
    }

    @Test
    void theCallerHasTheRightsOfThatBackendAndNoOther() {
        Caller caller = allowed(policy, principal("v:read:a*", "v:update:b", "w:delete,create:*"));
        for (String resource : RESOURCES) {
            assertEquals(resource.startsWith("a"), caller.may(Verb.READ, resource), resource);
            assertEquals(resource.equals("b"), caller.may(Verb.UPDATE, resource), resource);
            assertFalse(caller.may(Verb.DELETE, resource), resource);
            assertFalse(caller.may(Verb.CREATE, resource), resource);
        }
        for (Verb verb : Verb.values()) {
            assertFalse(caller.mayEverywhere(verb), verb.name());
        }
        assertTrue(allowed(policy, principal("*:*")).mayEverywhere(Verb.DELETE));
    }

    @Test
    void aTokenLeavesOfTheTeamsRightsOnlyWhatItsScopesCarry() {
        AccessPolicy ruled = new AccessPolicy(new ScopeRules(Map.of(
                "look", List.of(Grant.parse("v:read:a*")),
                "change", List.of(Grant.parse("v:update,delete:*")),
                "elsewhere", List.of(Grant.parse("w:*")))));
        Caller one = allowed(ruled, bearer(Set.of("look", "elsewhere"), "v:read,delete:*", "w:*"));
        for (String resource : RESOURCES) {
            assertEquals(resource.startsWith("a"), one.may(Verb.READ, resource), resource);
            assertFalse(one.may(Verb.DELETE, resource), "the team may, the token does not carry it: " + resource);
        }
        Caller two = allowed(ruled, bearer(Set.of("look", "change"), "v:read,delete:*b"));
        for (String resource : RESOURCES) {
            assertEquals(resource.endsWith("b"), two.may(Verb.DELETE, resource), resource);
            assertEquals(resource.equals("ab") || resource.equals("aab"), two.may(Verb.READ, resource), resource);
            assertFalse(two.may(Verb.UPDATE, resource), "the token carries it, the team may not: " + resource);
        }
        assertInstanceOf(
                PolicyDecision.InsufficientScope.class,
                ruled.decide(bearer(Set.of(), "v:*"), ResourceScope.ALL, "v", Set.of(Verb.READ), List.of()));
    }

    @Test
    void aScopeThatIsHeldIsAskedForBeforeANarrowerOne() {
        AccessPolicy ruled = new AccessPolicy(new ScopeRules(Map.of(
                "narrow", List.of(Grant.parse("v:read:a")),
                "wide", List.of(Grant.parse("v:read,update,delete:a")),
                "create", List.of(Grant.parse("v:create:a")))));
        PolicyDecision decision = ruled.decide(
                bearer(Set.of("wide"), "v:*"), ResourceScope.ALL, "v", Set.of(Verb.READ, Verb.CREATE), List.of("a"));
        assertEquals(
                Set.of("wide", "create"),
                assertInstanceOf(PolicyDecision.InsufficientScope.class, decision)
                        .needed());
        PolicyDecision none = ruled.decide(
                bearer(Set.of(), "v:*"), ResourceScope.ALL, "v", Set.of(Verb.READ, Verb.CREATE), List.of("a"));
        assertEquals(
                Set.of("narrow", "create"),
                assertInstanceOf(PolicyDecision.InsufficientScope.class, none).needed());
    }

    @Test
    void whatNoScopeCouldEverAllowDoesNotExistForATokenOrIsDenied() {
        AccessPolicy ruled = new AccessPolicy(new ScopeRules(Map.of("look", List.of(Grant.parse("v:read:a*")))));
        Principal bearer = bearer(Set.of("look"), "v:*", "w:*");
        assertEquals(
                new PolicyDecision.Invisible(),
                ruled.decide(bearer, ResourceScope.ALL, "w", Set.of(Verb.READ), List.of()));
        assertEquals(
                new PolicyDecision.Invisible(),
                ruled.decide(bearer, ResourceScope.ALL, "v", Set.of(Verb.DELETE), List.of("a")));
        assertEquals(
                new PolicyDecision.Denied("b"),
                ruled.decide(bearer, ResourceScope.ALL, "v", Set.of(Verb.READ), List.of("a", "b", "c")));
    }

    @Test
    void aTokenWithTooFewScopesIsToldWhichItNeedsAndWhereToGetThem() {
        AccessPolicy ruled = new AccessPolicy(new ScopeRules(
                Map.of("look", List.of(Grant.parse("v:read:a*")), "change", List.of(Grant.parse("v:update:a*")))));
        PolicyDecision decision =
                ruled.decide(bearer(Set.of("look"), "v:*"), ResourceScope.ALL, "v", Set.of(Verb.UPDATE), List.of("a"));
        assertEquals(
                new PolicyDecision.InsufficientScope(
                        Set.of("change"),
                        "Bearer error=\"insufficient_scope\", scope=\"change\","
                                + " resource_metadata=\"https://gateway.example/metadata\", error_description=\"The"
                                + " access token does not have all scopes that this call needs.\""),
                decision);
    }

    private static Caller allowed(AccessPolicy policy, Principal principal) {
        return assertInstanceOf(
                        PolicyDecision.Allowed.class,
                        policy.decide(principal, ResourceScope.ALL, "v", Set.of(Verb.READ), List.of()))
                .caller();
    }

    private static Principal bearer(Set<String> scopes, String... grants) {
        Principal team = principal(grants);
        return new Principal(
                team.team(),
                team.id(),
                team.grants(),
                Map.of(),
                null,
                new TokenGrant(scopes, Instant.MAX, URI.create("https://gateway.example/metadata")));
    }

    @Property(tries = 3000)
    void aToolIsVisibleExactlyWhenSomeCallCouldBeAllowed(
            @ForAll("grants") List<String> grants, @ForAll("verbs") Set<Verb> verbs) {
        Principal principal = principal(grants.toArray(String[]::new));
        boolean listed =
                policy.decide(principal, ResourceScope.ALL, "v", verbs, List.of()) instanceof PolicyDecision.Allowed;
        boolean some = RESOURCES.stream()
                .anyMatch(name -> policy.decide(principal, ResourceScope.ALL, "v", verbs, List.of(name))
                        instanceof PolicyDecision.Allowed);
        assertEquals(some, listed);
    }

    @Provide
    Arbitrary<List<String>> grants() {
        Arbitrary<String> backend = Arbitraries.of("v", "w", "*");
        Arbitrary<String> verbs = Arbitraries.of("read", "search", "read,create", "update", "*");
        Arbitrary<String> globs = Arbitraries.of("*", "a", "a*", "*b", "b*");
        return Combinators.combine(backend, verbs, globs)
                .as((b, v, g) -> b + ":" + v + ":" + g)
                .list()
                .ofMaxSize(4);
    }

    @Provide
    Arbitrary<Set<Verb>> verbs() {
        return Arbitraries.of(Verb.READ, Verb.CREATE, Verb.UPDATE).set().ofMinSize(1);
    }

    private static Principal principal(String... grants) {
        return new Principal(
                "t", "k", List.of(grants).stream().map(Grant::parse).toList());
    }
}
