package switchboard.eval;

import java.util.List;
import java.util.Locale;

/**
 * The result of an evaluation.
 *
 * @param collection the set's name
 * @param documents number of documents
 * @param queries number of judged queries
 * @param modes one line for each search mode
 */
public record EvalReport(String collection, int documents, int queries, List<ReportLine> modes) {
    public EvalReport {
        modes = List.copyOf(modes);
    }

    /**
     * The results of one search mode.
     *
     * @param mode its name
     * @param quality its quality
     * @param p50Millis median duration of a search without embedding the query, in milliseconds
     * @param p99Millis 99th percentile of that
     */
    public record ReportLine(String mode, Quality quality, double p50Millis, double p99Millis) {}

    /** A table for a terminal. */
    public String table() {
        StringBuilder table =
                new StringBuilder(String.format("%s: %d documents, %d queries%n", collection, documents, queries));
        table.append(String.format(
                "%-16s %8s %8s %8s %8s %8s %8s%n", "", "nDCG@10", "R@10", "R@100", "MRR@10", "p50 ms", "p99 ms"));
        for (ReportLine line : modes) {
            Quality quality = line.quality();
            table.append(String.format(
                    Locale.ROOT,
                    "%-16s %8.4f %8.4f %8.4f %8.4f %8.2f %8.2f%n",
                    line.mode(),
                    quality.ndcg10(),
                    quality.recall10(),
                    quality.recall100(),
                    quality.mrr10(),
                    line.p50Millis(),
                    line.p99Millis()));
        }
        return table.toString();
    }
}
