package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.Main;
import switchboard.testing.ConsoleClient;
import switchboard.testing.TestGateway;

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
}
