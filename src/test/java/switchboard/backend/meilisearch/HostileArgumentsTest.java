package switchboard.backend.meilisearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.call.Json;
import switchboard.catalog.AnswerArguments;
import switchboard.catalog.ToolDescriptor;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;
import switchboard.upstream.UpstreamSettings;

/**
 * Every argument of every tool, and what lies inside, gets what it was not made for: a clear refusal, or a request in
 * which the value is where it belongs and exactly what was given. The engine sees no other path and no other field.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class HostileArgumentsTest {
    private static final List<String> TEXTS = List.of(
            "\"quote",
            "}}],{x",
            "a\nb\r\nX-Header: y",
            "../keys",
            "..%2fkeys",
            "%2e%2e/keys",
            "a\u0000b",
            "🙂",
            "\ud83d",
            "\udc00x",
            "A".repeat(1 << 20),
            "movies?limit=1",
            "#",
            "{\"$ne\":1}",
            "\\",
            "日本語",
            " ",
            "",
            "*",
            "7",
            "' OR id > 0 OR '");
    private static final List<String> VALUES = List.of(
            "0",
            "-1",
            "5.5",
            "1e400",
            "1e39",
            "99999999999999999999",
            "true",
            "[]",
            "{}",
            "[[[[]]]]",
            "[1,\"x\",null]",
            "null",
            "-0.0");
    private static final Set<String> PATHS = Set.of(
            "/indexes",
            "/stats",
            "/indexes/movies",
            "/indexes/movies/settings",
            "/indexes/movies/stats",
            "/indexes/7",
            "/indexes/7/settings",
            "/indexes/7/stats",
            "/indexes/7/search",
            "/indexes/movies/search");

    private record Seen(String method, URI uri, JsonNode body) {}

    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private HttpServer engine;
    private BackendHarness tools;

    @BeforeEach
    void start() throws IOException {
        engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        engine.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        engine.createContext("/", this::answer);
        engine.start();
        tools = BackendHarness.start(
                new MeilisearchModule(_ -> Optional.empty()),
                new MeilisearchSettings(
                        URI.create("http://127.0.0.1:" + engine.getAddress().getPort()),
                        null,
                        null,
                        Duration.ofMinutes(5),
                        null,
                        UpstreamSettings.defaults()),
                Path.of("target"));
    }

    @AfterEach
    void stop() {
        tools.close();
        engine.stop(0);
    }

    /** Says to everything what each of the engine's answers holds. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            seen.add(new Seen(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI(),
                    body.length == 0 ? Json.object() : Json.parse(body)));
            byte[] answer = Json.bytes(Json.parse(
                    "{\"uid\":\"movies\",\"primaryKey\":null,\"results\":[],\"offset\":0,\"limit\":20,\"total\":0,"
                            + "\"indexes\":{},\"numberOfDocuments\":3,\"hits\":[],\"estimatedTotalHits\":0,"
                            + "\"semanticHitCount\":1}"));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Test
    void nothingUnintendedReachesTheEngine() throws JsonProcessingException {
        List<JsonNode> values = new ArrayList<>();
        for (String text : TEXTS) {
            values.add(Json.mapper().valueToTree(text));
            values.add(Json.array().add(text));
            values.add(Json.array().add(Json.array().add(text)));
            values.add(Json.object().put("embedder", text).put("semanticRatio", 0.5));
        }
        for (String value : VALUES) {
            values.add(Json.parse(value));
            values.add(Json.object().put("embedder", "default").set("semanticRatio", Json.parse(value)));
        }
        int accepted = 0;
        for (ToolDescriptor tool : BackendHarness.descriptors("meilisearch")) {
            for (Map.Entry<String, JsonNode> property :
                    tool.inputSchema().path("properties").properties()) {
                for (JsonNode value : values) {
                    accepted += attack(tool, property.getKey(), value) ? 1 : 0;
                }
            }
        }
        assertTrue(accepted > 100, "texts are texts, whatever is in them: " + accepted);
    }

    /** Whether the value was taken. */
    private boolean attack(ToolDescriptor tool, String argument, JsonNode value) {
        ObjectNode arguments = Json.object();
        if (tool.inputSchema().path("properties").has("indexUid")) {
            arguments.put("indexUid", "movies");
        }
        if (argument.equals("vector")) {
            arguments.putObject("hybrid").put("embedder", "default");
        }
        arguments.set(argument, value);
        seen.clear();
        ToolResult result = tools.call(tool.name(), arguments);
        String what = tool.name() + "." + argument + ": " + shortened(value.toString());
        if (result.isError()) {
            assertEquals("INVALID_ARGUMENT", result.errorKind(), () -> what + " " + shortened(result.text()));
            assertTrue(!result.text().isBlank() && result.text().length() < 20_000, what);
            assertEquals(List.of(), seen, what);
            return false;
        }
        for (Seen request : seen) {
            assertTrue(PATHS.contains(request.uri().getRawPath()), () -> what + " " + request);
            if (request.method().equals("POST")) {
                asGiven(what, arguments, request.body());
            }
        }
        return true;
    }

    /** The body holds the arguments, unchanged, and what the defaults add. */
    private static void asGiven(String what, ObjectNode arguments, JsonNode body) {
        ObjectNode expected = arguments.deepCopy();
        expected.remove("indexUid");
        ObjectNode rest = (ObjectNode) body.deepCopy();
        arguments.properties().forEach(given -> {
            if (given.getValue().isNull()) {
                return; // as if it were not there
            }
            JsonNode sent = rest.remove(given.getKey());
            boolean said = !given.getKey().equals("indexUid")
                    && !AnswerArguments.NAMES.contains(given.getKey())
                    && !(given.getKey().equals("showRankingScore")
                            && !given.getValue().asBoolean());
            assertEquals(said ? number(given.getValue()) : null, sent == null ? null : number(sent), what);
        });
        rest.fieldNames()
                .forEachRemaining(name -> assertTrue(Set.of("limit", "offset").contains(name), what));
    }

    /** The node with each number written in one way, so that 0 and 0.0 are what they are: the same. */
    private static String number(JsonNode node) {
        if (node.isNumber()) {
            return node.decimalValue().stripTrailingZeros().toPlainString();
        }
        if (node.isContainerNode()) {
            StringBuilder all = new StringBuilder();
            node.fieldNames()
                    .forEachRemaining(name -> all.append(name).append(':').append(number(node.get(name))));
            if (node.isArray()) {
                node.forEach(element -> all.append(number(element)).append(','));
            }
            return all.append(';').toString();
        }
        return node.toString();
    }

    private static String shortened(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "…";
    }
}
