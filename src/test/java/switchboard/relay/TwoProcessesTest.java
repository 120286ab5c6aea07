package switchboard.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest.Maintain;
import switchboard.call.Caller;
import switchboard.call.ToolReply;
import switchboard.dispatch.CallOptions;
import switchboard.testing.Eventually;
import switchboard.testing.GatewayProcess;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;
import switchboard.testing.ToolResult;

/** Two processes on one data folder: the second works through the first, and takes over when that is gone. */
class TwoProcessesTest {
    private static final String YAML = """
            embedders: {default: {provider: none}}
            backends:
              vectordb: {type: vectordb}
              agentroot: {type: agentroot}
            """;

    @TempDir
    Path data;

    @Test
    void theSecondWorksThroughTheFirstAndTakesOverWhenItIsKilled() throws IOException {
        try (GatewayProcess first = GatewayProcess.start(YAML, data);
                McpTestClient there = McpTestClient.modern(first.url());
                TestGateway second = TestGateway.start(YAML, data)) {
            McpTestClient here = second.modern();
            assertEquals("indexed", put(here, "zebras.md", "Zebras have stripes."));
            assertEquals(1, hits(there, "stripes"), "what the second wrote is in the first");
            assertEquals("indexed", put(there, "tigers.md", "Tigers have stripes, too."));
            assertEquals(2, hits(here, "stripes"), "what the first wrote is in the second");
            assertEquals(
                    there.call("memory_list", "{}").toString(),
                    here.call("memory_list", "{}").toString(),
                    "every backend with data of its own");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> ready(second).contains("in the process that owns the data"),
                    () -> ready(second));

            first.kill();
            assertEquals(2, hits(here, "stripes"), "the very next call is served");
            assertEquals("indexed", put(here, "lions.md", "Lions have no stripes."));
            assertEquals(3, hits(here, "stripes"));
            try (GatewayProcess third = GatewayProcess.start(YAML, data);
                    McpTestClient client = McpTestClient.modern(third.url())) {
                assertEquals(3, hits(client, "stripes"), "a third works through the second");
            }
        }
    }

    @Test
    void anOwnerThatStopsInOrderHandsOver() throws IOException {
        try (TestGateway first = TestGateway.start(YAML, data);
                TestGateway second = TestGateway.start(YAML, data)) {
            McpTestClient here = second.modern();
            assertEquals("indexed", put(here, "zebras.md", "Zebras have stripes."));
            stop(first);
            assertEquals(1, hits(here, "stripes"));
            assertEquals("replaced", put(here, "zebras.md", "Zebras have stripes and hooves."));
        }
    }

    @Test
    void aGatewayNobodyCallsTakesOverWhenItsHealthIsAskedFor() throws IOException {
        try (TestGateway first = TestGateway.start(YAML, data);
                TestGateway second = TestGateway.start(YAML, data)) {
            // The first question after the backends' health is under way when a gateway says that it serves.
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> ready(second).contains("in the process that owns the data"),
                    () -> ready(second));
            stop(first);
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> !ready(second).contains("in the process that owns"),
                    () -> ready(second));
            assertFalse(ready(second).contains("\"ok\":false"), () -> ready(second));
        }
    }

    @Test
    void operatorsWorkOnTheDataThroughItsOwner() throws IOException {
        Path copy = data.resolve("copy");
        try (TestGateway first = TestGateway.start(YAML, data);
                TestGateway second = TestGateway.start(YAML, data)) {
            put(first.modern(), "zebras.md", "Zebras have stripes.");
            assertEquals(List.of("agentroot", "vectordb"), second.app().keepers());
            assertEquals(
                    1,
                    maintain(second, new Maintain.Backup(copy.toString()))
                            .path("namespaces")
                            .asInt());
            JsonNode space =
                    maintain(second, new Maintain.Check()).path("namespaces").path(0);
            assertEquals(1, space.path("documents").asInt());
            assertEquals(0, space.path("problems").size());
        }
        Files.createDirectories(data.resolve("restored/data"));
        Files.move(copy, data.resolve("restored/data/vectordb"));
        try (TestGateway restored = TestGateway.start(YAML, data.resolve("restored"))) {
            assertEquals(1, hits(restored.modern(), "stripes"));
        }
    }

    private static JsonNode maintain(TestGateway gateway, Maintain.Chore chore) {
        BackendReply reply = gateway.app()
                .dispatcher()
                .send(
                        "vectordb",
                        new Maintain(chore),
                        Caller.unrestricted(),
                        CallOptions.withEvents(Duration.ofMinutes(1), null, null))
                .reply()
                .await();
        assertTrue(reply instanceof ToolReply.Ok, reply::toString);
        return ((ToolReply.Ok) reply).structured();
    }

    private static void stop(TestGateway gateway) {
        gateway.close();
    }

    private static String ready(TestGateway gateway) {
        return gateway.management("/health/ready").body();
    }

    private static String put(McpTestClient client, String source, String text) {
        ToolResult put =
                client.call("ingest_text", "{\"content\": \"%s\", \"source\": \"%s\"}".formatted(text, source));
        assertFalse(put.isError(), put::toString);
        return put.structured().path("status").asText();
    }

    private static int hits(McpTestClient client, String query) {
        ToolResult found = client.call("vectordb__search", "{\"query\": \"%s\"}".formatted(query));
        assertFalse(found.isError(), found::toString);
        return found.structured().path("results").size();
    }
}
