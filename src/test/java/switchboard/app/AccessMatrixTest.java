package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import switchboard.app.AccessFixture.Declared;
import switchboard.auth.ApiKey;
import switchboard.auth.Grant;
import switchboard.auth.Team;
import switchboard.auth.TeamDirectory;
import switchboard.auth.TeamLimits;
import switchboard.call.Json;
import switchboard.call.Verb;
import switchboard.catalog.ToolDescriptor;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.SampleArguments;
import switchboard.testing.TestIssuer;

/**
 * Every tool that is declared under {@code backends/} times every kind of credential, in both eras: status, headers and
 * body, and that the list shows a tool exactly when a call of it is not answered as unknown.
 */
class AccessMatrixTest {
    private static final String PUBLIC = "https://gateway.example.org";
    private static final String RESOURCE = "TeamA";
    private static final Instant NOW = Instant.now();
    private static final Set<Verb> READING = EnumSet.of(Verb.READ, Verb.SEARCH, Verb.EMBED);

    /** What a call comes to. */
    private sealed interface Expected {
        /** Refused before anything is looked at. */
        record Unauthenticated(int status, String code, String error) implements Expected {}

        /** The tool does not exist for the caller. */
        record Unknown() implements Expected {}

        /** The tool exists, but not for what the arguments name. */
        record Denied() implements Expected {}

        /** The token needs these scopes, in this order. */
        record NeedsScopes(String scopes) implements Expected {}

        /** The backend is called. */
        record Called(String principal) implements Expected {}
    }

