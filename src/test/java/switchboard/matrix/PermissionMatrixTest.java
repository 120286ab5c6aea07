package switchboard.matrix;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.OpenSearchServer;
import switchboard.testing.PostgresCluster;
import switchboard.testing.TokenExchange;

/**
 * Every tool and resource of every backend, asked by people with all kinds of claims for documents that are hidden from them: no
 * word of what is hidden is in an answer. Where no engine's own scores or counts are in it, it is that of a gateway that never had
 * the documents.
 */
@Tag("engines")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PermissionMatrixTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    @RegisterExtension
    static final PostgresCluster TWIN_CLUSTER = new PostgresCluster();

    @RegisterExtension
    static final OpenSearchServer OPENSEARCH = new OpenSearchServer();

    private static final Map<String, Object> MEMBER = Map.of("groups", List.of("hr", "it"), "dept", "hr");
    private static final Map<String, Object> OUTSIDER = Map.of("groups", List.of("it"), "dept", "it");
    /** Marks a second set of calls of a tool. */
    private static final String OURS = " of ours";

    /** The number in what is hidden. */
    private static final Pattern NUMBER = Pattern.compile("(?<![0-9.])4711(?![0-9])");

    private static final MatrixCalls CALLS = new MatrixCalls();

    @TempDir
    static Path folder;

    private static TokenExchange people;
    private static HiddenGateway gateway;
    private static HiddenGateway twin;

    @BeforeAll
    static void start() throws IOException {
        people = new TokenExchange();
        people.signTokens();
        ApiKey feeder = ApiKey.generate(new SecureRandom());
        gateway = new HiddenGateway(
                Files.createDirectories(folder.resolve("with")),
                people.issuer(),
                feeder,
                new HiddenEngines(CLUSTER, OPENSEARCH, "matrix-with", true),
                true);
        twin = new HiddenGateway(
                Files.createDirectories(folder.resolve("twin")),
                people.issuer(),
                feeder,
                new HiddenEngines(TWIN_CLUSTER, OPENSEARCH, "matrix-twin", false),
                false);
    }

    @AfterAll
    static void stop() { // what was started, if not all of it was
        for (AutoCloseable started : new AutoCloseable[] {gateway, twin, people}) {
            if (started != null) {
                assertDoesNotThrow(started::close);
            }
        }
    }

    /** Claims of people who may not read what is hidden. */
    private static Map<String, Map<String, Object>> outsiders() {
        Map<String, Map<String, Object>> people = new LinkedHashMap<>();
        people.put("of it", OUTSIDER);
        people.put("one text", Map.of("groups", "it", "dept", "it"));
        people.put("of none", Map.of("groups", List.of("none"), "dept", "none"));
        people.put("absent", Map.of());
        people.put("no groups", Map.of("groups", List.of(), "dept", ""));
        people.put("a number", Map.of("groups", 4711, "dept", 4711));
        people.put("an object", Map.of("groups", Map.of("hr", true), "dept", Map.of("hr", true)));
        people.put("a boolean", Map.of("groups", true, "dept", true));
        people.put("lists in a list", Map.of("groups", List.of(List.of("hr")), "dept", List.of("hr", "it")));
        for (String text : List.of(
                "hr\" OR dept = \"hr",
                "hr') OR ('1'='1",
                "*",
                "{hr}",
                "},{hr",
                "hr,it",
                "h?",
                "[\"hr\"]",
                "{list:groups}",
                "ｈｒ",
                "h\u200Br",
                " hr",
                "hr\u00a0",
                "hr\n",
                "%68r",
                "hr\u0000",
                "everyone")) {
            people.put(text, Map.of("groups", List.of(text, "group:hr"), "dept", text));
        }
        return people;
    }

    @Test
    @Order(1)
    void everyToolIsInTheTable() {
        Set<String> listed = new TreeSet<>(gateway.client(MEMBER, true).toolNames());
        Set<String> table = new TreeSet<>();
        for (String tool : CALLS.all().keySet()) {
            String name = tool.replace(OURS, "");
            // Names that only one backend has are listed without it.
            table.add(listed.contains(name) ? name : name.substring(name.indexOf("__") + 2));
        }
        assertEquals(listed, table);
    }

    /** Otherwise the calls would prove nothing. */
    @Test
    @Order(2)
    void aMemberIsShownWhatIsHiddenFromOthers() {
        List<String> silent = new ArrayList<>();
        try (McpTestClient member = gateway.client(MEMBER, true)) {
            CALLS.all().forEach((tool, calls) -> {
                String answers = calls.reads().stream()
                        .map(call -> answer(member, tool, gateway.named(call, gateway)))
                        .reduce("", String::concat);
                if (calls.shows() != told(answers)) {
                    silent.add(tool + ": " + answers.substring(0, Math.min(400, answers.length())));
                }
            });
        }
        assertEquals("", String.join("\n", silent));
    }

    /** The same for what is no tool, and for what somebody else may read. */
    @Test
    @Order(3)
    void everybodyIsShownTheirOwn() {
        try (McpTestClient member = gateway.client(MEMBER, true)) {
            Map<String, String> answers = requested(member, gateway);
            for (String shown : List.of("agentroot://secret/payroll.md", "\"sec\"", "\"value\":\"pay\"")) {
                String answer = answers.entrySet().stream()
                        .filter(asked -> asked.getKey().contains(shown))
                        .map(Map.Entry::getValue)
                        .reduce("", String::concat);
                assertTrue(
                        shown.startsWith("agentroot:")
                                ? told(answer)
                                : answer.contains("secret") || answer.contains("payroll.md"),
                        shown + answer);
            }
        }
        try (McpTestClient client = gateway.client(OUTSIDER, true)) {
            Map<String, String> found = new LinkedHashMap<>();
            asked(client, gateway, false)
                    .forEach((call, answer) -> found.merge(call.split("_", 2)[0], answer, String::concat));
            for (String backend : List.of(
                    "vectordb",
                    "agentroot",
                    "weaviate",
                    "rooms",
                    "meilisearch",
                    "opensearch",
                    "settings",
                    "roles",
                    "inner",
                    "search")) {
                assertTrue(
                        found.get(backend).contains("anterns hang there"), () -> backend + ": " + found.get(backend));
            }
            assertTrue(found.get("search").contains("switchboard://web/pages/1"), () -> found.get("search"));
        }
    }

    @Test
    @Order(4)
    void nobodyElseIsToldOfIt() {
        outsiders().forEach(PermissionMatrixTest::isToldNothing);
    }

    private static void isToldNothing(String who, Map<String, Object> claims) {
        List<String> leaks = new ArrayList<>();
        try (McpTestClient client = gateway.client(claims, true)) {
            asked(client, gateway, false).forEach((call, answer) -> {
                if (leaks(call, claims, answer)) {
                    leaks.add(who + " " + call + ": " + answer);
                }
            });
        }
        assertEquals("", String.join("\n", leaks));
    }

    /** In both eras, for somebody who may read some documents, and for somebody who may read none. */
    @Test
    @Order(5)
    void answersAreThoseOfAGatewayThatNeverHadIt() {
        for (Map<String, Object> claims :
                List.of(OUTSIDER, Map.<String, Object>of("groups", List.of("none"), "dept", "it"))) {
            for (boolean modern : List.of(true, false)) {
                Map<String, String> answers;
                Map<String, String> expected;
                try (McpTestClient client = gateway.client(claims, modern);
                        McpTestClient other = twin.client(claims, modern)) {
                    answers = asked(client, gateway, true);
                    expected = asked(other, twin, true);
                }
                List<String> different = new ArrayList<>();
                answers.forEach((call, answer) -> {
                    if (!answer.equals(expected.get(call))) {
                        different.add(call + ":\n  " + answer + "\n  " + expected.get(call));
                    }
                });
                assertEquals("", String.join("\n", different));
            }
        }
    }

    @Test
    @Order(6)
    void nobodyElseChangesIt() {
        String before = shown();
        assertTrue(told(before), before);
        for (Map<String, Object> claims : List.of(OUTSIDER, Map.<String, Object>of())) {
            try (McpTestClient client = gateway.client(claims, true)) {
                CALLS.all().forEach((tool, calls) -> calls.writes().forEach(call -> {
                    String answer = answer(client, tool, gateway.named(call, gateway));
                    assertFalse(leaks(call, claims, answer), () -> tool + call + ": " + answer);
                }));
            }
        }
        assertEquals(before, shown());
        // Nor has a write shown it to somebody else.
        isToldNothing("of it, later", OUTSIDER);
        isToldNothing("absent, later", Map.of());
    }

    private static String shown() {
        try (McpTestClient member = gateway.client(MEMBER, true)) {
            StringBuilder all = new StringBuilder();
            for (String tool : List.of(
                    "vectordb__get_document",
                    "inner__get_document",
                    "agentroot__get",
                    "weaviate__weaviate-objects-get",
                    "agentroot__get_chunk")) {
                for (String call : CALLS.all().get(tool).reads()) {
                    all.append(gateway.steady(answer(member, tool, gateway.named(call, gateway))));
                }
            }
            return all.toString();
        }
    }

    /** The answers to all calls, and to all that MCP has besides tools. */
    private static Map<String, String> asked(McpTestClient client, HiddenGateway of, boolean compared) {
        Map<String, String> answers = new LinkedHashMap<>();
        CALLS.all().forEach((tool, calls) -> {
            if (calls.same() || !compared) {
                calls.reads()
                        .forEach(call ->
                                answers.put(tool + call, of.steady(answer(client, tool, of.named(call, gateway)))));
            }
        });
        answers.putAll(requested(client, of));
        return answers;
    }

    private static Map<String, String> requested(McpTestClient client, HiddenGateway of) {
        Map<String, String> answers = new LinkedHashMap<>();
        requests()
                .forEach((method, all) -> all.forEach(params -> {
                    HttpReply reply = client.request(method, params);
                    assertTrue(Set.of(200, 400, 404).contains(reply.status()), () -> method + params + reply);
                    answers.put(method + params, of.steady(reply.body()));
                }));
        return answers;
    }

    private static Map<String, List<ObjectNode>> requests() {
        Map<String, List<ObjectNode>> requests = new LinkedHashMap<>();
        requests.put("resources/list", List.of(Json.object()));
        requests.put("resources/templates/list", List.of(Json.object()));
        requests.put("prompts/list", List.of(Json.object()));
        List<ObjectNode> reads = new ArrayList<>();
        for (String uri : List.of(
                "agentroot://secret/payroll.md",
                "agentroot://secret/payrol.md",
                "agentroot://secret/",
                "switchboard://agentroot/secret/payroll.md",
                "pg://system_info",
                "ui://switchboard/results.html")) {
            reads.add(Json.object().put("uri", uri));
        }
        requests.put("resources/read", reads);
        requests.put(
                "completion/complete",
                List.of(
                        completion("agentroot://{collection}/{+path}", "collection", ""),
                        completion("agentroot://{collection}/{+path}", "collection", "sec"),
                        completion("agentroot://secret/{+path}", "path", ""),
                        completion("agentroot://{collection}/{+path}", "path", "pay")));
        return requests;
    }

    private static ObjectNode completion(String template, String argument, String value) {
        ObjectNode params = Json.object();
        params.putObject("ref").put("type", "ref/resource").put("uri", template);
        params.putObject("argument").put("name", argument).put("value", value);
        return params;
    }

    private static String answer(McpTestClient client, String tool, String arguments) {
        ObjectNode params = Json.object().put("name", tool.replace(OURS, ""));
        try {
            params.set("arguments", Json.parse(arguments));
        } catch (JsonProcessingException e) {
            throw new AssertionError(arguments, e);
        }
        HttpReply reply = client.request("tools/call", params);
        assertEquals(200, reply.status(), () -> tool + arguments + reply);
        return reply.body();
    }

    /** Whether it is told of what is hidden in more than the words of the call and of the caller's claims. */
    private static boolean leaks(String call, Map<String, Object> claims, String answer) {
        String asked = gateway.named(call, gateway) + claims;
        return told(answer)
                || (NUMBER.matcher(answer).find() && !NUMBER.matcher(asked).find())
                || gateway.secrets().stream().anyMatch(secret -> answer.contains(secret) && !asked.contains(secret));
    }

    private static boolean told(String answer) {
        return answer.toLowerCase(Locale.ROOT).contains(HiddenEngines.CANARY);
    }
}
