package switchboard.testing.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import switchboard.call.Json;

/** One wire spec file. */
public final class WireSpec {
    private static final Path FOLDER = Path.of("src/test/resources/rpc");
    private static final String VERSION = "2026-07-28";
    private static final String META = "io.modelcontextprotocol/";

    private final String topic;
    private final JsonNode cases;

    private WireSpec(Path file) {
        try {
            JsonNode json = Json.parse(Files.readAllBytes(file));
            topic = file.getFileName() + ": " + json.path("topic").asText();
            cases = json.path("cases");
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is not a wire spec file", e);
        }
    }

    /** A test for each case of each file, against {@code wire}. */
    public static Stream<DynamicContainer> tests(Wire wire) {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream()
                    .map(WireSpec::new)
                    .map(spec -> spec.container(wire));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private DynamicContainer container(Wire wire) {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode one : cases) {
            tests.add(
                    DynamicTest.dynamicTest(one.path("name").asText(), () -> new Replay(wire).run(one.path("steps"))));
        }
        return DynamicContainer.dynamicContainer(topic, tests);
    }

    /** One case under way, with what it captured. */
    private static final class Replay {
        private final Wire wire;
        private final Map<String, String> captured = new HashMap<>();

        Replay(Wire wire) {
            this.wire = wire;
        }

        void run(JsonNode steps) {
            int number = 0;
            for (JsonNode step : steps) {
                number++;
                JsonNode expect = step.path("expect");
                int messages = expect.path("events").size() + (expect.has("body") ? 1 : 0);
                Wire.Reply reply = wire.send(request(step), messages);
                List<String> mismatches = mismatches(expect, reply);
                assertEquals(
                        List.of(),
                        mismatches,
                        "step " + number + " answered " + reply.status() + " " + reply.messages());
                capture(expect.path("capture"), reply);
            }
        }

        private Wire.Request request(JsonNode step) {
            String method = step.path("method").asText("POST");
            Map<String, String> headers = new LinkedHashMap<>();
            headers.put("Accept", "application/json, text/event-stream");
            if (method.equals("POST")) {
                headers.put("Content-Type", "application/json");
            }
            JsonNode body = step.path("body");
            if (step.path("modern").asBoolean()) {
                body = modern((ObjectNode) body.deepCopy(), headers);
            }
            step.path("headers").properties().forEach(header -> {
                if (header.getValue().isNull()) {
                    headers.keySet().removeIf(header.getKey()::equalsIgnoreCase);
                } else {
                    headers.keySet().removeIf(header.getKey()::equalsIgnoreCase);
                    headers.put(header.getKey(), fill(header.getValue().asText()));
                }
            });
            String text = step.has("raw") ? step.path("raw").asText() : body.isMissingNode() ? null : Json.text(body);
            return new Wire.Request(
                    method, fill(step.path("path").asText("/mcp")), headers, text == null ? null : fill(text));
        }

        private static JsonNode modern(ObjectNode message, Map<String, String> headers) {
            ObjectNode params = message.withObjectProperty("params");
            ObjectNode meta = params.withObjectProperty("_meta");
            ObjectNode filled = Json.object().put(META + "protocolVersion", VERSION);
            filled.putObject(META + "clientCapabilities");
            filled.setAll(meta);
            List<String> removed = new ArrayList<>();
            filled.properties().forEach(field -> {
                if (field.getValue().isNull()) {
                    removed.add(field.getKey());
                }
            });
            filled.remove(removed);
            params.set("_meta", filled);
            String method = message.path("method").asText();
            headers.put("MCP-Protocol-Version", VERSION);
            headers.put("Mcp-Method", method);
            switch (method) {
                case "tools/call", "prompts/get" ->
                    headers.put("Mcp-Name", params.path("name").asText());
                case "resources/read" ->
                    headers.put("Mcp-Name", params.path("uri").asText());
                default -> {}
            }
            return message;
        }

        private List<String> mismatches(JsonNode expect, Wire.Reply reply) {
            List<String> mismatches = new ArrayList<>();
            if (expect.has("status") && expect.path("status").asInt() != reply.status()) {
                mismatches.add("status should be " + expect.path("status") + " but is " + reply.status());
            }
            ObjectNode headers = Json.object();
            reply.headers().forEach(headers::put);
            expect.path("headers").properties().forEach(header -> {
                JsonNode pattern = header.getValue().isNull() ? Json.object().textNode("$absent") : header.getValue();
                JsonNode value = headers.path(header.getKey().toLowerCase(Locale.ROOT));
                mismatches.addAll(JsonPattern.mismatches(header.getKey(), pattern, value));
            });
            mismatches.addAll(body(expect, reply.messages()));
            return mismatches;
        }

        private static List<String> body(JsonNode expect, List<JsonNode> messages) {
            List<String> mismatches = new ArrayList<>();
            JsonNode body = expect.path("body");
            if (body.asText().equals("$empty")) {
                return messages.isEmpty() ? List.of() : List.of("there should be no body");
            }
            List<JsonNode> before = new ArrayList<>(messages);
            if (expect.has("body")) {
                if (messages.isEmpty()) {
                    return List.of("there is no body");
                }
                mismatches.addAll(JsonPattern.mismatches("body", body, before.removeLast()));
            }
            if (expect.has("events")) {
                mismatches.addAll(JsonPattern.mismatches(
                        "events", expect.path("events"), Json.array().addAll(before)));
            }
            return mismatches;
        }

        private void capture(JsonNode capture, Wire.Reply reply) {
            capture.properties().forEach(entry -> {
                String from = entry.getValue().asText();
                int colon = from.indexOf(':');
                String what = from.substring(colon + 1);
                String value = from.startsWith("header:")
                        ? reply.headers().getOrDefault(what.toLowerCase(Locale.ROOT), "")
                        : reply.messages().getLast().at(what).asText();
                captured.put(entry.getKey(), value);
            });
        }

        private String fill(String text) {
            String filled = text;
            for (Map.Entry<String, String> entry : captured.entrySet()) {
                filled = filled.replace("${" + entry.getKey() + "}", entry.getValue());
            }
            return filled;
        }
    }
}
