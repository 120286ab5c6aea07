package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import switchboard.auth.ApiKey;
import switchboard.testing.McpTestClient;
import switchboard.testing.MonitoringFiles;
import switchboard.testing.TestGateway;

/** Dashboard, alerts and configurations under {@code k8s/} are about the metrics and keys that there are. */
class MonitoringFilesTest {
    private static final Path RULES = Path.of("k8s", "monitoring", "rules.yaml");
    private static final Path DASHBOARD = Path.of("k8s", "monitoring", "dashboard.json");
    private static final Path ADAPTER = Path.of("k8s", "monitoring", "adapter.yaml");
    private static final Pattern METRIC = Pattern.compile("\\b(?:switchboard|mcp|jvm|process|system)_[a-z_]+\\b(?!\")");
    private static final Pattern LABEL = Pattern.compile("mcp_method_name|mcp_protocol_version");

    private static final Pattern METER_NAME = Pattern.compile("\"((?:switchboard|mcp\\.server)[._][a-z._]+)\"");
    /** As Prometheus shows it, wherever in a text. */
    private static final Pattern SERIES_NAME = Pattern.compile("\"[^\"\n]*(switchboard_[a-z_]+)");

    private static final Path METER_NAMES = Path.of("src/main/java/switchboard/telemetry/MetricNames.java");
    private static final Pattern FAMILY_SAMPLE =
            Pattern.compile("(?m)^((?:switchboard|mcp)_[a-z_]+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL_NAME = Pattern.compile("([a-z_]+)=\"");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `((?:switchboard|mcp)_[a-z_]+)` \\| \\w+ \\|([^|]*)\\|");

    private static final Pattern SELECTOR = Pattern.compile("\\{([^}]*)}");

    @TempDir
    Path folder;

    @Test
    void everyMetricThatIsAskedForExists() throws IOException, InterruptedException {
        Set<String> asked = new TreeSet<>();
        for (Path file : List.of(RULES, DASHBOARD, ADAPTER)) {
            METRIC.matcher(Files.readString(file)).results().forEach(match -> asked.add(match.group()));
        }
        asked.removeIf(name -> LABEL.matcher(name).matches());
        assertTrue(asked.size() > 15, asked::toString);
        asked.removeAll(scraped());
        asked.removeAll(table().keySet()); // what a gateway without TLS does not have
        assertEquals(Set.of(), asked);
    }

    @Test
    void everyPanelIsAboutTheChosenInstancesHasAUnitAndFewLines() throws IOException {
        assertTrue(MonitoringFiles.variables().contains("instance"), () -> "no variable");
        List<JsonNode> panels = MonitoringFiles.drawn();
        assertTrue(panels.size() > 15, panels::toString);
        for (JsonNode panel : panels) {
            String title = panel.path("title").asText();
            assertFalse(
                    panel.path("fieldConfig")
                            .path("defaults")
                            .path("unit")
                            .asText()
                            .isEmpty(),
                    title);
            int lines = 0;
            for (JsonNode target : panel.path("targets")) {
                String query = target.path("expr").asText();
                Matcher selectors = SELECTOR.matcher(query);
                int found = 0;
                while (selectors.find()) {
                    assertTrue(selectors.group(1).startsWith("instance=~\"$instance\""), query);
                    found++;
                }
                // Every metric has a selector.
                assertEquals(
                        found,
                        METRIC.matcher(query.replaceAll("\\{[^}]*}", "{}"))
                                .results()
                                .count(),
                        query);
                lines += mostLines(query);
            }
            assertTrue(lines >= 1 && lines <= 10, () -> title + " may draw many lines");
        }
    }

    /** How many series a query has at most: one of a sum over all, or what it is cut to by the whole range. */
    private static int mostLines(String query) {
        Matcher cut = Pattern.compile(" and (?:topk|bottomk)\\((\\d+), .*\\[\\$__range] @ end\\(\\).*\\)$")
                .matcher(query);
        if (cut.find()) {
            return Integer.parseInt(cut.group(1));
        }
        assertFalse(query.replace("by (le)", "").contains(" by ("), () -> query + " is not cut");
        assertTrue(query.startsWith("sum(") || query.startsWith("histogram_quantile("), query);
        return 1;
    }

    @Test
    void everyAlertHasAnEntryInTheRunbook() throws IOException {
        String runbook = Files.readString(Path.of("docs", "operations.md"));
        List<String> alerts = MonitoringFiles.alerts();
        assertTrue(alerts.size() >= 5, alerts::toString);
        alerts.forEach(alert -> assertTrue(runbook.contains("### " + alert), alert));
    }

    @Test
    void everyMetricIsInTheTableWithItsLabels() throws IOException, InterruptedException {
        Map<String, Set<String>> table = table();
        Map<String, Set<String>> scraped = new TreeMap<>();
        FAMILY_SAMPLE.matcher(scrape()).results().forEach(sample -> scraped.computeIfAbsent(
                        family(sample.group(1)), _ -> new TreeSet<>())
                .addAll(LABEL_NAME
                        .matcher(Objects.requireNonNullElse(sample.group(2), ""))
                        .results()
                        .map(label -> label.group(1))
                        .filter(label -> !label.equals("le"))
                        .toList()));
        assertTrue(scraped.size() > 25, scraped::toString);
        scraped.forEach((name, labels) -> assertEquals(labels, table.get(name), name));
    }

