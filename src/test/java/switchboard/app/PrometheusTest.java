package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.Eventually;
import switchboard.testing.McpTestClient;
import switchboard.testing.MonitoringFiles;
import switchboard.testing.Prometheus;
import switchboard.testing.TestGateway;
import switchboard.testing.logs.AsksForErrors;

/** The rules and the dashboard of {@code k8s/monitoring} by a real Prometheus. */
@Tag("engines")
class PrometheusTest {
    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

    /** Labels that hold kinds. */
    private static final Pattern METRIC_KIND = Pattern.compile("(?:error_type|outcome)=\"([^\"]*)\"");

    private static final Pattern NUMBER = Pattern.compile("\\d");

    @TempDir
    Path folder;

    private Path rules;

    @BeforeEach
    void rules() throws IOException {
        rules = MonitoringFiles.rules(folder.resolve("rules.yaml"));
    }

    @Test
    void promtoolFindsNoFaultInTheRules() {
        assertTrue(Prometheus.promtool("check", "rules", rules.toString()).contains("SUCCESS"));
    }

    @Test
    void everyAlertFiresInItsCaseAndInNoOther() throws IOException {
        Path cases = Path.of("src", "test", "resources", "monitoring", "alerts.yaml");
        Path copy = Files.copy(cases, folder.resolve("alerts.yaml"));
        assertTrue(Prometheus.promtool("test", "rules", copy.toString()).contains("SUCCESS"));
        String text = Files.readString(cases);
        MonitoringFiles.alerts().forEach(alert -> assertTrue(text.contains("alertname: " + alert), alert));
    }

    @AsksForErrors("FileReloader - ")
    @Test
    void everyQueryHasAnAnswerOnALiveGateway() throws IOException {
        ApiKey key = ApiKey.generate(new SecureRandom());
        ApiKey spent = ApiKey.generate(new SecureRandom());
        teams(key, spent, "");
        try (TestGateway gateway = TestGateway.start(configuration(), folder)) {
            Files.writeString(folder.resolve("switchboard.yaml"), configuration());
            gateway.follow(folder.resolve("switchboard.yaml"));
            try (Prometheus prometheus = Prometheus.start(gateway.app().managementUrl(), rules)) {
                McpTestClient client = McpTestClient.modern(gateway.url())
                        .with("Authorization", "Bearer " + key.text())
                        .with("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01");
                McpTestClient poor =
                        McpTestClient.modern(gateway.url()).with("Authorization", "Bearer " + spent.text());
                Set<String> open = new TreeSet<>(MonitoringFiles.queries("1m"));
                open.addAll(MonitoringFiles.recorded());
                open.add(MonitoringFiles.adapterQuery());
                assertTrue(open.size() > 25, open::toString);
                Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> {
                            load(client, poor);
                            open.removeIf(query -> isNumber(prometheus.query(query)));
                            return open.isEmpty();
                        },
                        () -> "data for " + open + "; " + prometheus.targets());
                exemplars(prometheus);
                lint(gateway.management("/metrics").body());
                teams(key, spent, "surprise");
                Files.writeString(folder.resolve("switchboard.yaml"), "surprise: 1\n");
                alerts(prometheus);
            }
        }
    }

    /** What Prometheus' own linter says of names, units and texts. */
    private static void lint(String scrape) {
        assertTrue(scrape.contains("switchboard_embedding_failures_total"), scrape);
        assertEquals("", Prometheus.promtoolOn(scrape, "check", "metrics"));
        METRIC_KIND
                .matcher(scrape)
                .results()
                .forEach(label -> assertFalse(NUMBER.matcher(label.group(1)).find(), label::group));
        assertTrue(scrape.contains("error_type=\"INVALID_PARAMS\""), scrape);
        assertTrue(scrape.contains("rpc_response_status_code=\"-32602\""), scrape);
    }

    private static void alerts(Prometheus prometheus) {
        Set<String> expected = Set.of(
                "SwitchboardBackendDown",
                "SwitchboardBudgetExhausted",
                "SwitchboardTeamsOutdated",
                "SwitchboardViewsOutdated");
        Eventually.first(Eventually.OF_A_PROCESS, () -> active(prometheus), active -> active.containsAll(expected));
    }

    /** The alerts that fire or are about to, of rules that are all in order. */
    private static Set<String> active(Prometheus prometheus) {
        Set<String> active = new TreeSet<>();
        for (JsonNode group : prometheus.rules()) {
            for (JsonNode rule : group.path("rules")) {
                assertEquals("", rule.path("lastError").asText(), rule::toString);
                if (Set.of("pending", "firing").contains(rule.path("state").asText())) {
                    active.add(rule.path("name").asText());
                }
            }
        }
        return active;
    }

    private static void exemplars(Prometheus prometheus) {
        for (String name : List.of(
                "mcp_server_operation_duration_seconds_bucket{mcp_method_name=\"tools/call\"}",
                "switchboard_backend_call_duration_seconds_bucket{backend=\"vectordb\"}")) {
            JsonNode found = Eventually.first(
                    Eventually.OF_A_PROCESS, () -> prometheus.exemplars(name), PrometheusTest::isThere);
            assertEquals(
                    TRACE,
                    found.get(0)
                            .path("exemplars")
                            .get(0)
                            .path("labels")
                            .path("trace_id")
                            .asText(),
                    found::toString);
        }
    }

    private static boolean isThere(JsonNode series) {
        return !series.isEmpty();
    }

    private static boolean isNumber(JsonNode series) {
        List<String> values = new ArrayList<>();
        series.forEach(one -> values.add(one.path("value").path(1).asText()));
        return values.stream().anyMatch(value -> !value.equals("NaN"));
    }

    /** Calls that come through, fail at the caller, at an engine, and for want of a budget. */
    private static void load(McpTestClient client, McpTestClient poor) {
        client.call("vectordb__ingest_text", "{\"content\": \"a stone\", \"title\": \"stones\"}");
        assertFalse(client.call("vectordb__search", "{\"query\": \"stone\"}").isError());
        client.call("vectordb__search", "{\"query\": 7}");
        client.request("tools/call", Json.object().put("name", "nothing"));
        client.call("weaviate__weaviate-tenants-list", "{\"collection_name\": \"A\"}");
        poor.call("vectordb__search", "{\"query\": \"stone\"}");
    }

    private void teams(ApiKey key, ApiKey spent, String more) throws IOException {
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  all:
                    keys: [{id: one, sha256: %s}]
                    grants: ["*:*"]
                  poor:
                    keys: [{id: two, sha256: %s}]
                    grants: ["*:*"]
                    limits: {callsPerDay: 1}
                %s
                """.formatted(key.sha256(), spent.sha256(), more));
    }

    private static String configuration() {
        return """
                auth: {mode: keys}
                embedders:
                  default: {provider: none}
                  idle: {provider: openai, url: "http://127.0.0.1:9", model: m, dimension: 3}
                backends:
                  vectordb: {type: vectordb}
                  weaviate: {type: weaviate, url: "http://127.0.0.1:9"}
                """;
    }
}
