package switchboard.convert;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Converts delimited values to a Markdown table, with the first record as column names unless it is numbers. */
final class CsvReader {
    ConvertedDocument read(String text, ConvertLimits limits) throws ConvertException {
        StringBuilder out = new StringBuilder(text.length() + text.length() / 4);
        int width = width(text, limits);
        try (CSVParser records = CSVParser.parse(text, CsvDialect.of(text))) {
            MarkdownTable table = new MarkdownTable(out);
            boolean first = true;
            for (CSVRecord values : records) {
                limits.check();
                boolean names = first && MarkdownTable.names(values.toList());
                if (first) {
                    table.head(names ? values.toList() : List.of(), width);
                    first = false;
                }
                if (!names) {
                    table.row(values);
                }
                if (out.length() > limits.maxChars()) {
                    throw limits.tooMuchText();
                }
            }
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
            throw invalid();
        }
        return ConvertedDocument.of(out.toString(), ConvertedDocument.Markup.MARKDOWN, null);
    }

    /** The number of columns: of a row with more cells than there are names, readers of Markdown lose the rest. */
    private static int width(String text, ConvertLimits limits) throws ConvertException {
        int width = 0;
        try (CSVParser records = CSVParser.parse(text, CsvDialect.of(text))) {
            for (CSVRecord values : records) {
                limits.check();
                width = Math.max(width, values.size());
            }
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
            throw invalid();
        }
        return width;
    }

    private static ConvertException invalid() {
        return new ConvertException(
                ConvertException.Reason.UNREADABLE, "not valid CSV: a quoted value does not end, or ends oddly");
    }
}
