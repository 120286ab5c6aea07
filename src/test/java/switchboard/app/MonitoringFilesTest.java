package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.auth.ApiKey;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;
import switchboard.testing.McpTestClient;
import switchboard.testing.TestGateway;

/** Dashboard, alerts and configurations under {@code k8s/} are about the metrics and keys that there are. */
class MonitoringFilesTest {
    private static final Path RULES = Path.of("k8s", "monitoring", "rules.yaml");
    private static final Path DASHBOARD = Path.of("k8s", "monitoring", "dashboard.json");
    private static final Pattern METRIC = Pattern.compile("\\b(?:switchboard|mcp|jvm|process)_[a-z_]+\\b(?!\")");
    private static final Pattern LABEL = Pattern.compile("mcp_method_name|mcp_protocol_version");

    @TempDir
    Path folder;

    @Test
    void everyMetricThatIsAskedForExists() throws IOException, InterruptedException {
        Set<String> asked = new TreeSet<>();
        for (Path file : List.of(RULES, DASHBOARD)) {
            METRIC.matcher(Files.readString(file)).results().forEach(match -> asked.add(match.group()));
        }
        asked.removeIf(name -> LABEL.matcher(name).matches());
        assertTrue(asked.size() > 15, asked::toString);
        asked.removeAll(scraped());
        assertEquals(Set.of(), asked);
    }

    @Test
    void everyAlertHasAnEntryInTheRunbook() throws IOException {
        String runbook = Files.readString(Path.of("docs", "operations.md"));
        List<String> alerts = Pattern.compile("alert: (\\w+)")
                .matcher(Files.readString(RULES))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertTrue(alerts.size() >= 5, alerts::toString);
        alerts.forEach(alert -> assertTrue(runbook.contains("### " + alert), alert));
    }

    @ParameterizedTest
    @ValueSource(strings = {"single", "replicas"})
    void theConfigurationsOfTheOverlaysAreGood(String overlay) throws IOException {
        Path file = Path.of("k8s", "overlays", overlay, "switchboard.yaml");
        ConfigLoader loader = new ConfigLoader(
                BackendTypes.shipped().settings(), Map.of("WEAVIATE_API_KEY", "w", "MEILI_API_KEY", "m"));
        GatewayConfig config = loader.parse(Files.readString(file), file.toString(), folder, Overrides.NONE);
        assertEquals("0.0.0.0", config.server().host());
    }

    private Set<String> scraped() throws IOException, InterruptedException {
        ApiKey key = ApiKey.generate(new SecureRandom());
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  all:
                    keys: [{id: one, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(key.sha256()));
        try (TestGateway gateway = TestGateway.start("""
                        auth: {mode: keys}
                        embedders: {default: {provider: none}}
                        backends: {vectordb: {type: vectordb}}
                        """, folder);
                McpTestClient client =
                        McpTestClient.modern(gateway.url()).with("Authorization", "Bearer " + key.text());
                HttpClient http = HttpClient.newHttpClient()) {
            client.call("list_libraries", "{}");
            client.call("ingest_text", "{\"content\": \"x\", \"title\": \"t\"}");
            URI metrics = gateway.app().managementUrl().resolve("/metrics");
            String text = http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            Set<String> names = new TreeSet<>();
            Pattern.compile("(?m)^([a-z_]+)[ {]").matcher(text).results().forEach(match -> names.add(match.group(1)));
            return names;
        }
    }
}
