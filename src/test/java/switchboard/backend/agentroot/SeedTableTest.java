package switchboard.backend.agentroot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.testing.JsonPattern;
import switchboard.testing.McpTestClient;
import switchboard.testing.SeedExamples;
import switchboard.testing.SeedTable;
import switchboard.testing.SeedTable.Kind;
import switchboard.testing.SwitchboardProcess;
import switchboard.testing.TestGateway;

/** The examples of agentroot's documentation. */
class SeedTableTest {
    private static final List<SeedTable.Example> EXAMPLES = SeedTable.read().inOrder("agentroot");

    @TempDir
    static Path folder;

    private static String yaml;
    private static TestGateway gateway;

    @BeforeAll
    static void start() throws IOException {
        Path project = Files.createDirectories(folder.toRealPath().resolve("myproject"));
        Files.createDirectories(project.resolve("src/search"));
        Files.writeString(
                project.resolve("src/error.md"),
                "---\ncategory: tutorial\n---\n# Error Handling Module\n\nHow error handling works.\n");
        Files.writeString(project.resolve("src/search/query.md"), "# Queries\n\nHow a query is read.\n");
        yaml = """
            embedders: {default: {provider: none}}
            backends: {agentroot: {type: agentroot, roots: ['%s']}}
            """.formatted(project);
        gateway = TestGateway.start(yaml);
        McpTestClient client = gateway.modern("agentroot");
        client.call("collection_add", Json.object().put("name", "myproject").put("path", project.toString()));
        client.call("collection_update", "{\"name\": \"myproject\"}");
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @TestFactory
    Stream<DynamicTest> examples() {
        return new SeedExamples("agentroot", "", Map.of())
                .tests(EXAMPLES.stream().filter(row -> row.kind() != Kind.SHELL).toList(), _ -> gateway);
    }

    /** {@code agentroot mcp} is {@code switchboard stdio --view agentroot}. */
    @Test
    void linesForTheShell() throws Exception {
        Path config = Files.writeString(folder.resolve("switchboard.yaml"), yaml);
        for (SeedTable.Example example :
                EXAMPLES.stream().filter(row -> row.kind() == Kind.SHELL).toList()) {
            String printed = example.request().asText();
            String input = printed.substring(printed.indexOf('\'') + 1, printed.lastIndexOf('\''));
            Process process = new ProcessBuilder(SwitchboardProcess.command(
                            "stdio",
                            "--view",
                            "agentroot",
                            "--config",
                            config.toString(),
                            "--data",
                            folder.resolve("data").toString()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().write((input + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            List<String> lines =
                    process.inputReader(StandardCharsets.UTF_8).lines().toList();
            assertEquals(1, lines.size(), lines::toString);
            assertEquals(List.of(), JsonPattern.mismatches(example.expect(), Json.parse(lines.getFirst())));
            assertEquals(true, process.waitFor(2, TimeUnit.MINUTES));
            assertEquals(0, process.exitValue());
        }
    }
}
