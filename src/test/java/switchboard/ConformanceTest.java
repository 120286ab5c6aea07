package switchboard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.NodeTools;
import switchboard.testing.TestGateway;

/** The official MCP conformance suite and both generations of the official clients against a whole gateway. */
@Tag("engines")
class ConformanceTest {
    private static NodeTools tools;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        tools = NodeTools.install();
        gateway = TestGateway.start("""
                embedders:
                  default: { provider: none }
                backends:
                  vectordb: { type: vectordb, dataDir: vectordb }
                """);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2025-11-25", "2026-07-28"})
    void theRequirementsAreMetButForScenariosThatNeedFixtures(String revision) {
        NodeTools.Run run = tools.run(
                "sh",
                "run-on-node20.sh",
                "server",
                "--url",
                gateway.url().toString(),
                "--requirements",
                revision,
                "--expected-failures",
                "baseline-no-fixtures." + revision + ".yml");
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
