package switchboard.convert;

import org.apache.commons.csv.CSVFormat;

/** Detects the delimiter of delimited values. */
public final class CsvDialect {
    private static final String DELIMITERS = ",;\t|";

    private CsvDialect() {}

    /**
     * The format of {@code text}. The delimiter is the candidate that occurs most often in the first line. Empty lines
     * are ignored.
     */
    public static CSVFormat of(String text) {
        return CSVFormat.DEFAULT
                .builder()
                .setDelimiter(delimiter(text))
                .setIgnoreEmptyLines(true)
                .get();
    }

    /** Ties go to the first candidate. */
    static char delimiter(String text) {
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