    @Test
    void everyNameOfAMetricInTheSourcesIsInTheTableAndNoOther() throws IOException {
        Set<String> coded = METER_NAME
                .matcher(Files.readString(METER_NAMES))
                .results()
                .map(name -> name.group(1).replace('.', '_'))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> documented = new TreeSet<>();
        table().keySet().forEach(name -> documented.add(name.replaceAll("(_bytes)?_total$|_seconds$|_bytes$", "")));
        assertEquals(documented, coded);
    }

    @Test
    void namesOfMetricsAreWrittenInOneClass() throws IOException {
        List<String> elsewhere = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".java") && !file.equals(METER_NAMES))
                    .toList()) {
                String source = Files.readString(file);
                Pattern literal = source.contains("import io.micrometer") ? METER_NAME : SERIES_NAME;
                literal.matcher(source).results().forEach(name -> elsewhere.add(file + ": " + name.group(1)));
            }
        }
        assertEquals(List.of(), elsewhere);
    }

    @Test
    void benchmarksAskForMetricsThatExist() throws IOException {
        Set<String> asked = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("bench", "java"))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                SERIES_NAME.matcher(Files.readString(file)).results().forEach(name -> asked.add(family(name.group(1))));
            }
        }
        assertTrue(asked.contains("switchboard_http_streams_open"), asked::toString);
        asked.removeAll(table().keySet());
        assertEquals(Set.of(), asked);
    }

    @Test
    void whatDiskAndProcessHaveIsShown() throws IOException, InterruptedException {
        String scrape = scrape();
        Path store = folder.resolve("data").resolve("vectordb");
        long total = Files.getFileStore(folder).getTotalSpace();
        for (Path held : List.of(folder, store)) {
            assertTrue(Files.isDirectory(held), held::toString);
            assertEquals(total, value(scrape, "switchboard_data_folder_total_bytes{folder=\"" + held + "\"}"));
            double free = value(scrape, "switchboard_data_folder_free_bytes{folder=\"" + held + "\"}");
            assertTrue(free > 0 && free < total, scrape);
        }
        assertTrue(value(scrape, "switchboard_store_bytes{store=\"vectordb\"}") > 100, scrape);
        assertEquals(1000, value(scrape, "switchboard_sessions_limit"));
        assertTrue(value(scrape, "process_resident_memory_bytes") > 10e6, scrape);
        assertTrue(
                value(scrape, "process_virtual_memory_bytes") > value(scrape, "process_resident_memory_bytes"), scrape);
        assertTrue(value(scrape, "process_cpu_seconds_total") > 0, scrape);
        assertTrue(value(scrape, "process_open_fds") > 0, scrape);
        assertTrue(
                scrape.lines().anyMatch(line -> line.startsWith("switchboard_build_info{") && line.endsWith(" 1")),
                scrape);
    }

    private static double value(String scrape, String series) {
        return scrape.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(series + " is not in " + scrape));
    }

    /** The metrics of docs/operations.md with their labels. */
    private static Map<String, Set<String>> table() throws IOException {
        Map<String, Set<String>> table = new TreeMap<>();
        ROW.matcher(Files.readString(Path.of("docs", "operations.md")))
                .results()
                .forEach(row -> table.put(
                        row.group(1),
                        Pattern.compile("`([a-z_]+)`")
                                .matcher(row.group(2))
                                .results()
                                .map(label -> label.group(1))
                                .collect(Collectors.toCollection(TreeSet::new))));
        return table;
    }

    /** The name in the table of what a sample belongs to. */
    private static String family(String sample) {
        return sample.replaceAll("_(bucket|count|sum|max)$", "");
    }

    private Set<String> scraped() throws IOException, InterruptedException {
        Set<String> names = new TreeSet<>();
        Pattern.compile("(?m)^([a-z_]+)[ {]").matcher(scrape()).results().forEach(match -> names.add(match.group(1)));
        return names;
    }

    private String scrape() throws IOException, InterruptedException {
        ApiKey key = ApiKey.generate(new SecureRandom());
        Files.writeString(folder.resolve("teams.yaml"), """
                teams:
                  all:
                    keys: [{id: one, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(key.sha256()));
        try (TestGateway gateway = TestGateway.start("""
                        auth: {mode: keys}
                        embedders:
                          default: {provider: none}
                          idle: {provider: openai, url: "http://127.0.0.1:9", model: m, dimension: 3}
                        backends:
                          vectordb: {type: vectordb}
                          weaviate: {type: weaviate, url: "http://127.0.0.1:9"}
                          meilisearch: {type: meilisearch, url: "http://127.0.0.1:9"}
                        """, folder);
                McpTestClient client =
                        McpTestClient.modern(gateway.url()).with("Authorization", "Bearer " + key.text());
                HttpClient http = HttpClient.newHttpClient()) {
            gateway.follow(folder.resolve("switchboard.yaml"));
            client.call("vectordb__ingest_text", "{\"content\": \"x\", \"title\": \"t\"}");
            client.call("weaviate__weaviate-tenants-list", "{\"collection_name\": \"A\"}");
            client.call("meilisearch__meilisearch_list_indexes", "{}");
            URI metrics = gateway.app().managementUrl().resolve("/metrics");
            return http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
