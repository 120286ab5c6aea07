package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import switchboard.auth.ApiKey;
import switchboard.testing.CurlCommand;
import switchboard.testing.HttpReply;
import switchboard.testing.NodeTools;
import switchboard.testing.PythonTools;
import switchboard.testing.TestGateway;
import switchboard.testing.Yaml;

/** What {@code connect} prints is read as each client would read it; what can be run is run. */
class ConnectTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ApiKey KEY = ApiKey.generate(new SecureRandom());

    @TempDir
    static Path folder;

    private static TestGateway gateway;
    private static Path config;

    private record Printed(int code, String out, String err) {}

    /** A gateway that wants a key, found by its data folder. */
    @BeforeAll
    static void start() throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
            teams:
              readers:
                keys: [{id: "%s", sha256: "%s"}]
                grants: ["vectordb:read,search"]
            """.formatted(KEY.id(), KEY.sha256()));
        String yaml = """
            auth: {mode: keys, teamsFile: teams.yaml}
            embedders: {default: {provider: none}}
            backends: {vectordb: {type: vectordb, dataDir: vectordb}}
            """;
        config = Files.writeString(folder.resolve("switchboard.yaml"), yaml);
        gateway = TestGateway.start(
                yaml.replace("teams.yaml", folder.resolve("teams.yaml").toString()), folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static Printed connect(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = new CommandLine(new ConnectCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Printed(code, out.toString(), err.toString());
    }

    private static String snippet(String client, String... more) {
        String[] arguments = new String[5 + more.length];
        arguments[0] = client;
        System.arraycopy(
                new String[] {
                    "--config", config.toString(), "--data", gateway.data().toString()
                },
                0,
                arguments,
                1,
                4);
        System.arraycopy(more, 0, arguments, 5, more.length);
        Printed printed = connect(arguments);
        assertEquals(0, printed.code(), printed::toString);
        return printed.out();
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "claude-code, /mcpServers/switchboard, http, 'Bearer ${SWITCHBOARD_KEY}'",
        "cursor, /mcpServers/switchboard, '', 'Bearer ${env:SWITCHBOARD_KEY}'",
        "vscode, /servers/switchboard, http, 'Bearer ${input:switchboard-key}'",
    })
    void filesOfJson(String client, String entry, String type, String authorization) throws IOException {
        JsonNode file = JSON.readTree(snippet(client, "--view", "vectordb"));
        JsonNode server = file.at(entry);
        assertEquals(gateway.url("vectordb").toString(), server.path("url").asText());
        assertEquals(type, server.path("type").asText());
        assertEquals(authorization, server.at("/headers/Authorization").asText());
        if (client.equals("vscode")) {
            assertEquals("switchboard-key", file.at("/inputs/0/id").asText());
            assertTrue(file.at("/inputs/0/password").asBoolean());
        }
        JsonNode started = JSON.readTree(snippet(client, "--stdio")).at(entry);
        assertEquals(List.of("stdio"), texts(started.path("args")).subList(0, 1));
        assertTrue(started.path("command").asText().endsWith("/switchboard"));
    }

    /** A client that the identity provider knows signs in, and has no key. */
    @ParameterizedTest
    @CsvSource({
        "claude-code, /mcpServers/switchboard, http, /oauth/clientId",
        "cursor, /mcpServers/switchboard, '', /auth/CLIENT_ID",
        "vscode, /servers/switchboard, http, /oauth/clientId",
    })
    void aRegisteredClientSignsInByOAuth(String client, String entry, String type, String place) throws IOException {
        String id = "https://client.example/meta.json";
        JsonNode file = JSON.readTree(snippet(client, "--view", "vectordb", "--client-id", id));
        JsonNode server = file.at(entry);
        assertEquals(gateway.url("vectordb").toString(), server.path("url").asText());
        assertEquals(type, server.path("type").asText());
        assertEquals(id, server.at(place).asText());
        assertFalse(server.has("headers") || file.has("inputs"), file::toString);
    }

    @Test
    void theBridgeOfClaudeDesktopSignsInAsARegisteredClient() throws IOException {
        String id = "a \"b\" c";
        JsonNode bridge =
                JSON.readTree(snippet("claude-desktop", "--client-id", id)).at("/mcpServers/switchboard");
        List<String> arguments = texts(bridge.path("args"));
        assertEquals(
                List.of("-y", "mcp-remote", gateway.url().toString(), "--static-oauth-client-info"),
                arguments.subList(0, 4));
        assertEquals(id, JSON.readTree(arguments.get(4)).path("client_id").asText());
        assertFalse(bridge.has("env"), bridge::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "curl, x, claude-code",
        "continue, x, 'cursor, vscode'",
        "claude-code, ' ', Not a client id",
    })
    void whereNoClientIdGoesIsSaid(String client, String id, String words) {
        Printed printed = connect(client, "--url", "https://mcp.example.com/mcp", "--client-id", id);
        assertEquals(2, printed.code(), printed::toString);
        assertTrue(printed.err().contains(words), printed::err);
        assertEquals("", printed.out());
    }

    @Test
    void whoStartsTheGatewayItselfDoesNotSignIn() {
        Printed printed = connect("claude-code", "--config", config.toString(), "--stdio", "--client-id", "x");
        assertEquals(2, printed.code(), printed::toString);
        assertTrue(printed.err().contains("--client-id is for a URL"), printed::err);
    }

    @Test
    void claudeDesktopStartsTheGatewayOrABridgeToIt() throws IOException {
        JsonNode started =
                JSON.readTree(snippet("claude-desktop", "--view", "vectordb")).at("/mcpServers/switchboard");
        assertTrue(Files.isExecutable(Path.of(started.path("command").asText())), started::toString);
        assertEquals(
                List.of(
                        "stdio",
                        "--view",
                        "vectordb",
                        "--config",
                        config.toString(),
                        "--data",
                        gateway.data().toString()),
                texts(started.path("args")));
        JsonNode bridged = JSON.readTree(snippet("claude-desktop", "--url", "https://mcp.example.com"))
                .at("/mcpServers/switchboard");
        assertEquals(
                List.of(
                        "-y",
                        "mcp-remote",
                        "https://mcp.example.com/mcp",
                        "--header",
                        "Authorization:${AUTHORIZATION}"),
                texts(bridged.path("args")));
        assertTrue(bridged.at("/env/AUTHORIZATION").asText().startsWith("Bearer "));
    }

    @Test
    void continueReadsABlockOfYaml() throws IOException {
        JsonNode block = Yaml.tree(snippet("continue"));
        assertEquals("v1", block.path("schema").asText());
        JsonNode server = block.at("/mcpServers/0");
        assertEquals("streamable-http", server.path("type").asText());
        assertEquals(gateway.url().toString(), server.path("url").asText());
        assertEquals(
                "Bearer ${{ secrets.SWITCHBOARD_KEY }}",
                server.at("/requestOptions/headers/Authorization").asText());
        assertEquals(
                "stdio",
                Yaml.tree(snippet("continue", "--stdio"))
                        .at("/mcpServers/0/type")
                        .asText());
    }

    @Test
    void theCurlCommandListsTheTools() {
        String printed = snippet("curl", "--view", "vectordb");
        HttpReply reply = CurlCommand.parse(printed.replace("$SWITCHBOARD_KEY", KEY.text()))
                .run();
        assertEquals(200, reply.status(), reply.body());
        assertTrue(reply.json().at("/result/tools").size() > 0, reply.body());
    }

    @Test
    void theInspectorsCommandIsOneLineOfWords() {
        List<String> words = CurlCommand.words(snippet("inspector"));
        assertEquals(
                List.of(
                        "npx",
                        "@modelcontextprotocol/inspector",
                        "--cli",
                        gateway.url().toString(),
                        "--transport",
                        "http",
                        "--header",
                        "Authorization: Bearer $SWITCHBOARD_KEY",
                        "--method",
                        "tools/list"),
                words);
    }

    @ParameterizedTest
    @EnumSource
    void noSnippetHasAKeyAndEachIsForTheViewAskedFor(ClientSetup client) {
        String printed = snippet(client.id(), "--view", "vectordb");
        assertFalse(printed.contains(KEY.text()));
        assertTrue(printed.contains("vectordb"), printed);
        assertTrue(printed.endsWith("\n"));
    }

    @ParameterizedTest
    @EnumSource
    void thePageForClientsShowsWhatIsPrinted(ClientSetup client) throws IOException {
        ServerEntry shipped = client == ClientSetup.CLAUDE_DESKTOP
                ? new ServerEntry.Program("/opt/switchboard/switchboard", List.of("stdio"))
                : new ServerEntry.Url(URI.create("http://127.0.0.1:8080/mcp"), false);
        String page = Files.readString(Path.of("docs", "clients.md"));
        assertTrue(page.contains(client.snippet(shipped).strip()), () -> client.snippet(shipped));
        assertTrue(page.contains("connect " + client.id()), client.id());
    }

    @Test
    void anUnknownClientIsAnsweredWithThoseThatAreKnown() {
        Printed printed = connect("emacs");
        assertEquals(2, printed.code());
        assertTrue(printed.err().contains("claude-desktop, claude-code, cursor, vscode"), printed::toString);
    }

    @Test
    void aViewThatThereIsNotIsRefusedWithThoseThatThereAre() {
        for (String client : new String[] {"python", "claude-desktop", "curl"}) {
            for (String view : new String[] {"nope", "vectordb/x", "VECTORDB", ".."}) {
                Printed printed = connect(
                        client,
                        "--view",
                        view,
                        "--config",
                        config.toString(),
                        "--data",
                        gateway.data().toString());
                assertEquals(2, printed.code(), printed::toString);
                assertEquals("", printed.out());
                assertTrue(
                        printed.err().contains("There is no view \"" + view + "\".")
                                && printed.err().contains("There are: ")
                                && printed.err().contains("vectordb"),
                        printed::toString);
            }
        }
        Printed near =
                connect("python", "--view", "vectrodb", "--config", config.toString(), "--data", folder.toString());
        assertTrue(near.err().contains("Did you mean \"vectordb\"?"), near::toString);
        Printed elsewhere = connect("python", "--url", "https://mcp.example.com", "--view", "a/b");
        assertEquals(2, elsewhere.code(), elsewhere::toString);
    }

    @Test
    @Tag("engines")
    void theProgramsRun() throws IOException {
        String code = snippet("typescript").replace("process.env.SWITCHBOARD_KEY", "'" + KEY.text() + "'");
        String output = NodeTools.install().module(code).run(() -> {});
        assertTrue(output.contains("list_libraries"), output);
    }

    /** With what pip makes of the line that is printed, in an environment that has nothing else. */
    @ParameterizedTest
    @ValueSource(strings = {"python", "langchain"})
    @Tag("engines")
    void theProgramsForPythonRunWithWhatTheyAskFor(String client) throws IOException {
        Printed printed = connect(
                client, "--config", config.toString(), "--data", gateway.data().toString());
        Matcher pip = Pattern.compile("pip install \"([^\"]+)\"").matcher(printed.err());
        assertTrue(pip.find(), printed::toString);
        assertTrue(printed.out().contains("# dependencies = [\"" + pip.group(1) + "\"]\n"), printed::toString);
        String code = printed.out().replace("os.environ['SWITCHBOARD_KEY']", "'" + KEY.text() + "'");
        String output = PythonTools.of(pip.group(1))
                .program(Files.writeString(folder.resolve(client + ".py"), code), "")
                .run(() -> {});
        assertTrue(output.contains("list_libraries"), output);
    }
}
