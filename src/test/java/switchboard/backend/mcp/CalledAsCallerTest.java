package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import no.nav.security.mock.oauth2.MockOAuth2Server;
import no.nav.security.mock.oauth2.OAuth2Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.PeopleGateway;
import switchboard.testing.TokenExchange;
import switchboard.testing.ToolResult;
import switchboard.testing.fixture.FixtureServer;
import switchboard.testing.fixture.FixtureServer.Era;

/** Relayed servers that are called as the person who calls, over HTTP on all sides. */
class CalledAsCallerTest {
    private static final String HERE = "https://gateway.example.org";
    private static final String THERE = "https://library.example.org";
    private static final String TOOL = "tools__test_simple_text";

    @TempDir
    private Path data;

    private final List<AutoCloseable> open = new ArrayList<>();

    private <T extends AutoCloseable> T closed(T resource) {
        open.addFirst(resource);
        return resource;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    /** A real authorization server, and another gateway that accepts only its tokens for that gateway's own audience. */
    @ParameterizedTest
    @ValueSource(strings = {"modern", "legacy"})
    void twoPeopleHaveTheirOwnThingsAtAnotherGateway(String era) throws Exception {
        MockOAuth2Server server =
                new MockOAuth2Server(OAuth2Config.Companion.fromJson("{\"httpServer\":\"NettyWrapper\"}"));
        server.start();
        closed(server::shutdown);
        String issuer =
                server.issueToken("corporate", "ada", HERE).getJWTClaimsSet().getIssuer();
        String ada = server.issueToken("corporate", "ada", HERE).serialize();
        String bob = server.issueToken("corporate", "bob", HERE).serialize();
        String robot = server.issueToken("corporate", "robot", THERE).serialize();
        PeopleGateway library = closed(new PeopleGateway(
                data.resolve("library"), THERE, issuer, issuer + "/jwks", "backends: {own: {type: vectordb}}\n"));
        Files.writeString(data.resolve("fixed"), "Bearer " + robot);
        PeopleGateway gateway =
                closed(new PeopleGateway(data.resolve("gateway"), HERE, issuer, issuer + "/jwks", """
                backends:
                  own: {type: vectordb}
                  library:
                    type: mcp
                    url: "%s"
                    era: %s
                    headers: {Authorization: "${file:%s}"}
                    oauth: {as: caller, tokenUrl: "%s/token", clientId: gateway, clientSecret: "${file:secret}", audience: "%s"}
                search:
                  sources:
                    "library:pages":
                      tool: {name: search, limit: top_k, results: /results, id: /doc_id}
                      document: {tool: get_document, argument: doc_id}
                """.formatted(
                                library.gateway().url("own"), era, data.resolve("fixed"), issuer, THERE)));
        gateway.awaitTool(ada, "library__search");

        ObjectNode page = Json.object().put("source", "diary").put("content", "Ada found feldspar.");
        String there = server.issueToken("corporate", "ada", THERE).serialize();
        assertFalse(library.call(there, "own__ingest_text", page).isError());
        for (String tool : List.of("library__search", "search_everywhere")) {
            ObjectNode query = Json.object().put("query", "feldspar");
            assertTrue(gateway.call(ada, tool, query).text().contains("Ada found"), tool);
            ToolResult bobs = gateway.call(bob, tool, query);
            assertFalse(bobs.isError(), bobs::toString);
            assertFalse(bobs.text().contains("Ada found"), bobs::toString);
        }
        String address = gateway.call(ada, "search_everywhere", Json.object().put("query", "feldspar"))
                .structured()
                .at("/results/0/address")
                .asText();
        ObjectNode wanted = Json.object().put("address", address);
        assertTrue(gateway.call(ada, "fetch_document", wanted).text().contains("Ada found"), address);
        assertTrue(gateway.call(bob, "fetch_document", wanted).isError(), address);
        ToolResult keyed =
                gateway.call(gateway.key(), "library__search", Json.object().put("query", "feldspar"));
        assertEquals("DENIED", keyed.errorKind());
        assertTrue(keyed.text().contains("sign in with OAuth"), keyed::text);
        // The token for the other server is not one for this one, and the other way round.
        assertEquals(
                401, library.client(ada).request("tools/list", Json.object()).status());
    }

    private final TokenExchange people = new TokenExchange();

    private String token(String subject) {
        return people.token(HERE, subject);
    }

    private PeopleGateway relay(FixtureServer fixture, String more) {
        return relay(fixture, more, "");
    }

    private PeopleGateway relay(FixtureServer fixture, String more, String oauth) {
        closed(people);
        PeopleGateway gateway = closed(new PeopleGateway(
                data.resolve("gateway"),
                HERE,
                people.issuer().identifier(),
                people.issuer().jwksUrl().toString(),
                """
                backends:
                  own: {type: vectordb}
                  tools:
                    type: mcp
                    url: "%s"
                    %s
                    oauth: {as: caller, tokenUrl: "%s/token", clientId: gateway, clientSecret: "${file:secret}"%s}
                """.formatted(fixture.url(), more, people.issuer().identifier(), oauth)));
        gateway.awaitTool(token("anybody"), TOOL);
        return gateway;
    }

    /** The tokens that came with requests of {@code method}, without their numbers. */
    private static List<String> bearers(FixtureServer fixture, String method) {
        List<String> bearers = new ArrayList<>();
        for (int i = 0; i < fixture.received().size(); i++) {
            if (fixture.received().get(i).path("method").asText().equals(method)) {
                bearers.add(fixture.headers().get(i).get("Authorization").getFirst());
            }
        }
        return bearers;
    }

    private static String everything(FixtureServer fixture) {
        return fixture.headers() + " " + fixture.received();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void everyRequestOfACallIsMadeWithTheCallersOwnTokenAndNeverWithTheOneItShowed(Era era) {
        FixtureServer fixture = closed(new FixtureServer(era));
        PeopleGateway gateway = relay(fixture, "callTimeout: 30s");
        assertEquals(List.of("Bearer for-gateway-1"), bearers(fixture, "tools/list"));
        String ada = token("ada");
        String bob = token("bob");
        assertFalse(gateway.call(ada, TOOL, Json.object()).isError());
        assertFalse(gateway.call(bob, TOOL, Json.object()).isError());
        assertFalse(gateway.call(ada, TOOL, Json.object()).isError());
        List<String> bearers = bearers(fixture, "tools/call");
        assertEquals(bearers.get(0), bearers.get(2));
        assertTrue(bearers.get(0).startsWith("Bearer for-ada-"), bearers::toString);
        assertTrue(bearers.get(1).startsWith("Bearer for-bob-"), bearers::toString);
        assertEquals(2, people.exchanges().size());
        assertEquals(fixture.url().toString(), people.exchanges().getFirst().get("resource"));

        McpTestClient client = gateway.client(ada);
        client.result("resources/read", Json.object().put("uri", "test://static-text"));
        client.result("prompts/get", Json.object().put("name", "tools__test_simple_prompt"));
        ObjectNode completion = Json.object();
        completion.putObject("ref").put("type", "ref/prompt").put("name", "tools__test_prompt_with_arguments");
        completion.putObject("argument").put("name", "arg1").put("value", "x");
        client.result("completion/complete", completion);
        for (String method : List.of("resources/read", "prompts/get", "completion/complete")) {
            assertEquals(List.of(bearers.get(0)), bearers(fixture, method), method);
        }
        for (String shown : List.of(ada, bob, gateway.key(), "secret-of-the-client")) {
            assertFalse(everything(fixture).contains(shown), shown);
            assertFalse(everything(fixture).contains(shown.substring(shown.lastIndexOf('.') + 1)), shown);
        }
        ToolResult keyed = gateway.call(gateway.key(), TOOL, Json.object());
        assertEquals("DENIED", keyed.errorKind());
        assertTrue(keyed.text().contains("sign in with OAuth"), keyed::text);
        assertEquals(3, bearers(fixture, "tools/call").size(), "a key makes no call there");
    }

    /** The sessions of the headers of tool calls, by bearer. */
    private static Map<String, TreeSet<String>> sessions(FixtureServer fixture) {
        Map<String, TreeSet<String>> sessions = new TreeMap<>();
        for (int i = 0; i < fixture.received().size(); i++) {
            if (fixture.received().get(i).path("method").asText().equals("tools/call")) {
                sessions.computeIfAbsent(
                                fixture.headers().get(i).get("Authorization").getFirst(), _ -> new TreeSet<>())
                        .addAll(fixture.headers().get(i).get("Mcp-session-id"));
            }
        }
        return sessions;
    }

    @Test
    void aSessionIsOnePersonsAndIdleOnesEnd() throws Exception {
        FixtureServer fixture = closed(new FixtureServer(Era.LEGACY));
        PeopleGateway gateway = relay(fixture, "sessions: {idle: 1s}");
        String ada = token("ada");
        List<Callable<ToolResult>> calls = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            String caller = i % 2 == 0 ? ada : token("bob");
            calls.add(() -> gateway.call(caller, TOOL, Json.object()));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(calls, 60, TimeUnit.SECONDS)) {
                assertFalse(answer.get(1, TimeUnit.SECONDS).isError());
            }
        }
        Map<String, TreeSet<String>> sessions = sessions(fixture);
        assertTrue(sessions.size() >= 2, sessions::toString);
        sessions.values().forEach(own -> assertEquals(1, own.size(), sessions::toString));
        assertEquals(
                sessions.size(),
                sessions.values().stream().flatMap(TreeSet::stream).distinct().count(),
                sessions::toString);
        Eventually.that(() -> fixture.sessions() == 1, () -> fixture.sessions() + " sessions are left");
        assertFalse(gateway.call(ada, TOOL, Json.object()).isError());
    }

