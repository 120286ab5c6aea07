package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.call.Json;
import switchboard.testing.ConsoleClient;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** What {@code switchboard console} finds. */
class ConsoleCommandTest {
    private static final String BACKENDS = """
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb}}
            """;

    @TempDir
    Path data;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run() {
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute("console", "--print", "--data=" + data);
    }

    @Test
    void itIsThatOfTheGatewayThatServesTheFolder() {
        try (TestGateway gateway = TestGateway.start(BACKENDS, data)) {
            assertEquals(0, run(), err::toString);
            assertEquals(
                    gateway.app().consoleUrl().orElseThrow().toString(),
                    out.toString().strip());
            try (ConsoleClient browser =
                    new ConsoleClient(gateway.app().consoleUrl().orElseThrow())) {
                assertEquals(
                        "none",
                        browser.get("api/v1/session").json().path("auth").asText(),
                        "without keys nobody has to sign in");
            }
        }
    }

    @Test
    void aGatewayWithoutAConsoleSaysHowToHaveOne() {
        try (TestGateway gateway = TestGateway.start("console: {enabled: false}\n" + BACKENDS, data)) {
            assertTrue(gateway.app().consoleUrl().isEmpty());
            assertEquals(1, run());
            assertTrue(err.toString().contains("console: {enabled: true}"), err::toString);
        }
    }

    @Test
    void withoutAGatewayItSaysHowToStartOne() {
        assertEquals(1, run());
        assertTrue(err.toString().contains("switchboard serve"), err::toString);
        assertEquals("", out.toString());
    }

    /** The command that docs/console.md shows. */
    @Test
    void whatPeopleJudgedIsASetForEval() throws IOException {
        try (TestGateway gateway = TestGateway.start(BACKENDS, data);
                ConsoleClient browser =
                        new ConsoleClient(gateway.app().consoleUrl().orElseThrow());
                McpTestClient page = browser.mcp("")) {
            for (String text : List.of("The lantern is lit.", "The bell rings.")) {
                ToolResult stored = page.call("ingest_text", Json.object().put("content", text));
                assertFalse(stored.isError(), stored::toString);
            }
            JsonNode hit = page.call("search_everywhere", Json.object().put("query", "lantern"))
                    .structured()
                    .path("results")
                    .path(0);
            ObjectNode judgment = Json.object().put("query", "lantern").put("answers", true);
            for (String field : List.of("address", "title", "text")) {
                judgment.set(field, hit.path(field));
            }
            assertEquals(200, browser.post("api/v1/judgments", judgment).status());
            int code = Main.commandLine()
                    .setOut(new PrintWriter(out))
                    .setErr(new PrintWriter(err))
                    .execute(
                            "eval",
                            data.resolve("judgments/all").toString(),
                            "--url",
                            gateway.url().toString(),
                            "--sources",
                            "*",
                            "--json");
            assertEquals(0, code, err::toString);
            JsonNode quality = Json.parse(out.toString()).at("/modes/0/quality");
            assertEquals(1.0, quality.path("ndcg10").asDouble(), out::toString);
        }
    }
}
