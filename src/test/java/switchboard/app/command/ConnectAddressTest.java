package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.Main;
import switchboard.call.Json;

/** Which address {@code connect} prints, and whether it says that a key is needed. */
class ConnectAddressTest {
    private static final String FEW_TOOLS =
            "It will list all tools; with --view core it lists about ten, and finds the others when it needs them.";
    private static final String KEY_NEEDED =
            "The key is read from SWITCHBOARD_KEY or the client asks for it; an operator makes"
                    + " one with \"switchboard keys create\".";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private String url(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("connect", "cursor"));
        all.addAll(List.of(arguments));
        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        assertEquals(0, code, () -> out + "\n" + err);
        return Json.parse(out.toString()).at("/mcpServers/switchboard/url").asText();
    }

    private String configured(String yaml) throws IOException {
        Path config = Files.writeString(
                folder.resolve("switchboard.yaml"), yaml + "\nbackends: {vectordb: {type: vectordb}}\n");
        return url("--config=" + config, "--data=" + folder.resolve("data"));
    }

    private void says(String... lines) {
        List<String> expected = new ArrayList<>(List.of("For ~/.cursor/mcp.json, or .cursor/mcp.json in a project:"));
        expected.addAll(List.of(lines));
        assertEquals(expected, err.toString().lines().toList());
        assertEquals(expected.contains(KEY_NEEDED), out.toString().contains("Authorization"), out::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "https://mcp.example.com, '', https://mcp.example.com/mcp",
        "https://mcp.example.com/, '', https://mcp.example.com/mcp",
        "https://mcp.example.com//, '', https://mcp.example.com/mcp",
        "https://mcp.example.com/mcp, '', https://mcp.example.com/mcp",
        "https://mcp.example.com/mcp/, '', https://mcp.example.com/mcp",
        "https://mcp.example.com/mcp/vectordb, '', https://mcp.example.com/mcp/vectordb",
        "https://example.com/tools, '', https://example.com/tools/mcp",
        "https://example.com/tools/mcp, papers, https://example.com/tools/mcp/papers",
        "https://mcp.example.com, a.b-c_1, https://mcp.example.com/mcp/a.b-c_1"
    })
    void elsewhereItIsThatOfTheEndpointAndOfTheView(String given, String view, String printed) throws IOException {
        assertEquals(printed, view.isEmpty() ? url("--url=" + given) : url("--url=" + given, "--view=" + view));
        says(KEY_NEEDED);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:4711/mcp",
        "localhost, http://localhost:4711/mcp",
        "'::1', http://[::1]:4711/mcp"
    })
    void hereItIsThatOfTheConfigurationUntilAGatewayRuns(String host, String printed) throws IOException {
        assertEquals(printed, configured("server: {host: \"" + host + "\", port: 4711}"));
        says(FEW_TOOLS);
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0", "'::'"})
    void aServerForAllAddressesIsCalledOnThisMachine(String host) throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), "teams: {red: {}}\n");
        assertEquals(
                "http://127.0.0.1:4711/mcp",
                configured("auth: {mode: keys}\nserver: {host: \"" + host + "\", port: 4711}"));
        says(KEY_NEEDED, FEW_TOOLS);
    }

    @Test
    void thePublicUrlIsWhatOthersCall() throws IOException {
        assertEquals("https://mcp.example.org/x/mcp", configured("server: {publicUrl: \"https://mcp.example.org/x\"}"));
    }

    @Test
    void whereAnybodyMayCallNoKeyIsNeeded() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), "teams: {everybody: {}}\n");
        configured("auth: {mode: keys, anonymous: {team: everybody}}");
        says(FEW_TOOLS);
    }

    @Test
    void aProgramIsStartedWithWhatWasGivenAsAbsolutePaths() throws IOException {
        Path config = Files.writeString(folder.resolve("a.yaml"), "backends: {vectordb: {type: vectordb}}\n");
        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(
                        "connect",
                        "cursor",
                        "--stdio",
                        "--config=" + config.getParent().resolve("x/../a.yaml"),
                        "--data=data");
        assertEquals(0, code, err::toString);
        String arguments =
                Json.parse(out.toString()).at("/mcpServers/switchboard/args").toString();
        assertEquals(
                "[\"stdio\",\"--config\",\"" + config + "\",\"--data\",\""
                        + Path.of("data").toAbsolutePath() + "\"]",
                arguments);
        assertTrue(err.toString().startsWith("For ~/.cursor/mcp.json"), err::toString);
    }
}
