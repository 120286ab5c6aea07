package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.NodeTools;
import switchboard.testing.TestGateway;
import switchboard.testing.fixture.FixtureServer;

/**
 * The official MCP conformance suite and both generations of the official clients against a whole gateway. The suite's
 * tools, resources and prompts are another server's behind it, so that what passes is the relay.
 */
@Tag("engines")
class ConformanceTest {
    private static NodeTools tools;
    private static FixtureServer fixture;
    private static FixtureServer older;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        tools = NodeTools.install();
        fixture = new FixtureServer(FixtureServer.Era.BOTH);
        older = new FixtureServer(FixtureServer.Era.LEGACY);
        gateway = TestGateway.start("""
            embedders:
              default: { provider: none }
            backends:
              vectordb: { type: vectordb, dataDir: vectordb }
              fixture: { type: mcp, url: "%s" }
              older: { type: mcp, url: "%s" }
            views:
              conformance: { backends: [fixture, vectordb] }
            """.formatted(fixture.url(), older.url()));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        fixture.close();
        older.close();
    }

    @ParameterizedTest
    @CsvSource({"2025-11-25, conformance", "2026-07-28, conformance", "2025-11-25, older"})
    void theRequirementsAreMet(String revision, String view) {
        NodeTools.Run run = tools.run(
                "sh", "run-on-node20.sh", "server", "--url", gateway.url(view).toString(), "--requirements", revision);
        assertEquals(0, run.exit(), run.output());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void allOtherScenariosPassAsWell(String revision) {
        NodeTools.Run run = tools.run(
                "sh",
                "run-on-node20.sh",
                "server",
                "--url",
                gateway.url("conformance").toString(),
                "--suite",
                "all",
                "--spec-version",
                revision);
        assertEquals(0, run.exit(), run.output());
    }

    @ParameterizedTest
    @ValueSource(strings = {"client-v1.mjs", "client-v2.mjs"})
    void theOfficialClientsCallToolsAndSeeFailuresAsResults(String client) {
        NodeTools.Run run = tools.run(
                "node",
                client,
                gateway.url().toString(),
                "list_libraries",
                "{}",
                "get_document",
                "{\"doc_id\": \"there-is-none\"}");
        assertEquals(0, run.exit(), run.output());
    }
}
