package switchboard.testing;

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
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/**
 * One case of the wire spec files {@code rpc/*.json}, whose {@code README.md} says what is in them.
 *
 * @param topic the file it is from
 * @param name the rule that it shows
 * @param steps what is sent, one after the other, and what must come back
 */
public record RpcSpec(String topic, String name, List<JsonNode> steps) {
    private static final Path FOLDER = Path.of("src/test/resources/rpc");
    private static final String VERSION = "2026-07-28";
    private static final String META = "io.modelcontextprotocol/";

    /** A request to send; its header names are case-insensitive. */
    public record Request(String method, String path, Map<String, String> headers, byte[] body) {}

    /** What came back; {@code body} is the last message of a stream. */
    public record Reply(int status, Function<String, @Nullable String> headers, List<JsonNode> events, byte[] body) {}

    /** Every case of every file. */
    public static List<RpcSpec> all() throws IOException {
        List<RpcSpec> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".json"))
                    .sorted()
                    .toList()) {
                for (JsonNode entry : Json.parse(Files.readAllBytes(file)).path("cases")) {
                    List<JsonNode> steps = new ArrayList<>();
                    entry.path("steps").forEach(steps::add);
                    all.add(new RpcSpec(
                            file.getFileName().toString().replace(".json", ""),
                            entry.path("name").asText(),
                            steps));
                }
            }
        }
        return all;
    }

    /** The request of a step, with what earlier steps captured. */
    public static Request request(JsonNode step, Map<String, String> captured) {
        String method = step.path("method").asText("POST");
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Accept", "application/json, text/event-stream");
        if (method.equals("POST")) {
            headers.put("Content-Type", "application/json");
        }
        JsonNode body = step.path("body").deepCopy();
        if (step.path("modern").asBoolean()) {
            modernise((ObjectNode) body, headers);
        }
        for (Map.Entry<String, JsonNode> header : step.path("headers").properties()) {
            if (header.getValue().isNull()) {
                headers.remove(header.getKey());
            } else {
                headers.put(header.getKey(), fill(header.getValue().asText(), captured));
            }
        }
        String text = step.has("raw")
                ? step.path("raw").asText()
                : body.isMissingNode() ? "" : fill(Json.text(body), captured);
        return new Request(method, step.path("path").asText("/mcp"), headers, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Where {@code reply} differs from what the step expects; adds what the step captures to {@code captured}. */
    public static List<String> check(JsonNode step, Reply reply, Map<String, String> captured) throws IOException {
        JsonNode expect = step.path("expect");
        List<String> problems = new ArrayList<>();
        if (reply.status() != expect.path("status").asInt()) {
            problems.add("status is " + reply.status());
        }
        for (Map.Entry<String, JsonNode> header : expect.path("headers").properties()) {
            String value = reply.headers().apply(header.getKey());
            boolean met = header.getValue().isNull()
                    ? value == null
                    : value != null && JsonPattern.matches(header.getValue().asText(), value);
            if (!met) {
                problems.add("header " + header.getKey() + " is " + value);
            }
        }
        body(expect.path("body"), reply.body(), problems);
        if (expect.has("events")) {
            problems.addAll(
                    JsonPattern.mismatches(expect.path("events"), Json.array().addAll(reply.events())));
        }
        for (Map.Entry<String, JsonNode> capture : expect.path("capture").properties()) {
            captured.put(capture.getKey(), captured(capture.getValue().asText(), reply));
        }
        return problems;
    }

    private static void body(JsonNode pattern, byte[] body, List<String> problems) throws IOException {
        if (pattern.isMissingNode()) {
            return;
        }
        if (pattern.asText().equals("$empty")) {
            if (body.length > 0) {
                problems.add("body is not empty: " + new String(body, StandardCharsets.UTF_8));
            }
            return;
        }
        problems.addAll(JsonPattern.mismatches(pattern, body.length == 0 ? null : Json.parse(body)));
    }

    private static String captured(String source, Reply reply) throws IOException {
        String[] kindAndName = source.split(":", 2);
        String value = kindAndName[0].equals("header")
                ? reply.headers().apply(kindAndName[1])
                : Json.parse(reply.body()).at(kindAndName[1]).asText();
        return value == null ? "" : value;
    }

    private static void modernise(ObjectNode body, Map<String, String> headers) {
        ObjectNode params = body.withObjectProperty("params");
        ObjectNode meta = params.withObjectProperty("_meta");
        meta.putIfAbsent(META + "protocolVersion", Json.array().add(VERSION).get(0));
        meta.putIfAbsent(META + "clientCapabilities", Json.object());
        List<String> unwanted = meta.properties().stream()
                .filter(field -> field.getValue().isNull())
                .map(Map.Entry::getKey)
                .toList();
        meta.remove(unwanted);
        String method = body.path("method").asText();
        headers.put("MCP-Protocol-Version", VERSION);
        headers.put("Mcp-Method", method);
        String named =
                switch (method) {
                    case "tools/call", "prompts/get" -> "name";
                    case "resources/read" -> "uri";
                    default -> "";
                };
        if (params.has(named)) {
            headers.put("Mcp-Name", params.path(named).asText());
        }
    }

    private static String fill(String text, Map<String, String> captured) {
        String filled = text;
        for (Map.Entry<String, String> value : captured.entrySet()) {
            filled = filled.replace("${" + value.getKey() + "}", value.getValue());
        }
        return filled;
    }

    @Override
    public String toString() {
        return topic + ": " + name;
    }
}