    /** A kind of credential, and what it comes to for each tool. */
    private record Case(String name, Map<String, String> headers, Function<Declared, Expected> expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final Map<String, ApiKey> KEYS = new LinkedHashMap<>();
    private static final TestIssuer ISSUER = TestIssuer.start();
    private static final MatrixTokens TOKENS = new MatrixTokens(ISSUER, PUBLIC, NOW);
    private static AccessFixture gateway;

    @BeforeAll
    static void start() {
        gateway = new AccessFixture("""
                server: {publicUrl: %s}
                auth:
                  mode: keys
                  failuresPerMinute: 100000
                  tokens:
                    issuers:
                      test: {issuer: "%s", jwks: "%s", teamClaim: team}
                    scopes:
                      "mcp:read": ["*:read,search,embed"]
                      "mcp:all": ["*:*"]
                    baseScopes: ["mcp:read"]
                backends: {vectordb: {type: vectordb}}
                """.formatted(PUBLIC, ISSUER.identifier(), ISSUER.jwksUrl()), teams());
    }

    @AfterAll
    static void stop() {
        gateway.close();
        ISSUER.close();
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>(keyCases());
        for (Verb verb : Verb.values()) {
            cases.add(key(
                    "verb-" + verb.word(),
                    tool -> tool.descriptor().verbs().equals(Set.of(verb))
                            ? new Expected.Called("verb-" + verb.word())
                            : new Expected.Unknown()));
        }
        cases.addAll(goodTokenCases());
        TOKENS.wrong()
                .forEach((name, token) -> cases.add(refused("token " + name, bearer(token), 401, "invalid_token")));
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyToolAnswersAsItShould(Case kind) {
        List<String> wrong = new ArrayList<>();
        Map<String, Set<String>> listed = new HashMap<>();
        Map<String, McpTestClient> clients = new HashMap<>();
        for (Declared tool : gateway.tools()) {
            McpTestClient client =
                    clients.computeIfAbsent(tool.view(), view -> McpTestClient.modern(gateway.url(view)));
            kind.headers().forEach(client::with);
            Expected expected = kind.expected().apply(tool);
            for (HttpReply reply : calls(client, tool)) {
                String problem = check(expected, tool, reply);
                if (!problem.isEmpty()) {
                    wrong.add(tool.descriptor().name() + ": " + problem + ": " + reply);
                }
            }
            Set<String> names = listed.computeIfAbsent(tool.view(), _ -> list(client, expected, tool, wrong));
            boolean callable = expected instanceof Expected.Called
                    || expected instanceof Expected.Denied
                    || expected instanceof Expected.NeedsScopes;
            if (names.contains(tool.descriptor().name()) != callable) {
                wrong.add(tool.descriptor().name() + ": list and call differ: " + names);
            }
        }
        clients.values().forEach(McpTestClient::close);
        assertEquals(List.of(), wrong);
    }

    @Test
    void thereAreToolsOfEveryKind() {
        Set<Verb> verbs = EnumSet.noneOf(Verb.class);
        gateway.tools().forEach(tool -> verbs.addAll(tool.descriptor().verbs()));
        assertTrue(gateway.tools().size() >= 53, () -> gateway.tools().size() + " tools");
        assertEquals(EnumSet.allOf(Verb.class), verbs);
    }

    /** The same call in the modern era and, without a session, in the legacy one. */
    private static List<HttpReply> calls(McpTestClient client, Declared tool) {
        ObjectNode params = Json.object().put("name", tool.descriptor().name());
        params.set("arguments", arguments(tool.descriptor()));
        ObjectNode legacy = Json.object().put("jsonrpc", "2.0").put("id", 7).put("method", "tools/call");
        return List.of(
                client.request("tools/call", params), client.post(Json.text(legacy.set("params", params)), Map.of()));
    }

    /** {@code call_tool} is as good as the tool that it calls. */
    private static ObjectNode arguments(ToolDescriptor tool) {
        ObjectNode arguments = SampleArguments.of(tool, RESOURCE);
        if (tool.name().equals("call_tool")) {
            arguments.put("name", "find_tools").putObject("arguments").put("task", "x");
        }
        return arguments;
    }

    private static Set<String> list(McpTestClient client, Expected expected, Declared tool, List<String> wrong) {
        if (expected instanceof Expected.Unauthenticated) {
            HttpReply reply = client.request("tools/list", Json.object());
            String problem = check(expected, tool, reply);
            if (!problem.isEmpty()) {
                wrong.add("tools/list of " + tool.view() + ": " + problem + ": " + reply);
            }
            return Set.of();
        }
        return new HashSet<>(client.toolNames());
    }

    /** What is wrong with {@code reply}; empty if nothing is. */
    private static String check(Expected expected, Declared tool, HttpReply reply) {
        String challenge = reply.header("WWW-Authenticate");
        String metadata = PUBLIC + "/.well-known/oauth-protected-resource/mcp"
                + (tool.view().isEmpty() ? "" : "/" + tool.view());
        JsonNode error = reply.json().path("error");
        return switch (expected) {
            case Expected.Unauthenticated refused -> {
                String wanted =
                        switch (refused.status()) {
                            case 401, 400 ->
                                "Bearer resource_metadata=\"" + metadata + "\", scope=\"mcp:read\""
                                        + (refused.error().isEmpty() ? "" : ", error=\"" + refused.error() + "\"")
                                        + ", DPoP algs=\"ES256 ES384 EdDSA PS256 RS256\"";
                            default -> "";
                        };
                boolean right = reply.status() == refused.status()
                        && challenge.equals(wanted)
                        && error.path("code").asInt() == -32600
                        && error.at("/data/code").asText().equals(refused.code())
                        && !error.at("/data/type").asText().isEmpty()
                        && !error.at("/data/context/fix").asText().isEmpty()
                        && error.at("/data/context/docs").asText().startsWith("docs/");
                yield right ? "" : "should be " + refused;
            }
            case Expected.Unknown _ ->
                reply.status() == 200
                                && error.path("code").asInt() == -32602
                                && error.path("message").asText().startsWith("Unknown tool")
                        ? ""
                        : "should be unknown";
            case Expected.Denied _ ->
                reply.status() == 200
                                && reply.json().at("/result/isError").asBoolean()
                                && reply.json()
                                        .path("result")
                                        .path("_meta")
                                        .path("switchboard/error")
                                        .path("kind")
                                        .asText()
                                        .equals("DENIED")
                        ? ""
                        : "should be denied";
            case Expected.NeedsScopes needs ->
                reply.status() == 403
                                && challenge.equals("Bearer error=\"insufficient_scope\", scope=\"" + needs.scopes()
                                        + "\", resource_metadata=\"" + metadata
                                        + "\", error_description=\"The access token does not have all scopes that this"
                                        + " call needs.\"")
                                && error.path("code").asInt() == -32600
                                && error.at("/data/code").asText().equals("insufficient_scope")
                                && reply.json().has("id")
                        ? ""
                        : "should need " + needs.scopes();
            case Expected.Called called ->
                reply.status() == 200
                                && reply.json()
                                        .at("/result/content/0/text")
                                        .asText()
                                        .contains("\"principal\":\"" + called.principal() + "\"")
                        ? ""
                        : "should be called";
        };
    }

    private static List<Case> keyCases() {
        String unknown = ApiKey.generate(new SecureRandom()).text();
        return List.of(
                refused("nothing", Map.of(), 401, "missing_authorization_header", ""),
                refused("unknown key", bearer(unknown), 401, "invalid_api_key"),
                refused("unknown key in X-API-Key", Map.of("X-API-Key", unknown), 401, "invalid_api_key"),
                refused("expired key", bearer(KEYS.get("expired").text()), 401, "invalid_api_key"),
                refused(
                        "other scheme",
                        Map.of("Authorization", "Basic YTpi"),
                        401,
                        "unsupported_authorization_scheme",
                        ""),
                refused(
                        "two keys",
                        Map.of(
                                "Authorization",
                                "Bearer " + unknown,
                                "X-API-Key",
                                KEYS.get("everything").text()),
                        400,
                        "ambiguous_credentials",
                        "invalid_request"),
                key("elsewhere", tool -> ofAnotherBackend(tool, new Expected.Called("elsewhere"))),
                key("nothing-granted", _ -> new Expected.Unknown()),
                key("everything", _ -> new Expected.Called("everything")),
                key("matching", _ -> new Expected.Called("matching")),
                key(
                        "other-glob",
                        tool -> tool.descriptor().effects().scope() == null
                                ? new Expected.Called("other-glob")
                                : new Expected.Denied()));
    }

    private static List<Case> goodTokenCases() {
        String who = "jwt:test:ada";
        return List.of(
                new Case(
                        "token with all scopes",
                        bearer(TOKENS.good("everything", "mcp:all")),
                        _ -> new Expected.Called(who)),
                new Case(
                        "token with both scopes",
                        bearer(TOKENS.good("everything", "mcp:all mcp:read x")),
                        _ -> new Expected.Called(who)),
                new Case(
                        "token with a small scope",
                        bearer(TOKENS.good("everything", "mcp:read")),
                        tool -> carried(tool, who)),
                new Case("token without scopes", bearer(TOKENS.good("everything", "")), AccessMatrixTest::firstScopes),
                new Case(
                        "token of the other team",
                        bearer(TOKENS.good("elsewhere", "mcp:all")),
                        tool -> ofAnotherBackend(tool, new Expected.Called(who))),
                new Case(
                        "token of the other team with a small scope",
                        bearer(TOKENS.good("elsewhere", "mcp:read")),
                        tool -> ofAnotherBackend(tool, new Expected.NeedsScopes("mcp:all"))),
                refused("token of nobody's team", bearer(TOKENS.good("nowhere", "mcp:all")), 403, "no_team", ""));
    }

    /** What a team with all rights on another backend gets. */
    private static Expected ofAnotherBackend(Declared tool, Expected perBackend) {
        return tool.descriptor().effects().perBackend() ? perBackend : new Expected.Unknown();
    }

    private static Expected carried(Declared tool, String who) {
        Set<Verb> verbs = tool.descriptor().verbs();
        if (READING.containsAll(verbs)) {
            return new Expected.Called(who);
        }
        boolean partly = verbs.stream().anyMatch(READING::contains);
        List<String> order = new ArrayList<>();
        verbs.stream().sorted().forEach(verb -> order.add(READING.contains(verb) ? "mcp:read" : "mcp:all"));
        return new Expected.NeedsScopes(
                partly ? String.join(" ", order.stream().distinct().toList()) : "mcp:all");
    }

    private static Expected firstScopes(Declared tool) {
        List<String> order = new ArrayList<>();
        tool.descriptor().verbs().stream()
                .sorted()
                .forEach(verb -> order.add(READING.contains(verb) ? "mcp:read" : "mcp:all"));
        return new Expected.NeedsScopes(
                String.join(" ", order.stream().distinct().toList()));
    }

    private static Map<String, String> bearer(String text) {
        return Map.of("Authorization", "Bearer " + text);
    }

    private static Case key(String name, Function<Declared, Expected> expected) {
        return new Case("key " + name, bearer(KEYS.get(name).text()), expected);
    }

    private static Case refused(String name, Map<String, String> headers, int status, String code) {
        return refused(name, headers, status, code, "invalid_token");
    }

    private static Case refused(String name, Map<String, String> headers, int status, String code, String error) {
        return new Case(name, headers, _ -> new Expected.Unauthenticated(status, code, error));
    }

    private static TeamDirectory teams() {
        List<Team> teams = new ArrayList<>();
        teams.add(team("expired", NOW, "*:*"));
        teams.add(team("elsewhere", null, "another-backend:*"));
        teams.add(team("nothing-granted", null));
        teams.add(team("everything", null, "*:*"));
        teams.add(team("matching", null, "*:*:Team*"));
        teams.add(team("other-glob", null, "*:*:Other*"));
        for (Verb verb : Verb.values()) {
            teams.add(team("verb-" + verb.word(), null, "*:" + verb.word()));
        }
        return new TeamDirectory(teams);
    }

    private static Team team(String name, @org.jspecify.annotations.Nullable Instant expires, String... grants) {
        ApiKey key = ApiKey.generate(new SecureRandom());
        KEYS.put(name, key);
        return new Team(
                name,
                List.of(new Team.TeamKey(name, key.sha256(), expires)),
                Arrays.stream(grants).map(Grant::parse).toList(),
                Map.of(),
                null,
                TeamLimits.NONE);
    }
}
