package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.catalog.ToolDescriptor;
import switchboard.testing.BackendHarness;
import switchboard.testing.FaultServer;
import switchboard.testing.HttpReply;
import switchboard.testing.McpTestClient;
import switchboard.testing.SampleArguments;
import switchboard.testing.TestGateway;

/**
 * Every tool of every kind of backend with everything wrong that a caller or an engine can get wrong: whatever a tool then
 * says names what to do next, and neither where an engine is, nor what classes the gateway is made of, nor what is not the
 * caller's to see.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EveryErrorTest {
    private static final ApiKey RED = ApiKey.generate(new SecureRandom());
    private static final ApiKey BLUE = ApiKey.generate(new SecureRandom());
    private static final List<String> TYPES =
            List.of("agentroot", "vectordb", "weaviate", "meilisearch", "postgres", "switchboard");

    /** What only red may see; no near name of it may be told to others. */
    private static final String HIDDEN = "Hidden_harbour";

    /** What an engine's defect says when it says too much. */
    private static final String TALKATIVE = "dial tcp 10.9.8.7:8080: lookup engine-7.internal on 127.0.0.11:53: no such"
            + " host at http://engine-7.internal:8080/v1 and engine-7:8080\\n"
            + "java.lang.IllegalStateException: com.example.engine.Broken$Inner\\n"
            + "\\tat com.example.engine.Broken.run(Broken.java:17)\\n\\tat java.base/java.lang.Thread.run(Thread.java:1)";

    private static final Pattern TELLTALE = Pattern.compile(
            "127\\.0\\.0\\.1|10\\.9\\.8\\.7|localhost|engine-7"
                    + "|https?://[a-z0-9.-]+:\\d+|Exception|\\bat [a-z]+\\.|\\.java\\b|\\b(?:java|io|com|org|switchboard)\\.[a-z]+\\.");

    /** Words that begin or carry a step: what to give, to do, to ask for, or where to look. */
    private static final Pattern STEP = Pattern.compile(
            "(?i)\\b(?:use|give|pass|send|ask|say|name|check|choose|search|shows?"
                    + "|lists?|gives?|names|try|wait|look|leave|read|start|update|browse|operator|did you mean|must|may not have"
                    + "|is required|required|known arguments|takes no|available|known|allowed|at most|one of|known are|must not|there are|are:|split|list from|write|call)\\b");

    @TempDir
    private static Path folder;

    private static volatile FaultServer.Behaviour now = FaultServer.json("{}");
    private static FaultServer engine;
    private static TestGateway gateway;
    private static McpTestClient red;
    private static McpTestClient blue;

    @BeforeAll
    static void start() throws IOException {
        engine = new FaultServer(socket -> now.answer(socket));
        Path root = folder.toRealPath();
        Files.createDirectories(root.resolve("docs"));
        Files.writeString(root.resolve("docs/tugs.md"), "# Tugs\n\nA tug pulls ships.\n");
        Files.writeString(root.resolve("teams.yaml"), """
                teams:
                  red:
                    keys: [{id: red1, sha256: %s}]
                    grants: ["switchboard:*", "agentroot:*", "vectordb:*", "texts:*", "weaviate:*", "meilisearch:*", "postgres:*"]
                  blue:
                    keys: [{id: blue1, sha256: %s}]
                    grants:
                      ["switchboard:*", "agentroot:*:blue-*", "vectordb:*:blue-*", "weaviate:*:Blue*", "meilisearch:*:blue-*"]
                """.formatted(RED.sha256(), BLUE.sha256()));
        String once = "connection: { breaker: { window: 10000 }, timeouts: { request: 2s }, retries: 0 }";
        gateway = TestGateway.start("""
                auth: {mode: keys}
                audit: {to: none}
                embedders:
                  none: {provider: none}
                  moody: {provider: openai, url: '%1$s/v1', model: words, dimension: 3, timeout: 1s, cache: 0}
                  picky: {provider: openai, url: '%1$s/v1', model: words, dimension: 3, timeout: 10s, cache: 0}
                backends:
                  agentroot: {type: agentroot, dataDir: one, roots: ['%2$s'], embedder: none}
                  vectordb: {type: vectordb, dataDir: two, ingestRoots: ['%2$s'], embedder: moody}
                  texts: {type: vectordb, dataDir: three, ingestRoots: ['%2$s'], embedder: picky}
                  weaviate: {type: weaviate, url: '%1$s', writes: true, %3$s}
                  meilisearch: {type: meilisearch, url: '%1$s', %3$s}
                  postgres: {type: postgres, connection: {host: 127.0.0.1, port: 1, database: nowhere, user: nobody}}
                """.formatted(engine.url(), root, once), root);
        red = gateway.modern().with("Authorization", "Bearer " + RED.text());
        blue = gateway.modern().with("Authorization", "Bearer " + BLUE.text());
        red.call("collection_add", json("{'name':'" + HIDDEN + "','path':'" + root.resolve("docs") + "'}"));
        red.call("collection_update", json("{'name':'" + HIDDEN + "'}"));
        now = FaultServer.json("{\"data\":[{\"index\":0,\"embedding\":[1,0,0]}]}");
        assertFalse(red.call("vectordb__ingest_text", json("{'content':'Tugs.','library':'" + HIDDEN + "'}"))
                .isError());
    }

    @AfterAll
    static void stop() {
        gateway.close();
        engine.close();
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) Json.parse(text.replace('\'', '"'));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What was said, by the call that made it be said. */
    private final Map<String, String> said = new TreeMap<>();

    private void call(McpTestClient who, String type, ToolDescriptor tool, ObjectNode arguments) {
        HttpReply reply = who.request(
                "tools/call",
                Json.object().put("name", type + "__" + tool.name()).set("arguments", arguments));
        JsonNode answer = reply.json();
        String text = Json.text(arguments);
        String which = tool.name() + " " + (text.length() > 120 ? text.substring(0, 120) + "…" : text);
        if (answer.has("error")) {
            said.put(which, answer.at("/error/message").asText());
        } else if (answer.at("/result/isError").asBoolean()) {
            said.put(which, answer.at("/result/content/0/text").asText());
        }
    }

    /** Whatever was said has a shape. */
    private void check(String when) {
        List<String> wrong = new ArrayList<>();
        Set<String> names = names();
        said.forEach((call, message) -> {
            // What the caller wrote itself may stand in the answer.
            Matcher telltale = TELLTALE.matcher(message);
            if (telltale.find()) {
                wrong.add(call + "\n   tells " + telltale.group() + ": " + message);
            }
            boolean named = names.stream().anyMatch(message::contains);
            if (!STEP.matcher(message).find() || !named && message.length() < 20) {
                wrong.add(call + "\n   names no step: " + message);
            }
        });
        assertTrue(wrong.isEmpty(), () -> when + ":\n" + String.join("\n", wrong));
    }

    private static Set<String> names() {
        Set<String> names = new TreeSet<>(TYPES);
        TYPES.forEach(type -> BackendHarness.descriptors(type).forEach(tool -> {
            names.add(tool.name());
            tool.inputSchema().path("properties").fieldNames().forEachRemaining(names::add);
        }));
        return names;
    }

    private void wrongCalls(McpTestClient who, String type, ToolDescriptor tool, String resource) {
        call(who, type, tool, Json.object());
        call(who, type, tool, Json.object().put("no_such_argument", 1));
        ObjectNode sample = SampleArguments.of(tool, resource);
        call(who, type, tool, sample);
        call(who, type, tool, sample.deepCopy().put("no_such_argument", 1));
        tool.inputSchema().path("properties").properties().forEach(property -> {
            String name = property.getKey();
            String schema = property.getValue().path("type").asText();
            call(who, type, tool, sample.deepCopy().set(name, wrongFor(schema)));
            call(who, type, tool, sample.deepCopy().putNull(name));
            switch (schema) {
                case "string" -> {
                    call(who, type, tool, sample.deepCopy().put(name, ""));
                    call(who, type, tool, sample.deepCopy().put(name, " \t"));
                    call(who, type, tool, sample.deepCopy().put(name, "no/such/../thing\u0000"));
                    call(who, type, tool, sample.deepCopy().put(name, "x".repeat(70_000)));
                }
                case "integer", "number" -> {
                    call(who, type, tool, sample.deepCopy().put(name, -1));
                    call(who, type, tool, sample.deepCopy().put(name, Long.MAX_VALUE));
                }
                case "array" -> {
                    ObjectNode many = sample.deepCopy();
                    for (int i = 0; i < 2_000; i++) {
                        many.withArrayProperty(name).add("x" + i);
                    }
                    call(who, type, tool, many);
                }
                case "object" ->
                    call(who, type, tool, sample.deepCopy().set(name, json("{'no such':{'a':[1]},'':null}")));
                default -> {}
            }
        });
    }

    private static JsonNode wrongFor(String schema) {
        return switch (schema) {
            case "string" -> Json.object().numberNode(17);
            case "array", "object" -> Json.object().textNode("text");
            default -> Json.object().set("a", Json.object());
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"agentroot", "vectordb", "weaviate", "meilisearch", "postgres", "switchboard"})
    void wrongArgumentsNameWhatToDo(String type) {
        now = FaultServer.reply(404, "application/json", "{\"message\":\"no\"}");
        BackendHarness.descriptors(type).forEach(tool -> {
            wrongCalls(red, type, tool, "Hidden_harbor");
        });
        assertFalse(said.isEmpty());
        check("wrong arguments");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200, 400, 401, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504, 999})
    void whatAnEngineAnswersNamesWhatToDo(int status) {
        String weaviate = "{\"error\":[{\"message\":\"" + TALKATIVE + "\"}],";
        String both = weaviate + "\"message\":\"" + TALKATIVE
                + "\",\"code\":\"some_code\",\"type\":\"invalid_request\",\"errors\":[{\"message\":\"" + TALKATIVE
                + "\"}]}";
        for (FaultServer.Behaviour behaviour : List.of(
                FaultServer.reply(status, "application/json", both),
                FaultServer.reply(status, "application/json", both.replace("invalid_request", "internal")),
                FaultServer.reply(status, "application/json", "{\"error\":{\"message\":\"" + TALKATIVE + "\"}}"),
                FaultServer.reply(
                        status, "text/plain", TALKATIVE.replace("\\n", "\n").replace("\\t", "\t")),
                FaultServer.reply(status, "text/html", "<html>"))) {
            now = status == 0 ? FaultServer.reset() : behaviour;
            for (String type : List.of("weaviate", "meilisearch")) {
                BackendHarness.descriptors(type)
                        .forEach(tool -> call(red, type, tool, SampleArguments.of(tool, "Article")));
            }
            call(red, "vectordb", tool("vectordb", "ingest_text"), json("{'content':'Ships " + status + ".'}"));
            check("status " + status);
            said.clear();
            if (status == 0) {
                return;
            }
        }
    }

    @Test
    void enginesThatHangNameWhatToDo() {
        now = FaultServer.silentAfter("");
        call(red, "weaviate", tool("weaviate", "weaviate-collections-get-config"), Json.object());
        call(red, "meilisearch", tool("meilisearch", "meilisearch_list_indexes"), Json.object());
        call(red, "vectordb", tool("vectordb", "ingest_text"), json("{'content':'Ships wait.'}"));
        assertEquals(3, said.size(), said::toString);
        check("hung");
    }

    @Test
    void aTextThatTheEmbedderDoesNotTakeIsNamedWithItsLength() {
        for (int status : new int[] {400, 413, 422}) {
            now = FaultServer.reply(status, "application/json", "{\"error\":{\"message\":\"input is too long\"}}");
            call(red, "texts", tool("vectordb", "ingest_text"), json("{'content':'" + "word ".repeat(300) + "'}"));
            String message = said.values().iterator().next();
            assertTrue(message.contains("input is too long"), message);
            assertTrue(message.matches("(?s).*longest .* \\d+ characters.* \\d+ tokens.*"), message);
            check("embedder " + status);
            said.clear();
        }
    }

    /** A mutation of any look-up of near names that leaves out the caller's rights fails here. */
    @Test
    void noMessageNamesWhatTheCallerMayNotSee() {
        now = FaultServer.json(
                ("{'classes':[{'class':'HIDDEN','properties':[]}],'results':[{'uid':'HIDDEN','primaryKey':'id'}],"
                                + "'offset':0,'limit':20,'total':1,'indexes':{'HIDDEN':{}},'status':'available',"
                                + "'errors':[{'message':'Cannot query field \\\\\\\"Hidden_harbor\\\\\\\". Did you mean"
                                + " \\\\\\\"HIDDEN\\\\\\\"?'}]}")
                        .replace("HIDDEN", HIDDEN)
                        .replace("\\\\\\\"", "QUOTE")
                        .replace('\'', '"')
                        .replace("QUOTE", "\\\""));
        FaultServer.Behaviour lists = now;
        FaultServer.Behaviour missing = FaultServer.reply(
                404,
                "application/json",
                "{\"message\":\"Index not found.\",\"code\":\"index_not_found\",\"type\":\"invalid_request\"}");
        now = socket -> {
            boolean ofOne = engine.requests().getLast().matches("(?s)\\w+ /indexes/.*");
            (ofOne ? missing : lists).answer(socket);
        };
        for (String type : List.of("agentroot", "vectordb", "weaviate", "meilisearch", "switchboard")) {
            BackendHarness.descriptors(type).forEach(tool -> {
                for (String near :
                        List.of("Hidden_harbor", "hidden-harbour", "blue-Hidden_harbour", "BlueHidden_harbour")) {
                    call(blue, type, tool, SampleArguments.of(tool, near));
                }
            });
        }
        call(blue, "agentroot", tool("agentroot", "get"), json("{'file':'Hidden_harbor/tugs.md'}"));
        call(blue, "agentroot", tool("agentroot", "multi_get"), json("{'pattern':'Hidden_*/**'}"));
        assertFalse(said.isEmpty());
        said.forEach((call, message) -> {
            // The names that were asked for are the caller's own.
            String rest = message.replace("BlueHidden_harbour", "").replace("blue-Hidden_harbour", "");
            assertFalse(
                    rest.toLowerCase(Locale.ROOT).contains(HIDDEN.toLowerCase(Locale.ROOT)),
                    () -> call + ": " + message);
        });
        check("as another team");
        // And whoever may see it is told.
        said.clear();
        call(red, "agentroot", tool("agentroot", "collection_update"), json("{'name':'Hidden_harbor'}"));
        call(red, "vectordb", tool("vectordb", "search"), json("{'query':'x','library':'Hidden_harbor'}"));
        call(
                red,
                "meilisearch",
                tool("meilisearch", "meilisearch_search"),
                json("{'indexUid':'Hidden_harbor','q':'x'}"));
        assertEquals(3, said.size(), said::toString);
        said.forEach((call, message) -> assertTrue(message.contains(HIDDEN), () -> call + ": " + message));
    }

    private static ToolDescriptor tool(String type, String name) {
        return BackendHarness.descriptors(type).stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
