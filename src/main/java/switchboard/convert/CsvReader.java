package switchboard.convert;

import com.google.re2j.Pattern;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Converts delimited values to a Markdown table, with the first record as header. */
final class CsvReader {
    private static final Pattern LINE_END = Pattern.compile("\\s*\\n\\s*");

    Converted read(String text, ConvertLimits limits) throws ConvertException {
        StringBuilder table = new StringBuilder(text.length() + text.length() / 4);
        try (CSVParser records = CSVParser.parse(text, CsvDialect.of(text))) {
            boolean head = true;
            for (CSVRecord values : records) {
                limits.check();
                row(table, values);
                if (table.length() > limits.maxChars()) {
                    throw limits.tooMuchText();
                }
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
                    .append(LINE_END.matcher(value.strip().replace("|", "\\|")).replaceAll(" "))
                    .append(" |");
        }
        table.append('\n');
    }
}
