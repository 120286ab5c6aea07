package switchboard.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import switchboard.call.Json;
import switchboard.testing.fixture.FixtureServer;

/** A server with a tool for each kind of field and of answer, and one that says nothing but attacks. */
final class TriedTools implements AutoCloseable {
    /** Takes every kind of field. */
    static final String EVERY_KIND = "test_simple_text";

    /** Its texts and its answer would run if a page took them for markup. */
    static final String HOSTILE = "test_embedded_resource";

    private static final Set<String> USED = Set.of(
            EVERY_KIND,
            HOSTILE,
            "test_audio_content",
            "test_multiple_content_types",
            "test_error_handling",
            "test_header_parameter",
            "test_tool_with_progress",
            "test_trigger_tool_change",
            "test_elicitation_sep1034_defaults",
            "test_elicitation_sep1330_enums",
            "test_input_required_result_multi_round");

    private final FixtureServer fixture = new FixtureServer(FixtureServer.Era.MODERN);
    private volatile CountDownLatch held = new CountDownLatch(0);

    private volatile int more;

    TriedTools() {
        fixture.listTools(list -> {
            ArrayNode few = Json.array();
            for (JsonNode tool : list.path("tools")) {
                if (USED.contains(tool.path("name").asText())) {
                    few.add(described((ObjectNode) tool));
                }
            }
            for (int i = 0; i < more; i++) {
                few.addObject()
                        .put("name", "more_" + i)
                        .putObject("inputSchema")
                        .put("type", "object");
            }
            list.set("tools", few);
            return list;
        });
        fixture.answerTools(this::answered);
    }

    FixtureServer fixture() {
        return fixture;
    }

    /** Has {@code count} other tools beside its own from now on. */
    void more(int count) {
        more = count;
        fixture.changed("tools");
    }

    /** Keeps answers back from now on. */
    void hold() {
        held = new CountDownLatch(1);
    }

    /** Gives them. */
    void release() {
        held.countDown();
    }

    /** The arguments of the last call. */
    JsonNode arguments() {
        return lastCall().path("arguments");
    }

    /** The parameters of the last call. */
    JsonNode lastCall() {
        return calls().getLast().path("params");
    }

    /** The calls of tools that came. */
    List<JsonNode> calls() {
        return fixture.received().stream()
                .filter(message -> message.path("method").asText().equals("tools/call"))
                .toList();
    }

    private static ObjectNode described(ObjectNode tool) {
        switch (tool.path("name").asText()) {
            case EVERY_KIND -> {
                tool.set("inputSchema", everyKind());
                tool.putObject("annotations").put("readOnlyHint", true).put("openWorldHint", false);
            }
            case HOSTILE -> hostile(tool);
            case "test_trigger_tool_change" -> tool.putObject("annotations").put("destructiveHint", true);
            default -> {}
        }
        return tool;
    }

    private static void hostile(ObjectNode tool) {
        List<String> attacks = ConsolePages.ATTACKS;
        tool.put("title", attacks.get(0)).put("description", attacks.get(1));
        ObjectNode schema = tool.putObject("inputSchema").put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        for (String attack : attacks) {
            properties
                    .putObject(attack)
                    .put("type", "string")
                    .put("title", attack)
                    .put("description", attack)
                    .put("default", attack);
        }
        ArrayNode options = properties.putObject("one").putArray("oneOf");
        options.addObject().put("const", attacks.get(2)).put("title", attacks.get(1));
        properties.putObject("__proto__").put("type", "string").put("description", attacks.get(4));
        properties.putObject("loop").put("$ref", "#/$defs/loop");
        ArrayNode forms = schema.putObject("$defs").putObject("loop").putArray("anyOf");
        for (int i = 0; i < 4; i++) {
            forms.addObject().put("$ref", "#/$defs/loop"); // has no end
        }
    }

    private ObjectNode answered(ObjectNode result) {
        try {
            if (!held.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody released the answer");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return switch (result.at("/content/0/type").asText()) {
            case "resource" -> attacks();
            case "audio" -> lastCall().has("inputResponses") ? result : questions();
            default -> result;
        };
    }

    /** Two at once: one in a form, one on a page of the web. */
    private static ObjectNode questions() {
        ObjectNode result = Json.object().put("resultType", "input_required").put("requestState", "asked twice");
        ObjectNode requests = result.putObject("inputRequests");
        ObjectNode form =
                requests.putObject("volume").put("method", "elicitation/create").putObject("params");
        form.put("mode", "form").put("message", "How loud?");
        ObjectNode schema = form.putObject("requestedSchema").put("type", "object");
        schema.putObject("properties")
                .putObject("volume")
                .put("type", "integer")
                .put("maximum", 11);
        schema.putArray("required").add("volume");
        requests.putObject("terms")
                .put("method", "elicitation/create")
                .putObject("params")
                .put("mode", "url")
                .put("message", "Read the terms.")
                .put("elicitationId", "terms-1")
                .put("url", "https://terms.example/?a=1");
        return result;
    }

    private static ObjectNode attacks() {
        ObjectNode result = Json.object();
        ArrayNode content = result.putArray("content");
        ObjectNode structured = result.putObject("structuredContent");
        for (String attack : ConsolePages.ATTACKS) {
            content.addObject().put("type", "text").put("text", attack);
            content.addObject()
                    .put("type", "resource_link")
                    .put("uri", attack)
                    .put("name", attack)
                    .put("title", attack)
                    .put("description", attack);
            structured.put(attack, attack);
        }
        for (String type : List.of("image/svg+xml", "text/html", ConsolePages.ATTACKS.get(2))) {
            content.addObject()
                    .put("type", "image")
                    .put("data", base64(ConsolePages.ATTACKS.get(4)))
                    .put("mimeType", type);
        }
        ObjectNode page = content.addObject().put("type", "resource").putObject("resource");
        page.put("uri", "ui://page").put("mimeType", "text/html").put("text", ConsolePages.ATTACKS.get(0));
        content.addObject().put("type", "image").put("data", "\" onerror=\"x").put("mimeType", "image/png");
        return result;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode everyKind() {
        try (InputStream schema = TriedTools.class.getResourceAsStream("/console/every-kind.json")) {
            return Json.parse(Objects.requireNonNull(schema).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        release();
        fixture.close();
    }
}
