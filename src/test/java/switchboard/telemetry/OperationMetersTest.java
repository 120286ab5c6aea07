package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What Prometheus sees. */
class OperationMetersTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final OperationMeters meters = new OperationMeters(registry, new CurrentTrace());

    @Test
    void anOperationHasTheNamesAndBucketsOfTheConventions() {
        meters.record(operation("tools/call", "search", null, "research"));
        String text = registry.scrape();
        String labels = "error_type=\"\",gen_ai_tool_name=\"search\",mcp_method_name=\"tools/call\","
                + "mcp_protocol_version=\"2026-07-28\",network_transport=\"tcp\",rpc_response_status_code=\"\"";
        assertTrue(text.contains("mcp_server_operation_duration_seconds_count{" + labels + "} 1"), text);
        assertTrue(text.contains("mcp_server_operation_duration_seconds_bucket{" + labels + ",le=\"0.01\"} 0"), text);
        assertTrue(text.contains("mcp_server_operation_duration_seconds_bucket{" + labels + ",le=\"0.05\"} 1"), text);
        assertTrue(text.contains("mcp_server_operation_duration_seconds_bucket{" + labels + ",le=\"300.0\"} 1"), text);
        assertTrue(text.contains("switchboard_team_operations_total{error_type=\"\",team=\"research\"} 1.0"), text);
        assertTrue(text.contains("switchboard_team_result_bytes_total{team=\"research\"} 1000.0"), text);
    }

    @Test
    void aRecordedTraceIsShownBesideTheBucketItFellInto() {
        String recorded = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        try (Metrics metrics = new Metrics()) {
            OperationMeters requests = metrics.operations();
            requests.record(traced("recorded", recorded));
            requests.record(traced("not_recorded", recorded.replace("-01", "-00")));
            requests.record(traced("no_trace", null));
            String text = metrics.registry().scrape("application/openmetrics-text; version=1.0.0; charset=utf-8");
            List<String> exemplars =
                    text.lines().filter(line -> line.contains("trace_id=")).toList();
            assertFalse(exemplars.isEmpty(), text);
            assertTrue(
                    exemplars.stream()
                            .allMatch(line -> line.contains("gen_ai_tool_name=\"recorded\"")
                                    && line.contains("# {span_id=\"00f067aa0ba902b7\","
                                            + "trace_id=\"4bf92f3577b34da6a3ce929d0e0e4736\"} 0.03")),
                    exemplars::toString);
        }
    }

    private static FinishedRequest traced(String tool, @Nullable String traceparent) {
        return request("tools/call", tool, FinishedRequest.Outcome.OK, "", traceparent);
    }

    @Test
    void aFailureIsCountedByItsKind() {
        meters.record(operation("tools/call", "search", "UNAVAILABLE", ""));
        assertTrue(registry.scrape().contains("error_type=\"UNAVAILABLE\""));
    }

    @Test
    void anErrorOfTheProtocolHasItsKindAndItsCodeInLabelsOfTheirOwn() {
        meters.record(operation("tools/call", null, "INVALID_PARAMS", ""));
        String text = registry.scrape();
        assertTrue(text.contains("error_type=\"INVALID_PARAMS\""), text);
        assertTrue(text.contains("rpc_response_status_code=\"-32602\""), text);
    }

    @Test
    void theNumberOfLabelValuesIsBounded() {
        for (int n = 0; n < 2_000; n++) {
            meters.record(operation("tools/call", "tool" + n, null, "team" + n));
        }
        String text = registry.scrape();
        long tools = text.lines()
                .filter(line -> line.startsWith("mcp_server_operation_duration_seconds_count"))
                .count();
        assertEquals(501, tools);
        assertTrue(text.contains("gen_ai_tool_name=\"other\""));
        assertTrue(text.contains("switchboard_team_operations_total{error_type=\"\",team=\"other\"} 1500.0"));
    }

    @Test
    void aRequestWithoutAToolHasAnEmptyToolLabel() {
        meters.record(operation("tools/list", null, null, ""));
        assertTrue(registry.scrape().contains("gen_ai_tool_name=\"\""));
    }

    @Test
    void gaugesFollowWhatTheyShow() {
        GatewayMeters gateway = new GatewayMeters(registry);
        AtomicInteger sessions = new AtomicInteger(3);
        AtomicBoolean up = new AtomicBoolean(true);
        gateway.sessions(sessions::get, 9);
        gateway.backend("vectordb", up::get, () -> true);
        gateway.sessionEnded(Duration.ofMinutes(2));
        String before = registry.scrape();
        assertTrue(before.contains("switchboard_sessions_active 3.0"), before);
        assertTrue(before.contains("switchboard_sessions_limit 9.0"), before);
        assertTrue(before.contains("switchboard_backend_up{backend=\"vectordb\"} 1.0"), before);
        assertTrue(before.contains("mcp_server_session_duration_seconds_count 1"), before);
        sessions.set(0);
        up.set(false);
        String after = registry.scrape();
        assertTrue(after.contains("switchboard_sessions_active 0.0"), after);
        assertTrue(after.contains("switchboard_backend_up{backend=\"vectordb\"} 0.0"), after);
    }

    @Test
    void theRegistryKnowsTheJvm() {
        try (Metrics metrics = new Metrics()) {
            String text = metrics.registry().scrape();
            assertTrue(text.contains("jvm_memory_used_bytes"), text);
            assertFalse(text.contains("mcp_server"), text);
        }
    }

    private static FinishedRequest operation(
            String method, @Nullable String tool, @Nullable String error, String team) {
        Integer code = error == null || !error.equals("INVALID_PARAMS") ? null : -32602;
        return request(
                method,
                tool,
                new FinishedRequest.Outcome(FinishedRequest.AccessDecision.ALLOWED, null, error, code),
                team,
                null);
    }

    private static FinishedRequest request(
            String method,
            @Nullable String tool,
            FinishedRequest.Outcome outcome,
            String team,
            @Nullable String traceparent) {
        return new FinishedRequest(
                new RequestSource("r-1", traceparent, "192.0.2.1", ""),
                new RequestCaller(team, "key1"),
                new FinishedRequest.Channel("http", "2026-07-28"),
                new FinishedRequest.Subject(method, tool, null, List.of(), null),
                outcome,
                Duration.ofMillis(30),
                1_000);
    }
}
