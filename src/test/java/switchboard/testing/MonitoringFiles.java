package switchboard.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import switchboard.call.Json;

/** What {@code k8s/monitoring} asks Prometheus. */
public final class MonitoringFiles {
    private static final Path RULES = Path.of("k8s", "monitoring", "rules.yaml");
    private static final Path DASHBOARD = Path.of("k8s", "monitoring", "dashboard.json");
    private static final Path ADAPTER = Path.of("k8s", "monitoring", "adapter.yaml");

    private MonitoringFiles() {}

    /**
     * One panel of the dashboard.
     *
     * @param title above it
     * @param unit of its values, in Grafana's words
     * @param lines what it draws
     */
    public record Panel(String title, String unit, List<Line> lines) {
        public Panel {
            lines = List.copyOf(lines);
        }
    }

    /**
     * A query whose series a panel draws.
     *
     * @param query in Prometheus' language
     * @param legend the name of a series, with labels in double braces
     */
    public record Line(String query, String legend) {}

    /** Writes the rules as Prometheus itself reads them to {@code file}, which is returned. */
    public static Path rules(Path file) throws IOException {
        return Files.writeString(file, spec().toString());
    }

    /** What prometheus-adapter makes of its rule for all pods together; {@code instance} stands for the labels of a pod. */
    public static String adapterQuery() throws IOException {
        JsonNode rule = Yaml.tree(Files.readString(ADAPTER)).path("rules").path(0);
        String series = rule.path("seriesQuery").asText();
        return rule.path("metricsQuery")
                .asText()
                .replace("<<.Series>>", series.substring(0, series.indexOf('{')))
                .replace("<<.LabelMatchers>>", "instance=~\".+\"")
                .replace("<<.GroupBy>>", "instance");
    }

    /** The name under which that is asked for. */
    public static String adapterMetric() throws IOException {
        return Yaml.tree(Files.readString(ADAPTER)).at("/rules/0/name/as").asText();
    }

    /** The names of the alerts. */
    public static List<String> alerts() throws IOException {
        return named("alert");
    }

    /** The names of what the rules record. */
    public static List<String> recorded() throws IOException {
        return named("record");
    }

    /** The dashboard, with rates over {@code interval}. */
    public static List<Panel> panels(String interval) throws IOException {
        List<Panel> panels = new ArrayList<>();
        for (JsonNode panel : drawn()) {
            List<Line> lines = new ArrayList<>();
            panel.path("targets")
                    .forEach(target -> lines.add(new Line(
                            target.path("expr")
                                    .asText()
                                    .replace("$__rate_interval", interval)
                                    .replace("$__range", interval)
                                    .replace("$instance", ".+"),
                            target.path("legendFormat").asText())));
            String unit =
                    panel.path("fieldConfig").path("defaults").path("unit").asText();
            panels.add(new Panel(panel.path("title").asText(), unit, lines));
        }
        return panels;
    }

    /** The panels as they are in the file. */
    public static List<JsonNode> drawn() throws IOException {
        List<JsonNode> panels = new ArrayList<>();
        dashboard().path("panels").forEach(panels::add);
        return panels;
    }

    /** The names of the dashboard's variables. */
    public static List<String> variables() throws IOException {
        return dashboard().path("templating").path("list").findValuesAsText("name");
    }

    private static JsonNode dashboard() throws IOException {
        return Json.parse(Files.readString(DASHBOARD));
    }

    /** All queries of the dashboard. */
    public static List<String> queries(String interval) throws IOException {
        return panels(interval).stream()
                .flatMap(panel -> panel.lines().stream())
                .map(Line::query)
                .toList();
    }

    private static List<String> named(String kind) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode group : spec().path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                if (rule.has(kind)) {
                    names.add(rule.path(kind).asText());
                }
            }
        }
        return names.stream().distinct().toList();
    }

    private static JsonNode spec() throws IOException {
        return Yaml.tree(Files.readString(RULES)).path("spec");
    }
}