    @Test
    void thereAreAsManySessionsAsConfigured() {
        FixtureServer fixture = closed(new FixtureServer(Era.LEGACY));
        PeopleGateway gateway = relay(fixture, "sessions: {most: 3}");
        for (int i = 0; i < 12; i++) {
            assertFalse(gateway.call(token("p" + i), TOOL, Json.object()).isError());
        }
        Eventually.that(() -> fixture.sessions() <= 4, () -> fixture.sessions() + " sessions are left");
    }

    @Test
    void aTokenThatTheServerRefusesIsAskedForOnceAnew() {
        FixtureServer fixture = closed(new FixtureServer(Era.MODERN));
        PeopleGateway gateway = relay(fixture, "callTimeout: 30s");
        String ada = token("ada");
        assertFalse(gateway.call(ada, TOOL, Json.object()).isError());
        assertEquals(List.of("Bearer for-ada-2"), bearers(fixture, "tools/call"));
        fixture.wantToken("for-ada-3");
        assertFalse(gateway.call(ada, TOOL, Json.object()).isError());
        assertEquals(2, people.exchanges().size());
        fixture.wantToken("something else");
        ToolResult refused = gateway.call(ada, TOOL, Json.object());
        assertEquals("DENIED_UPSTREAM", refused.errorKind());
        assertTrue(refused.text().contains("refuses the token that stands for you (401)"), refused::text);
        assertEquals(3, people.exchanges().size(), "one more, not many");
        assertFalse(refused.text().contains("for-ada"), refused::text);
    }

