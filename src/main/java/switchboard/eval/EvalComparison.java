package switchboard.eval;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import switchboard.call.Json;
import switchboard.telemetry.MetricNames;

/**
 * Search variants measured on the same queries. The first is the baseline.
 *
 * @param collection the set's name
 * @param documents number of documents
 * @param runs one for each variant
 * @param cosines what cosines mean, by model
 */
public record EvalComparison(
        String collection, int documents, List<EvalRunResult> runs, Map<String, MeanCosines> cosines) {
    /**
     * The results of one variant.
     *
     * @param name its label
     * @param byQuery quality by query
     * @param millis duration of each search in milliseconds
     * @param failed number of failed searches; their quality is 0
     */
    public record EvalRunResult(String name, Map<String, Quality> byQuery, List<Double> millis, int failed) {
        /** The mean over all queries. */
        public Quality quality() {
            return Quality.mean(List.copyOf(byQuery.values()));
        }

        /** The duration in milliseconds that {@code percent} of the searches did not exceed. */
        public double percentile(int percent) {
            List<Double> sorted = millis.stream().sorted().toList();
            return sorted.isEmpty() ? 0 : sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
        }

        /** Differences in nDCG@10 to {@code other}, on the queries of both. */
        public PairedTest against(EvalRunResult other) {
            return PairedTest.of(byQuery, other.byQuery);
        }

        /** The same by query. */
        public SortedMap<String, Double> differences(EvalRunResult other) {
            return PairedTest.differences(byQuery, other.byQuery);
        }
    }

    public EvalComparison {
        runs = List.copyOf(runs);
        cosines = Collections.unmodifiableMap(new LinkedHashMap<>(cosines));
    }

    /** A comparison without models. */
    public EvalComparison(String collection, int documents, List<EvalRunResult> runs) {
        this(collection, documents, runs, Map.of());
    }

    /** The same with more variants, and the cosines of one more measurement of the same set. */
    public EvalComparison and(List<EvalRunResult> more, Map<String, MeanCosines> models) {
        List<EvalRunResult> all = new ArrayList<>(runs);
        all.addAll(more);
        Map<String, MeanCosines> both = new LinkedHashMap<>(cosines);
        both.putAll(models);
        return new EvalComparison(collection, documents, all, both);
    }

    /** The same with the variant called {@code baseline} as the first; empty if there is none of that name. */
    public Optional<EvalComparison> against(String baseline) {
        Optional<EvalRunResult> first =
                runs.stream().filter(run -> run.name().equals(baseline)).findFirst();
        return first.map(found -> new EvalComparison(
                collection,
                documents,
                Stream.concat(Stream.of(found), runs.stream().filter(run -> !run.equals(found)))
                        .toList(),
                cosines));
    }

    private int queries() {
        return runs.isEmpty() ? 0 : runs.getFirst().byQuery().size();
    }

    /** A table for a terminal. */
    public String table() {
        StringBuilder table =
                new StringBuilder(String.format("%s: %d documents, %d queries%n", collection, documents, queries()));
        table.append(String.format(
                "%-24s %8s %8s %8s %8s %8s %8s  %s%n",
                "", "nDCG@10", "R@10", "R@100", "MRR@10", "p50 ms", "p99 ms", "difference in nDCG@10"));
        for (EvalRunResult run : runs) {
            Quality quality = run.quality();
            PairedTest test = run.against(runs.getFirst());
            table.append(String.format(
                    Locale.ROOT,
                    "%-24s %8.4f %8.4f %8.4f %8.4f %8.2f %8.2f  %s%n",
                    run.name(),
                    quality.ndcg10(),
                    quality.recall10(),
                    quality.recall100(),
                    quality.mrr10(),
                    run.percentile(50),
                    run.percentile(99),
                    run.equals(runs.getFirst())
                            ? "baseline"
                            : difference(test) + String.format(Locale.ROOT, " p %.3f", test.p())));
        }
        cosines.forEach((model, mean) -> table.append(String.format("cosines of %s: {%s}%n", model, mean)));
        return table.toString();
    }

    private static String difference(PairedTest test) {
        return String.format(Locale.ROOT, "%+.4f [%+.4f, %+.4f]", test.mean(), test.low(), test.high());
    }

    /** All figures for programs, with the differences of each variant to the first, by query, too. */
    public ObjectNode json() {
        ObjectNode json = Json.object()
                .put("collection", collection)
                .put("documents", documents)
                .put("queries", queries());
        ObjectNode means = json.putObject("cosines");
        cosines.forEach((model, mean) -> {
            ObjectNode measured = means.putObject(model);
            mean.unrelated().ifPresent(cosine -> measured.put("unrelated", cosine));
            mean.related().ifPresent(cosine -> measured.put("related", cosine));
        });
        ArrayNode modes = json.putArray("modes");
        for (EvalRunResult run : runs) {
            ObjectNode mode = modes.addObject().put("mode", run.name());
            mode.set("quality", Json.tree(run.quality()));
            mode.put("p50Millis", run.percentile(50))
                    .put("p99Millis", run.percentile(99))
                    .put("failed", run.failed());
            if (!run.equals(runs.getFirst())) {
                ObjectNode difference =
                        mode.putObject("difference").put("to", runs.getFirst().name());
                difference.setAll(Json.tree(run.against(runs.getFirst())));
                ObjectNode byQuery = difference.putObject("byQuery");
                run.differences(runs.getFirst()).forEach(byQuery::put);
            }
        }
        return json;
    }

    /**
     * nDCG@10 of each query and variant, and the differences to the first variant, as values separated by tabs below a line of
     * names.
     */
    public String byQuery() {
        List<String> lines = new ArrayList<>();
        Stream<String> names = runs.stream().map(EvalRunResult::name);
        Stream<String> differences = runs.stream()
                .skip(1)
                .map(run -> run.name() + " - " + runs.getFirst().name());
        lines.add(tabbed("query", Stream.concat(names, differences)));
        Map<String, Quality> baseline =
                runs.isEmpty() ? Map.of() : runs.getFirst().byQuery();
        for (String query : new TreeSet<>(baseline.keySet())) {
            Stream<Double> values = runs.stream().map(run -> ndcg(run, query));
            Stream<Double> others = runs.stream().skip(1).map(run -> ndcg(run, query) - ndcg(runs.getFirst(), query));
            lines.add(tabbed(
                    query, Stream.concat(values, others).map(value -> String.format(Locale.ROOT, "%.4f", value))));
        }
        return String.join("\n", lines) + "\n";
    }

    private static double ndcg(EvalRunResult run, String query) {
        Quality quality = run.byQuery().get(query);
        return quality == null ? 0 : quality.ndcg10();
    }

    private static String tabbed(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others)
                .map(value -> value.replaceAll("\\s", " "))
                .collect(Collectors.joining("\t"));
    }

    /** A section of a report, in Markdown. */
    public String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("## " + collection);
        lines.add("");
        lines.add(documents + " documents, " + queries()
                + " queries. Differences are in nDCG@10 to the first line, with the"
                + " 95 % interval and p of a paired bootstrap.");
        lines.add("");
        lines.add("| | nDCG@10 | R@10 | R@100 | MRR@10 | difference | p | p50 ms | p99 ms | failed |");
        lines.add("|---|---|---|---|---|---|---|---|---|---|");
        for (EvalRunResult run : runs) {
            lines.add(line(run));
        }
        return String.join("\n", lines) + "\n";
    }

    private String line(EvalRunResult run) {
        Quality quality = run.quality();
        String difference = "| |";
        if (!run.equals(runs.getFirst())) {
            PairedTest pairedTest = run.against(runs.getFirst());
            difference = "| " + difference(pairedTest) + String.format(Locale.ROOT, " | %.3f", pairedTest.p());
        }
        return String.format(
                        Locale.ROOT,
                        "| %s | %.4f | %.4f | %.4f | %.4f ",
                        run.name().replace("|", "\\|"),
                        quality.ndcg10(),
                        quality.recall10(),
                        quality.recall100(),
                        quality.mrr10())
                + difference
                + String.format(
                        Locale.ROOT, " | %.1f | %.1f | %d |", run.percentile(50), run.percentile(99), run.failed());
    }

    /** Gauges in the text format of Prometheus, as node_exporter's textfile collector reads them. */
    public static String gauges(List<EvalComparison> comparisons) {
        StringBuilder text = new StringBuilder();
        text.append("# HELP " + MetricNames.EVAL_QUALITY + " Retrieval quality on a judged set, 0 to 1.\n");
        text.append("# TYPE " + MetricNames.EVAL_QUALITY + " gauge\n");
        for (EvalComparison comparison : comparisons) {
            for (EvalRunResult run : comparison.runs()) {
                Quality quality = run.quality();
                gauge(text, comparison, run, "ndcg_at_10", quality.ndcg10());
                gauge(text, comparison, run, "recall_at_10", quality.recall10());
                gauge(text, comparison, run, "recall_at_100", quality.recall100());
                gauge(text, comparison, run, "mrr_at_10", quality.mrr10());
            }
        }
        return text.toString();
    }

    private static void gauge(
            StringBuilder text, EvalComparison comparison, EvalRunResult run, String measure, double value) {
        text.append(MetricNames.EVAL_QUALITY + "{collection=\"")
                .append(escaped(comparison.collection()))
                .append("\",run=\"")
                .append(escaped(run.name()))
                .append("\",measure=\"")
                .append(measure)
                .append("\"} ")
                .append(value)
                .append('\n');
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
