package switchboard.convert;

import org.apache.commons.csv.CSVFormat;

/** How a text of delimited values is written. */
public final class CsvDialect {
    private static final String DELIMITERS = ",;\t|";

    private CsvDialect() {}

    /** The format of {@code text}: delimited by whichever candidate its first line has most of. Empty lines are nothing. */
    public static CSVFormat of(String text) {
        return CSVFormat.DEFAULT
                .builder()
                .setDelimiter(delimiter(text))
                .setIgnoreEmptyLines(true)
                .get();
    }

    /** The first one of equals. */
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
