package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import switchboard.config.Secret;
import switchboard.testing.BackendHarness;
import switchboard.testing.FaultServer;
import switchboard.testing.ToolResult;
import switchboard.upstream.UpstreamSettings;

/** {@code weaviate-logs-fetch} with a Loki server for a source. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LokiLogTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-01-01T12:00:00.000000005Z"), ZoneOffset.UTC);
    private static final String TWO_STREAMS = """
            {"status":"success","data":{"resultType":"streams","result":[
              {"stream":{"app":"weaviate","level":"info"},"values":[["1767265200000000004","fourth"],["1767265200000000002","second"]]},
              {"stream":{"app":"weaviate","level":"error"},"values":[["1767265200000000003","third Authorization: Bearer sk-secret"],["1767265200000000001","first"]]}]}}
            """;

    private static BackendHarness gateway(WeaviateSettings.@Nullable Loki loki) {
        WeaviateSettings settings = new WeaviateSettings(
                URI.create("http://127.0.0.1:1"),
                null,
                false,
                new WeaviateSettings.Logs(true, WeaviateSettings.LogSourceType.LOKI, null, loki),
                null,
                Duration.ofSeconds(30),
                UpstreamSettings.defaults());
        return BackendHarness.start(new WeaviateModule(), settings, Path.of("target"), NOON);
    }

    private static WeaviateSettings.Loki loki(URI url) {
        return new WeaviateSettings.Loki(
                url, "{app=\"weaviate\"} |= `é&`", Duration.ofHours(1), Secret.of("loki-key"), "team-a", patient());
    }

    private static UpstreamSettings patient() {
        UpstreamSettings usual = UpstreamSettings.defaults();
        Duration enough = Duration.ofSeconds(30);
        return new UpstreamSettings(
                new UpstreamSettings.Timeouts(enough, enough, enough),
                usual.pool(),
                usual.maxResponseSize(),
                usual.retries(),
                usual.breaker(),
                usual.tls(),
                null);
    }

    @Test
    void linesOfAllStreamsComeInOrderOfTime() {
        try (FaultServer server = new FaultServer(FaultServer.json(TWO_STREAMS));
                BackendHarness gateway = gateway(loki(server.url()))) {
            JsonNode page = gateway.call("weaviate-logs-fetch", "{}").structured();
            assertEquals("loki", page.path("source").asText());
            assertEquals(
                    "first\nsecond\nthird Authorization: Bearer ******\nfourth\n",
                    page.path("logs").asText());
            assertEquals(
                    "fourth\n",
                    gateway.call("weaviate-logs-fetch", "{\"limit\":7}")
                            .structured()
                            .path("logs")
                            .asText());
            String head = server.requests().getFirst();
            String line = URLDecoder.decode(head.lines().findFirst().orElseThrow(), StandardCharsets.UTF_8);
            assertTrue(line.startsWith("GET /loki/api/v1/query_range?direction=backward&limit=2000&"), line);
            assertTrue(line.contains("start=1767265200000000005&end=1767268800000000005"), line);
            assertTrue(line.contains("query={app=\"weaviate\"} |= `é&`"), line);
            assertTrue(head.contains("Authorization: Bearer loki-key"), head);
            assertTrue(head.contains("X-Scope-OrgID: team-a"), head);
        }
    }

    @Test
    void linesOfOneMomentKeepTheOrderOfTheirStream() {
        String oneMoment = "{\"status\":\"success\",\"data\":{\"resultType\":\"streams\",\"result\":[{\"stream\":{},"
                + "\"values\":[[\"7\",\"third\"],[\"7\",\"second\"],[\"7\",\"first\"]]}]}}";
        try (FaultServer server = new FaultServer(FaultServer.json(oneMoment));
                BackendHarness gateway = gateway(loki(server.url()))) {
            JsonNode page = gateway.call("weaviate-logs-fetch", "{}").structured();
            assertEquals("first\nsecond\nthird\n", page.path("logs").asText());
        }
    }

    @Test
    void aLogServerThatRefusesOrIsGoneIsUnavailableAndShowsNothing() {
        try (FaultServer server = new FaultServer(
                        FaultServer.reply(400, "text/plain", "parse error at line 1: {app=\"weaviate\"}"),
                        FaultServer.json("{\"status\":\"success\",\"data\":{\"result\":[]}}"));
                BackendHarness gateway = gateway(loki(server.url()))) {
            ToolResult refused = gateway.call("weaviate-logs-fetch", "{}");
            assertEquals("UNAVAILABLE", refused.errorKind(), refused::toString);
            assertTrue(refused.text().contains("logs.loki"), refused.text());
            assertFalse(refused.toString().contains("app="), refused::toString);
            assertEquals(
                    "",
                    gateway.call("weaviate-logs-fetch", "{}")
                            .structured()
                            .path("logs")
                            .asText());
            stop(server);
            ToolResult gone = gateway.call("weaviate-logs-fetch", "{}");
            assertEquals("UNAVAILABLE", gone.errorKind(), gone::toString);
            assertFalse(gone.toString().contains("loki-key"), gone::toString);
        }
    }

    @Test
    void theSourceNeedsASection() {
        assertThrows(IllegalArgumentException.class, () -> gateway(null).close());
    }

    private static void stop(FaultServer server) {
        server.close();
    }
}