    private static ObjectNode consent(String page) {
        return Json.object().put("error", "consent_required").put("error_uri", page);
    }

    @Test
    void whoseConsentIsMissingIsSentToThePageAndTheCallGoesOnAfterwards() {
        FixtureServer fixture = closed(new FixtureServer(Era.MODERN));
        PeopleGateway gateway = relay(fixture, "callTimeout: 30s");
        String page = "https://as.example/consent?client=gateway";
        people.answer(new TokenExchange.Answer(400, Json.text(consent(page))));
        String ada = token("ada");
        ObjectNode call = Json.object().put("name", TOOL);
        call.putObject("arguments");

        McpTestClient text = gateway.client(ada).able("elicitation");
        ToolResult told = new ToolResult(text.result("tools/call", call));
        assertEquals("DENIED", told.errorKind());
        assertTrue(told.text().contains("Open " + page + ","), told::text);
        ToolResult old = gateway.legacy(ada).call(TOOL, Json.object());
        assertTrue(old.text().contains("Open " + page + ","), old::text);

        McpTestClient able =
                gateway.client(ada).able("elicitation", Json.object().set("url", Json.object()));
        JsonNode asked = able.result("tools/call", call);
        assertEquals("input_required", asked.path("resultType").asText(), asked::toString);
        JsonNode question = asked.at("/inputRequests/consent");
        assertEquals("elicitation/create", question.path("method").asText());
        assertEquals("url", question.at("/params/mode").asText());
        assertEquals(page, question.at("/params/url").asText());
        assertFalse(question.path("params").has("elicitationId"), question::toString);
        assertTrue(question.at("/params/message").asText().contains("agree"), question::toString);

        ObjectNode again = call.deepCopy();
        again.set("requestState", asked.path("requestState"));
        again.putObject("inputResponses").putObject("consent").put("action", "decline");
        assertEquals("DENIED", new ToolResult(able.result("tools/call", again)).errorKind());
        again.putObject("inputResponses").putObject("consent").put("action", "accept");
        // Whoever accepts opens the page, and has not agreed there yet: it is not opened again and again.
        assertEquals("DENIED", new ToolResult(able.result("tools/call", again)).errorKind());
        people.answerTokens();
        fixture.forgetReceived();
        ToolResult done = new ToolResult(able.result("tools/call", again));
        assertFalse(done.isError(), done::toString);
        assertFalse(everything(fixture).contains("inputResponses"), "the answer is the gateway's");

        // The state is this caller's.
        assertTrue(
                gateway.client(token("bob")).request("tools/call", again).json().has("error"));
        // Consent that is taken back is missed when the token has to be asked for again.
        people.answer(new TokenExchange.Answer(400, Json.text(consent(page))));
        fixture.wantToken("something else");
        assertEquals(
                "input_required",
                able.result("tools/call", call).path("resultType").asText());
    }

