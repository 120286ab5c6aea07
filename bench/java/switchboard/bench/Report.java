package switchboard.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rows of a run as a table, and beside it as JSON and as a plot. Ratios are those of the row to the first server's. */
final class Report {
    private final String subject;
    private final List<Row> rows = new ArrayList<>();

    /** A report whose ratios are to the server {@code subject}. */
    Report(String subject) {
        this.subject = subject;
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Takes and prints the rows of one load. */
    void add(List<Row> some) {
        rows.addAll(some);
        Markdown table = new Markdown(
                "work", "era", "load", "server", "calls/s", "ratio", "p50 ms", "p99 ms", "ratio", "cpu us", "ratio");
        for (Row row : some) {
            Row base = base(row);
            table.row(
                    row.work(),
                    row.era(),
                    row.load(),
                    row.server(),
                    row.perSecond().text(0),
                    Samples.number(row.perSecond().over(base.perSecond()), 2),
                    row.p50().text(2),
                    row.p99().text(2),
                    Samples.number(row.p99().over(base.p99()), 2),
                    row.cpu().text(1),
                    Samples.number(row.cpu().over(base.cpu()), 2));
        }
        table.print();
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
