package switchboard.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import switchboard.call.Json;

/** Sends the examples of one server to a gateway that stands in for it, and holds the answers against the table. */
public final class SeedExamples {
    private final String view;
    private final String printedBase;
    private final Map<String, String> values = new HashMap<>();

    /**
     * Examples for the view {@code view}.
     *
     * @param printedBase what the documentation writes before {@code /mcp}
     * @param values what stands for {@code ${name}} in requests and expectations
     */
    public SeedExamples(String view, String printedBase, Map<String, String> values) {
        this.view = view;
        this.printedBase = printedBase;
        this.values.putAll(values);
    }

    /** The gateway that an example is for, which may be prepared for it. */
    @FunctionalInterface
    public interface Gateways {
        /** The gateway for {@code example}. */
        TestGateway prepared(SeedTable.Example example);
    }

    /** A test for each of {@code examples}, in their order. */
    public Stream<DynamicTest> tests(List<SeedTable.Example> examples, Gateways gateways) {
        return examples.stream()
                .map(example ->
                        DynamicTest.dynamicTest(example.toString(), () -> check(example, gateways.prepared(example))));
    }

    private void check(SeedTable.Example example, TestGateway gateway) {
        switch (example.kind()) {
            case TOOL -> {
                ObjectNode request = (ObjectNode) filled(example.request());
                call(example, gateway, request.path("name").asText(), (ObjectNode) request.path("arguments"));
            }
            case ARGUMENTS -> call(example, gateway, example.tool(), (ObjectNode) filled(example.request()));
            case RPC -> reply(example, post(gateway, example.request()));
            case CURL -> reply(example, curl(example, gateway));
            case SHELL, PYTHON, NOTE -> throw new IllegalStateException(example + " is for another test");
        }
    }

    private void call(SeedTable.Example example, TestGateway gateway, String tool, ObjectNode arguments) {
        // A structured result, as clients of today ask for it: the revisions of the examples had text only.
        ToolResult result = gateway.modern(view).call(tool, arguments);
        expect(example, result.result());
        capture(example, result.result(), Map.of());
    }

    private void reply(SeedTable.Example example, HttpReply reply) {
        assertEquals(example.status(), reply.status(), reply.body());
        expect(example, reply.json());
        capture(example, reply.json(), Map.of("session", reply.header("Mcp-Session-Id")));
    }

    private HttpReply post(TestGateway gateway, JsonNode message) {
        return McpTestClient.modern(gateway.url(view)).post(Json.text(message), Map.of());
    }

    private HttpReply curl(SeedTable.Example example, TestGateway gateway) {
        URI endpoint = gateway.url(view);
        String base = "http://" + endpoint.getAuthority();
        String command = fill(example.request().asText())
                .replace(printedBase + "/mcp", endpoint.toString())
                .replace(printedBase, base);
        return CurlCommand.parse(command).run();
    }

    private void expect(SeedTable.Example example, JsonNode answer) {
        if (!example.expect().isMissingNode()) {
            assertEquals(
                    List.of(), JsonPattern.mismatches(filled(example.expect()), answer), () -> example + "\n" + answer);
        }
    }

    private void capture(SeedTable.Example example, JsonNode answer, Map<String, String> headers) {
        example.capture()
                .properties()
                .forEach(name -> values.put(
                        name.getKey(),
                        name.getValue().asText().startsWith("header:")
                                ? headers.get("session")
                                : answer.at(name.getValue().asText()).asText()));
    }

    private JsonNode filled(JsonNode tree) {
        try {
            return Json.parse(fill(Json.text(tree)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts in what the documentation leaves open: {@code ${name}} of the table, {@code <session-id>} of a server. */
    private String fill(String text) {
        String filled = text;
        for (Map.Entry<String, String> value : values.entrySet()) {
            filled = filled.replace("${" + value.getKey() + "}", value.getValue());
        }
        return filled.replace("<session-id>", values.getOrDefault("session", ""))
                .replace("<your-api-key>", values.getOrDefault("key", "any-key-will-do"));
    }
}
