package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import switchboard.backend.agentroot.source.RecordRows.DataRecord;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.convert.CsvDialect;

/**
 * Delimited values whose first record names the columns. Each record is a document with lines {@code column: value}.
 */
record CsvRecords() implements RecordFormat {
    @Override
    public String type() {
        return "csv";
    }

    @Override
    public boolean takes(String path) {
        String name = path.toLowerCase(Locale.ROOT);
        return name.endsWith(".csv") || name.endsWith(".tsv");
    }

    @Override
    public void read(String text, CollectionOrigin origin, Predicate<DataRecord> rows) {
        try (CSVParser parser = CSVParser.parse(
                text,
                CsvDialect.of(text)
                        .builder()
                        .setHeader()
                        .setAllowMissingColumnNames(true)
                        .get())) {
            List<String> columns =
                    parser.getHeaderNames().stream().map(String::strip).toList();
            require(origin, columns);
            for (CSVRecord record : parser) {
                ObjectNode values = Json.object();
                for (int i = 0; i < Math.min(columns.size(), record.size()); i++) {
                    values.put(columns.get(i), record.get(i).strip());
                }
                String number = String.valueOf(record.getRecordNumber());
                boolean blank = values.properties().stream()
                        .allMatch(entry -> entry.getValue().asText().isEmpty());
                if (!blank && !rows.test(row(values, number, origin))) {
                    return;
                }
            }
        } catch (IOException | UncheckedIOException | IllegalStateException | IllegalArgumentException e) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "is not valid CSV: a quoted value does not end, or two columns have one name");
        }
    }

    private static DataRecord row(ObjectNode values, String number, CollectionOrigin origin) {
        return RecordFormat.row(values, number, origin, Json.object().put("row_number", number));
    }

    private static void require(CollectionOrigin origin, List<String> columns) {
        for (String option : OPTIONS) {
            origin.option(option).filter(name -> !columns.contains(name)).ifPresent(name -> {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "has no column '" + name + "'; there are " + String.join(", ", columns));
            });
        }
        origin.option(ALLOW)
                .filter(name -> columns.indexOf(name) != columns.lastIndexOf(name))
                .ifPresent(name -> {
                    throw new ToolException(
                            FailureKind.INVALID_ARGUMENT, "has two columns '" + name + "'; remove one of them");
                });
    }
}
