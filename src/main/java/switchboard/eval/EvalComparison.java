package switchboard.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import switchboard.telemetry.MetricNames;

/**
 * Search variants measured on the same queries. The first is the baseline.
 *
 * @param collection the set's name
 * @param documents number of documents
 * @param runs one for each variant
 */
public record EvalComparison(String collection, int documents, List<EvalRunResult> runs) {
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

        double percentile(int percent) {
            List<Double> sorted = millis.stream().sorted().toList();
            return sorted.isEmpty() ? 0 : sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
        }

        /** Differences in nDCG@10 to {@code other}, on the queries of both. */
        public PairedTest against(EvalRunResult other) {
            List<Double> differences = new ArrayList<>();
            byQuery.forEach((query, quality) -> {
                Quality others = other.byQuery.get(query);
                if (others != null) {
                    differences.add(quality.ndcg10() - others.ndcg10());
                }
            });
            return PairedTest.of(
                    differences.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    public EvalComparison {
        runs = List.copyOf(runs);
    }

    /** A section of a report, in Markdown. */
    public String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("## " + collection);
        lines.add("");
        int queries = runs.isEmpty() ? 0 : runs.getFirst().byQuery().size();
        lines.add(documents + " documents, " + queries
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
            difference = String.format(
                    Locale.ROOT,
                    "| %+.4f [%+.4f, %+.4f] | %.3f",
                    pairedTest.mean(),
                    pairedTest.low(),
                    pairedTest.high(),
                    pairedTest.p());
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
