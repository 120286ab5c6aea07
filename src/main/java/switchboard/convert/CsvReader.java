package switchboard.convert;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Delimited values to a Markdown table, the first record as its head. */
final class CsvReader {
    private static final String DELIMITERS = ",;\t|";

    Converted read(String text) throws ConvertException {
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setDelimiter(delimiter(text))
                .setIgnoreEmptyLines(true)
                .get();
        StringBuilder table = new StringBuilder(text.length() + text.length() / 4);
        try (CSVParser records = CSVParser.parse(text, format)) {
            boolean head = true;
            for (CSVRecord values : records) {
                row(table, values);
                if (head) {
                    table.append("|").append(" --- |".repeat(values.size())).append('\n');
                    head = false;
                }
            }
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
            throw new ConvertException(
                    ConvertException.Reason.UNREADABLE, "not valid CSV: a quoted value does not end, or ends oddly");
        }
        return Converted.of(table.toString(), Converted.Markup.MARKDOWN, null);
    }

    private static void row(StringBuilder table, CSVRecord values) {
        table.append('|');
        for (String value : values) {
            table.append(' ')
                    .append(value.strip().replace("|", "\\|").replaceAll("\\s*\\n\\s*", " "))
                    .append(" |");
        }
        table.append('\n');
    }

    /** The candidate that the first line has most of; the first one of equals. */
    private static char delimiter(String text) {
        String first = text.lines().findFirst().orElse("");
        char best = ',';
        for (int i = 0; i < DELIMITERS.length(); i++) {
            char candidate = DELIMITERS.charAt(i);
            best = count(first, candidate) > count(first, best) ? candidate : best;
        }
        return best;
    }

    private static long count(String line, char wanted) {
        return line.chars().filter(c -> c == wanted).count();
    }
}
