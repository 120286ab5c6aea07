package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import switchboard.auth.AccessPolicy;
import switchboard.auth.ApiKey;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.auth.ScopeRules;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.auth.TeamLimits;
import switchboard.auth.TokenGrant;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;
import switchboard.testing.RawHttp;
import switchboard.testing.TestIssuer;

/**
 * Whatever is sent, the door answers, with less than 500, and lets in nobody but those it should: random headers, bodies
 * and tokens over the wire, random grants and globs against a plainer rule.
 */
class AccessFuzzTest {
    private static final String PUBLIC = "https://gateway.example.org";
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    private static final ApiKey KEY = ApiKey.generate(new SecureRandom());
    private static final Pattern BEARER = Pattern.compile("Authorization: (?i:bearer) +(\\S+)\\s*");
    private static final ApiKey POWERLESS = ApiKey.generate(new SecureRandom());

    private static TestIssuer issuer;
    private static AccessFixture gateway;
    private static String token;

    @BeforeContainer
    static void start() {
        issuer = TestIssuer.start();
        token = issuer.sign(good());
        gateway = new AccessFixture(
                """
                server: {publicUrl: %s}
                auth:
                  mode: keys
                  failuresPerMinute: 100000
                  tokens:
                    issuers: {test: {issuer: "%s", jwks: "%s", teamClaim: team}}
                backends: {vectordb: {type: vectordb}}
                """.formatted(PUBLIC, issuer.identifier(), issuer.jwksUrl()),
                new TeamDirectory(List.of(team("team", KEY, "*:*"), team("powerless", POWERLESS))));
    }

    @AfterContainer
    static void stop() {
        gateway.close();
        issuer.close();
    }

    @Property(tries = 300)
    void onlyGoodCredentialsOpenTheDoor(@ForAll("headers") String headers) {
        int status = status(headers, PING);
        boolean good = headers.lines().anyMatch(AccessFuzzTest::opens);
        assertTrue(status < 500, () -> status + " for " + headers);
        assertTrue(status != 200 || good, () -> "let in by " + headers);
    }

    /** The rule in other words than the gateway's; the name of a scheme has no case (RFC 9110, 11.1). */
    private static boolean opens(String line) {
        Matcher bearer = BEARER.matcher(line);
        return bearer.matches() && Set.of(KEY.text(), token).contains(bearer.group(1))
                || line.strip().equals("X-API-Key: " + KEY.text());
    }

    @Property(tries = 300)
    void aSpoiltTokenOpensNothing(@ForAll("spoilt") String spoilt) {
        int status = status("Authorization: Bearer " + spoilt + "\n", PING);
        assertEquals(spoilt.equals(token) ? 200 : 401, status, spoilt);
    }

    /** Another last character may stand for the same bytes. */
    @Property
    void aTokenHasOneSpelling(@ForAll("base64url") char last) {
        String other = token.substring(0, token.length() - 1) + last;
        assertEquals(other.equals(token) ? 200 : 401, status("Authorization: Bearer " + other + "\n", PING), other);
    }

    @Provide
    Arbitrary<Character> base64url() {
        return Arbitraries.chars()
                .range('A', 'Z')
                .range('a', 'z')
                .range('0', '9')
                .with('-', '_');
    }

    @Property(tries = 300)
    void aSignedTokenIsGoodExactlyWhenItsClaimsAre(@ForAll("claims") Map<String, Object> claims) {
        Map<String, Object> all = good();
        claims.forEach((name, value) -> {
            if (value.equals("absent")) {
                all.remove(name);
            } else {
                all.put(name, value);
            }
        });
        int status = status("Authorization: Bearer " + issuer.sign(all) + "\n", PING);
        assertEquals(expected(all), status, all::toString);
    }

    @Property(tries = 300)
    void everyBodyIsAnsweredAndNoneReachesABackendWithoutAGrant(@ForAll("bodies") String body) {
        String key = "X-API-Key: " + POWERLESS.text() + "\n";
        int calls = gateway.calls();
        assertTrue(status(key, body) < 500, body);
        assertTrue(status(key + "MCP-Protocol-Version: 2026-07-28\n", body) < 500, body);
        assertEquals(calls, gateway.calls(), body);
        assertTrue(status("X-API-Key: " + KEY.text() + "\n", body) < 500, body);
    }