    @Test
    void aServerCanNotSendAnybodyToAPageOfItsOwn() {
        FixtureServer fixture = closed(new FixtureServer(Era.MODERN));
        PeopleGateway gateway = relay(fixture, "callTimeout: 30s", ", consentUrl: \"https://portal.example/agree\"");
        fixture.answerTools(result -> Json.object()
                .put("isError", true)
                .put("code", "consent_required")
                .set("content", Json.array()));
        McpTestClient able =
                gateway.client(token("ada")).able("elicitation", Json.object().set("url", Json.object()));
        ObjectNode call = Json.object().put("name", TOOL);
        call.putObject("arguments");
        assertEquals(
                "complete", able.result("tools/call", call).path("resultType").asText());
        people.answer(new TokenExchange.Answer(400, Json.text(consent("https://evil.example"))));
        McpTestClient other =
                gateway.client(token("bob")).able("elicitation", Json.object().set("url", Json.object()));
        assertEquals(
                "https://portal.example/agree",
                other.result("tools/call", call)
                        .at("/inputRequests/consent/params/url")
                        .asText());
    }

    @Test
    void nothingThatWasShownIsStored() throws IOException {
        FixtureServer fixture = closed(new FixtureServer(Era.LEGACY));
        PeopleGateway gateway = relay(fixture, "callTimeout: 30s");
        String ada = token("ada");
        McpTestClient session = closed(gateway.legacy(ada));
        assertFalse(session.call(TOOL, Json.object()).isError());
        gateway.gateway().restart();
        assertFalse(session.call(TOOL, Json.object()).isError(), "its session goes on");
        gateway.close();
        open.remove(gateway);
        String signature = ada.substring(ada.lastIndexOf('.') + 1);
        int files = 0;
        try (Stream<Path> all = Files.walk(data)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertFalse(text.contains(signature) || text.contains("for-ada"), file::toString);
                files++;
            }
        }
        assertTrue(files > 3, "sessions, audit and approvals are there");
    }
}
