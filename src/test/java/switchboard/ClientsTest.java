package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.NodeTools;
import switchboard.testing.Programs;
import switchboard.testing.PythonTools;
import switchboard.testing.SwitchboardProcess;
import switchboard.testing.TestGateway;

/**
 * The official clients of three generations, over every transport they have: connect, list, call, a failure as a result,
 * progress, a call taken back, and everything again after a restart of the server. {@code story.mjs} is the script.
 */
@Tag("engines")
class ClientsTest {
    private static final String YAML = """
        backends:
          vectordb: { type: vectordb, dataDir: vectordb }
        """;

    @TempDir
    private Path folder;

    private TestGateway gateway;

    @BeforeEach
    void start() {
        gateway = TestGateway.start(YAML);
    }

    @AfterEach
    void stop() {
        gateway.close();
    }

    @Test
    void typeScriptOfTheFirstGenerationOverStreamableHttpSseAndStdio() throws IOException {
        String output =
                NodeTools.install().program("node", "story-v1.mjs", spec()).run(gateway::restart);
        assertEquals(List.of("ok v1-http", "ok v1-sse", "ok v1-stdio"), told(output), output);
    }

    @Test
    void typeScriptOfTheSecondGenerationInItsThreeModes() throws IOException {
        String output =
                NodeTools.install().program("node", "story-v2.mjs", spec()).run(gateway::restart);
        assertEquals(List.of("ok v2-auto", "ok v2-legacy", "ok v2-pinned", "ok v2-stdio"), told(output), output);
    }

    @Test
    void pythonOverStreamableHttpSseAndStdio() throws IOException {
        String output = PythonTools.install().program("story.py", spec()).run(gateway::restart);
        assertEquals(
                List.of(
                        "ok py-http-auto",
                        "ok py-http-legacy",
                        "ok py-sse-auto",
                        "ok py-stdio-auto",
                        "ok py-stdio-legacy"),
                told(output),
                output);
    }

    @Test
    void pythonOfTheFirstGenerationOverStreamableHttp() throws IOException {
        String output =
                PythonTools.of("mcp==1.30.0").program("story_v1.py", spec()).run(gateway::restart);
        assertEquals(List.of("ok py1-http"), told(output), output);
    }

    @Test
    void twoClientsOnStdioAndOneOverHttpShareAFolderAndOutliveItsOwner() throws IOException {
        String config = Files.writeString(folder.resolve("shared.yaml"), """
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb, dataDir: vectordb}}
            """).toString();
        String data = folder.resolve("shared").toString();
        int port = Programs.freePort();
        ObjectNode spec = Json.object()
                .put("command", SwitchboardProcess.program())
                .put("url", "http://127.0.0.1:" + port + "/mcp");
        SwitchboardProcess.arguments("stdio", "--config", config, "--data", data)
                .forEach(spec.putArray("stdio")::add);
        SwitchboardProcess.arguments(
                        "serve",
                        "--config",
                        config,
                        "--data",
                        data,
                        "--port",
                        Integer.toString(port),
                        "--management-port",
                        "0",
                        "--console-port",
                        "0")
                .forEach(spec.putArray("serve")::add);
        String output = NodeTools.install()
                .program("node", "one-folder.mjs", Json.text(spec))
                .run(() -> {});
        assertEquals(List.of("ok one-folder"), told(output), output);
    }

    private static List<String> told(String output) {
        return output.lines().filter(line -> line.startsWith("ok ")).toList();
    }

    /** Where the gateway is, and how to start one that serves its client on standard input and output. */
    private String spec() throws IOException {
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), YAML);
        ObjectNode spec = Json.object()
                .put("url", gateway.url().toString())
                .put("sse", gateway.url().resolve("/sse").toString())
                .put("command", SwitchboardProcess.program());
        SwitchboardProcess.arguments(
                        "stdio",
                        "--config",
                        config.toString(),
                        "--data",
                        folder.resolve("data").toString())
                .forEach(spec.putArray("args")::add);
        return Json.text(spec);
    }
}