    @Property(tries = 3000)
    void aTextIsAGrantOrRefused(@ForAll("grantTexts") String text) {
        Grant grant;
        try {
            grant = Grant.parse(text);
        } catch (IllegalArgumentException refused) {
            return;
        }
        assertFalse(grant.backend().isBlank());
        assertFalse(grant.verbs().isEmpty());
        String[] parts = text.split(":", 3);
        assertEquals(parts.length == 3 ? parts[2].strip() : "*", grant.resource());
        for (Verb verb : grant.verbs()) {
            assertTrue(
                    parts[1].contains("*")
                            || parts[1].toLowerCase(java.util.Locale.ROOT).contains(verb.word()),
                    text);
        }
    }

    @Property(tries = 2000)
    void aTokenNeverDoesMoreThanItsTeamItsScopesAndTheView(
            @ForAll("grants") List<Grant> team,
            @ForAll("grants") List<Grant> small,
            @ForAll("grants") List<Grant> big,
            @ForAll("held") Set<String> held,
            @ForAll("verbs") Set<Verb> verbs,
            @ForAll("resources") List<String> resources,
            @ForAll("within") ResourceScope within) {
        Map<String, List<Grant>> rules = new LinkedHashMap<>();
        rules.put("small", small);
        rules.put("big", big);
        AccessPolicy policy = new AccessPolicy(new ScopeRules(rules));
        TokenGrant tokenGrant = new TokenGrant(held, Instant.MAX, java.net.URI.create("https://m.example"));
        Principal member = new Principal("t", "k", team);
        Principal bearer = new Principal("t", "k", team, Map.of(), null, tokenGrant);
        List<Grant> carried = held.stream()
                .flatMap(scope -> rules.getOrDefault(scope, List.of()).stream())
                .toList();
        AccessPolicy.PolicyDecision decision = policy.decide(bearer, within, "v", verbs, resources);
        if (decision instanceof AccessPolicy.PolicyDecision.Allowed) {
            assertTrue(
                    allows(team, verbs, resources)
                            && allows(carried, verbs, resources)
                            && resources.stream().allMatch(within::allows),
                    decision::toString);
        } else if (!resources.isEmpty()) {
            assertFalse(
                    allows(team, verbs, resources)
                            && allows(carried, verbs, resources)
                            && resources.stream().allMatch(within::allows),
                    decision::toString);
        }
        if (decision instanceof AccessPolicy.PolicyDecision.Allowed allowed) {
            for (Verb verb : Verb.values()) {
                for (String resource : List.of("a", "b", "ab", "ba", "c", "")) {
                    assertEquals(
                            within.allows(resource)
                                    && allows(team, Set.of(verb), List.of(resource))
                                    && allows(carried, Set.of(verb), List.of(resource)),
                            allowed.caller().may(verb, resource),
                            () -> verb + " on " + resource);
                }
                assertTrue(
                        !allowed.caller().mayEverywhere(verb)
                                || within.unrestricted() && allows(team, Set.of(verb), List.of("anything")),
                        verb::word);
            }
        }
        if (decision instanceof AccessPolicy.PolicyDecision.InsufficientScope insufficient) {
            Principal stepped = new Principal(
                    "t",
                    "k",
                    team,
                    Map.of(),
                    null,
                    new TokenGrant(insufficient.needed(), Instant.MAX, tokenGrant.metadata()));
            assertTrue(
                    policy.decide(stepped, within, "v", verbs, resources)
                            instanceof AccessPolicy.PolicyDecision.Allowed,
                    "the challenge names enough");
        }
        if (!(decision instanceof AccessPolicy.PolicyDecision.Invisible)) {
            assertFalse(
                    policy.decide(member, within, "v", verbs, List.of())
                            instanceof AccessPolicy.PolicyDecision.Invisible,
                    "what is listed for a token is listed for its team");
            assertFalse(
                    policy.decide(bearer, within, "v", verbs, List.of())
                            instanceof AccessPolicy.PolicyDecision.Invisible,
                    "what could be called is listed");
        }
    }

