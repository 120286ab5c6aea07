package switchboard.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of a run as a table, and beside it as JSON and as a plot. Ratios are those of the row to the first server's. */
final class Report {
    private static final String LINE = "%-12s %-7s %-10s %-18s %10.0f %6.2f %9.2f %9.2f %8.1f %6.2f%n";

    private final String subject;
    private final List<Row> rows = new ArrayList<>();

    /** A report whose ratios are to the server {@code subject}. */
    Report(String subject) {
        this.subject = subject;
    }

    static void head() {
        System.out.printf(
                "%-12s %-7s %-10s %-18s %10s %6s %9s %9s %8s %6s%n",
                "work", "era", "load", "server", "req/s", "ratio", "p50 ms", "p99 ms", "cpu us", "ratio");
    }

    /** Takes and prints the rows of one load. */
    void add(List<Row> some) {
        rows.addAll(some);
        some.forEach(row -> System.out.printf(
                Locale.ROOT,
                LINE,
                row.work(),
                row.era(),
                row.load(),
                row.server(),
                row.perSecond().median(),
                row.perSecond().over(base(row).perSecond()),
                row.p50().median(),
                row.p99().median(),
                row.cpu().median(),
                row.cpu().over(base(row).cpu())));
    }

    private Row base(Row row) {
        return rows.stream()
                .filter(other -> other.server().equals(subject) && other.comparable(row))
                .findFirst()
                .orElse(row);
    }

    /** Writes {@code name.json} and {@code name.svg} into {@code folder}. */
    void write(Path folder, String name) throws IOException {
        ObjectMapper json = new ObjectMapper();
        ArrayNode all = json.createArrayNode();
        for (Row row : rows) {
            ObjectNode one = all.addObject()
                    .put("work", row.work())
                    .put("era", row.era())
                    .put("load", row.load())
                    .put("server", row.server());
            describe(one.putObject("perSecond"), row.perSecond(), base(row).perSecond());
            describe(one.putObject("p50Millis"), row.p50(), base(row).p50());
            describe(one.putObject("p99Millis"), row.p99(), base(row).p99());
            describe(one.putObject("cpuMicros"), row.cpu(), base(row).cpu());
        }
        Files.write(folder.resolve(name + ".json"), json.writerWithDefaultPrettyPrinter().writeValueAsBytes(all));
        Files.writeString(folder.resolve(name + ".svg"), Plot.of(rows));
        System.out.println("written: " + folder.resolve(name) + ".json and .svg");
    }

    private static void describe(ObjectNode node, Samples samples, Samples base) {
        node.put("median", samples.median()).put("spread", samples.spread()).put("ratio", samples.over(base));
    }
}
