package switchboard.backend.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import switchboard.testing.Eventually;
import switchboard.testing.NodeTools;
import switchboard.testing.TestGateway;

/** A server of 2025-11-25 of the reference SDK that asks the reference client of 2026-07-28, through the gateway. */
@Tag("engines")
class AskedReferenceClientTest {
    private static NodeTools tools;

    @BeforeAll
    static void install() {
        tools = NodeTools.install();
    }

    private static void asked(String backend) {
        try (TestGateway gateway = TestGateway.start("backends:\n  asking: { type: mcp, " + backend + " }")) {
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> gateway.modern("asking").toolNames().contains("ask"),
                    () -> "its tools were never listed");
            NodeTools.Run run =
                    tools.run("node", "asked-client.mjs", gateway.url("asking").toString());
            assertEquals(0, run.exit(), run::output);
            assertTrue(
                    run.output()
                            .contains("2026-07-28 [\"Ada\",\"Something.\",\"file:///here\","
                                    + "{\"sampling\":{},\"elicitation\":{\"form\":{}},\"roots\":{}}]"),
                    run::output);
        }
    }

    @Test
    void onAPipe() {
        asked("command: [node, \"" + tools.file("asking-server.mjs") + "\"]");
    }

    @Test
    void overHttp() throws IOException, InterruptedException {
        Process server = new ProcessBuilder(
                        "node", tools.file("asking-server.mjs").toString(), "http")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            asked("url: \"http://127.0.0.1:" + out.readLine() + "/mcp\"");
        } finally {
            server.getOutputStream().close();
            assertTrue(server.waitFor(30, TimeUnit.SECONDS));
        }
    }
}