    @Property(tries = 500)
    void globsOfAnySizeAreDecidedSoon(@ForAll("globs") String glob, @ForAll("names") String name) {
        ResourceScope scope = ResourceScope.anyOf(List.of(glob));
        boolean allowed = scope.allows(name);
        assertTrue(!allowed || scope.satisfiable());
        assertTrue(glob.contains("*") || allowed == name.equals(glob));
    }

    @Provide
    Arbitrary<String> headers() {
        Arbitrary<String> noise = Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(80);
        Arbitrary<String> part = Arbitraries.of(
                KEY.text(), token, "", "sb_", ".", "..", "eyJhbGciOiJub25lIn0.e30.", token.substring(0, 40), "Bearer");
        Arbitrary<String> value = Combinators.combine(
                        Arbitraries.of("Bearer ", "bearer ", "BEARER\t", "Basic ", "", "Bearer  "),
                        part,
                        noise.injectNull(0.7))
                .as((scheme, text, rest) -> scheme + text + (rest == null ? "" : rest));
        Arbitrary<String> header = Combinators.combine(
                        Arbitraries.of("Authorization", "X-API-Key", "X-Other", "Mcp-Session-Id", "Origin", "Cookie"),
                        value)
                .as((name, text) -> name + ": " + text + "\n");
        return header.list().ofMaxSize(4).map(list -> String.join("", list));
    }

    @Provide
    Arbitrary<String> spoilt() {
        Arbitrary<Character> other = Arbitraries.chars().with("AZaz09-_.=+ ");
        return Combinators.combine(
                        Arbitraries.integers().between(0, token.length() - 1),
                        other,
                        Arbitraries.integers().between(0, 3))
                .as((at, with, how) -> switch (how) {
                    case 0 -> (token.substring(0, at) + with + token.substring(at + 1)).strip();
                    case 1 -> (token.substring(0, at) + token.substring(at + 1)).strip();
                    case 2 -> (token.substring(0, at) + with + token.substring(at)).strip();
                    default -> token.substring(0, Math.max(1, at)).strip();
                })
                .filter(text -> !text.isEmpty());
    }

    @Provide
    Arbitrary<Map<String, Object>> claims() {
        long now = Instant.now().getEpochSecond();
        Arbitrary<Object> odd = Arbitraries.of(
                "absent",
                "",
                "x",
                0,
                -1,
                1e300,
                true,
                List.of(),
                List.of(1),
                Map.of(),
                now + 3600,
                now - 3600,
                PUBLIC,
                List.of("x", PUBLIC),
                "team",
                List.of("team", "powerless"),
                "powerless");
        return Arbitraries.maps(Arbitraries.of("iss", "aud", "sub", "exp", "nbf", "iat", "team", "scope", "jti"), odd)
                .ofMaxSize(2);
    }

    /** The rule in other words than the gateway's. */
    private static int expected(Map<String, Object> claims) {
        long now = Instant.now().getEpochSecond();
        Object audience = claims.get("aud");
        boolean forUs = PUBLIC.equals(audience) || (audience instanceof List<?> list && list.contains(PUBLIC));
        boolean inTime = claims.get("exp") instanceof Number end
                && end.doubleValue() < 1e11
                && end.longValue() > now
                && passed(claims, "nbf", now)
                && passed(claims, "iat", now);
        boolean named = claims.get("sub") instanceof String subject && !subject.isEmpty();
        if (!issuer.identifier().equals(claims.get("iss")) || !forUs || !inTime || !named) {
            return 401;
        }
        Object team = claims.get("team");
        List<?> teams = team instanceof List<?> list ? list : team == null ? List.of() : List.of(team);
        return teams.stream()
                                .filter(Set.of("team", "powerless")::contains)
                                .distinct()
                                .count()
                        == 1
                ? 200
                : 403;
    }

    private static boolean passed(Map<String, Object> claims, String name, long now) {
        Object value = claims.get(name);
        return value == null
                || (value instanceof Number date && date.doubleValue() <= now && date.doubleValue() > -1e11);
    }

