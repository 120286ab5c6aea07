package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.app.BackendTypes;
import switchboard.app.GatewayApp;
import switchboard.app.Installation;
import switchboard.app.Periods;
import switchboard.backend.BackendModule;
import switchboard.call.Json;
import switchboard.config.ConfigLoader;
import switchboard.config.Overrides;
import switchboard.testing.McpTestClient;
import switchboard.testing.ToolResult;

/** Follows {@code docs/adding-a-backend.md} to the letter: its files are compiled, served and called. */
class AddingABackendTest {
    private static final Path PAGE = Path.of("docs", "adding-a-backend.md");
    private static final Pattern BLOCK = Pattern.compile("(?m)^`([^`]+)`(.*)\\n\\n```\\w+\\n([\\s\\S]*?)^```$");
    private static final String DESCRIPTORS = "backends/glossary/tools.json";

    /** Blocks by what stands above them, the file and the words after it. */
    private final Map<String, String> blocks = new LinkedHashMap<>();

    @TempDir
    Path folder;

    private HttpServer engine;

    @BeforeEach
    void read() throws IOException {
        BLOCK.matcher(Files.readString(PAGE))
                .results()
                .forEach(block -> blocks.put(block.group(1) + block.group(2), block.group(3)));
        engine = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        engine.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            byte[] body = "{\"meaning\": \"a board that switches\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(
                    path.equals("/terms/switchboard") || path.equals("/health") ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        engine.start();
    }

    @AfterEach
    void stop() {
        engine.stop(0);
    }

    @Test
    void theBackendOfThePageAnswersItsTools() throws Exception {
        write(DESCRIPTORS, block(DESCRIPTORS));
        for (String file : List.of("GlossarySettings", "DefineTermTool", "GlossaryBackend", "GlossaryModule")) {
            source(file, block(path(file)));
        }
        try (URLClassLoader code = compiled();
                Served served = serve(code)) {
            ToolResult found = served.client().call("define_term", "{\"term\": \"Switchboard\"}");
            assertEquals(
                    "a board that switches", found.structured().path("meaning").asText(), found::toString);
            assertEquals(
                    "NOT_FOUND",
                    served.client()
                            .call("define_term", "{\"term\": \"gibberish\"}")
                            .errorKind());
            assertEquals(
                    "INVALID_ARGUMENT",
                    served.client().call("define_term", "{\"words\": 1}").errorKind());
            assertEquals(List.of("define_term"), served.view().toolNames());
            engine.stop(0);
            assertEquals(
                    "UNAVAILABLE",
                    served.client()
                            .call("define_term", "{\"term\": \"switchboard\"}")
                            .errorKind());
        }
    }

    @Test
    void theOtherToolOfThePageIsAddedAsItSays() throws Exception {
        ObjectNode descriptors = (ObjectNode) Json.parse(block(DESCRIPTORS));
        ((ArrayNode) descriptors.path("tools")).add(Json.parse(block(DESCRIPTORS + ", one more entry")));
        write(DESCRIPTORS, descriptors.toString());
        for (String file : List.of("GlossarySettings", "DefineTermTool", "GlossaryModule", "SpellTermTool")) {
            source(file, block(path(file)));
        }
        String line = block(path("GlossaryBackend") + ", in `tools()`").strip();
        String before = block(path("GlossaryBackend"));
        String after = before.replaceFirst("return List\\.of\\(new DefineTermTool\\(client\\)\\);", line);
        assertTrue(!before.equals(after), "the line replaces another");
        source("GlossaryBackend", after);
        try (URLClassLoader code = compiled();
                Served served = serve(code)) {
            assertEquals(
                    "a-b",
                    served.client().call("spell_term", "{\"term\": \"ab\"}").text());
            assertEquals(
                    "a+b",
                    served.client()
                            .call("spell_term", "{\"term\": \"ab\", \"separator\": \"+\"}")
                            .text());
        }
    }

    private record Served(GatewayApp app, McpTestClient client, McpTestClient view) implements AutoCloseable {
        @Override
        public void close() {
            client.close();
            view.close();
            app.close();
        }
    }

    private String block(String heading) {
        String block = blocks.get(heading);
        assertTrue(block != null, () -> heading + " is not among " + blocks.keySet());
        return block;
    }

    private static String path(String name) {
        return "src/main/java/switchboard/backend/glossary/" + name + ".java";
    }

    private void source(String name, String text) throws IOException {
        write(path(name), text);
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** The classes of the page's sources. */
    private URLClassLoader compiled() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Path classes = Files.createDirectories(folder.resolve("classes"));
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                Stream<Path> sources = Files.list(folder.resolve(path("x")).getParent())) {
            boolean compiled = compiler.getTask(
                            said,
                            files,
                            null,
                            List.of(
                                    "-parameters",
                                    "-proc:none",
                                    "-d",
                                    classes.toString(),
                                    "-cp",
                                    System.getProperty("java.class.path")),
                            null,
                            files.getJavaFileObjectsFromPaths(sources.toList()))
                    .call();
            assertTrue(compiled, said::toString);
        }
        return new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader());
    }

    private Served serve(ClassLoader code) throws IOException, ReflectiveOperationException {
        BackendModule<?> module = (BackendModule<?>) code.loadClass("switchboard.backend.glossary.GlossaryModule")
                .getConstructor()
                .newInstance();
        List<BackendModule<?>> more = new ArrayList<>();
        more.add(module);
        BackendTypes types = BackendTypes.shipped().and(more);
        String yaml = block("switchboard.yaml")
                .replace(
                        "http://127.0.0.1:7070",
                        "http://127.0.0.1:" + engine.getAddress().getPort());
        Overrides ports = new Overrides(Map.of(
                "server.port", new Overrides.Flag("--port", "0"),
                "management.port", new Overrides.Flag("--management-port", "0"),
                "console.port", new Overrides.Flag("--console-port", "0")));
        GatewayApp app = GatewayApp.start(
                new ConfigLoader(types.settings(), Map.of()).parse(yaml, "switchboard.yaml", folder, ports),
                new Installation(home(), folder.resolve("data"), Periods.USUAL),
                types,
                Clock.systemUTC());
        return new Served(
                app,
                McpTestClient.modern(app.endpointUrl()),
                McpTestClient.modern(URI.create(app.endpointUrl() + "/glossary")));
    }

    /** An installation that has the page's tools beside the shipped ones. */
    private Path home() throws IOException {
        try (Stream<Path> shipped = Files.list(Path.of("backends"))) {
            for (Path type : shipped.toList()) {
                Path copy = folder.resolve("backends").resolve(type.getFileName());
                Files.copy(
                        type.resolve("tools.json"),
                        Files.createDirectories(copy).resolve("tools.json"));
            }
        }
        return folder;
    }
}