    @Provide
    Arbitrary<String> bodies() {
        List<String> tools =
                gateway.tools().stream().map(tool -> tool.descriptor().name()).toList();
        Arbitrary<String> call = Combinators.combine(
                        Arbitraries.of("tools/call", "tools/list", "resources/read", "prompts/get", "ping", "x", ""),
                        Arbitraries.of(tools),
                        Arbitraries.of("{}", "null", "[]", "1", "{\"library\":\"a\"}", "{\"query\":\"q\"}"),
                        Arbitraries.of("1", "null", "\"a\"", "1.5", "{}", "9007199254740993"))
                .as((method, tool, arguments, id) -> "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method
                        + "\",\"params\":{\"name\":\"" + tool + "\",\"uri\":\"" + tool + "\",\"arguments\":" + arguments
                        + "}}");
        Arbitrary<String> noise = Arbitraries.strings().ofMaxLength(60);
        Arbitrary<String> cut = Combinators.combine(call, Arbitraries.integers().between(0, 100))
                .as((text, at) -> text.substring(0, Math.min(at, text.length())));
        Arbitrary<String> batch = call.list().ofMaxSize(4).map(list -> "[" + String.join(",", list) + "]");
        Arbitrary<String> deep = Arbitraries.integers().between(1, 5000).map("["::repeat);
        return Arbitraries.oneOf(call, noise, cut, batch, deep);
    }

    @Provide
    Arbitrary<String> grantTexts() {
        Arbitrary<String> piece = Arbitraries.of(
                ":", ",", "*", " ", "read", "SEARCH", "vectordb", "delete", "team-*", "\n", "é", "::", "reading", "");
        return piece.list().ofMaxSize(8).map(list -> String.join("", list));
    }

    @Provide
    Arbitrary<List<Grant>> grants() {
        return Combinators.combine(
                        Arbitraries.of("v", "w", "*"),
                        Arbitraries.of("read", "search", "read,create", "update", "*"),
                        Arbitraries.of("*", "a", "a*", "*b", "b*"))
                .as((backend, verbs, glob) -> Grant.parse(backend + ":" + verbs + ":" + glob))
                .list()
                .ofMaxSize(3);
    }

    @Provide
    Arbitrary<Set<String>> held() {
        return Arbitraries.of("small", "big", "other").set();
    }

    @Provide
    Arbitrary<Set<Verb>> verbs() {
        return Arbitraries.of(Verb.READ, Verb.CREATE, Verb.UPDATE).set().ofMinSize(1);
    }

    @Provide
    Arbitrary<ResourceScope> within() {
        return Arbitraries.of("*", "a", "a*", "*b", "b*").list().ofMaxSize(2).map(ResourceScope::anyOf);
    }

    @Provide
    Arbitrary<List<String>> resources() {
        return Arbitraries.of("a", "b", "ab", "ba", "").list().ofMaxSize(2);
    }

    @Provide
    Arbitrary<String> globs() {
        return Arbitraries.strings().withChars("ab*").ofMaxLength(2_000);
    }

    @Provide
    Arbitrary<String> names() {
        return Arbitraries.strings().withChars("ab*").ofMaxLength(2_000);
    }

    private static boolean allows(List<Grant> grants, Set<Verb> verbs, List<String> resources) {
        if (resources.isEmpty()) {
            return verbs.stream()
                    .allMatch(verb -> granted(grants, verb).findAny().isPresent());
        }
        return resources.stream().allMatch(resource -> verbs.stream().allMatch(verb -> granted(grants, verb)
                .anyMatch(grant -> resource.matches(grant.resource().replace("*", ".*")))));
    }

    private static java.util.stream.Stream<Grant> granted(List<Grant> grants, Verb verb) {
        return grants.stream()
                .filter(grant -> !grant.backend().equals("w") && grant.verbs().contains(verb));
    }

    private static int status(String headers, String body) {
        try (RawHttp client = new RawHttp(gateway.port())) {
            return client.post("/mcp", headers, body).status();
        }
    }

    private static Map<String, Object> good() {
        Map<String, Object> claims = issuer.claims(PUBLIC, "ada", Instant.now());
        claims.put("exp", Instant.now().plusSeconds(86_400).getEpochSecond());
        claims.put("team", "team");
        return claims;
    }

    private static Team team(String name, ApiKey key, String... grants) {
        return new Team(
                name,
                List.of(new Team.TeamKey(name, key.sha256(), null)),
                Arrays.stream(grants).map(Grant::parse).toList(),
                Map.of(),
                null,
                TeamLimits.NONE);
    }
}
