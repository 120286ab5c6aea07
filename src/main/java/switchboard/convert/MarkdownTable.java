package switchboard.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table as Markdown, in the dialect with pipes: a row of column names, a row of dashes, then the rows. Not thread-safe.
 */
final class MarkdownTable {
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final String BETWEEN_NAMES = " / ";

    private final StringBuilder out;

    /** Appends to {@code out}. */
    MarkdownTable(StringBuilder out) {
        this.out = out;
    }

    /** Whether a table's first row has the names of its columns: it does unless there are only numbers in it. */
    static boolean names(List<String> row) {
        List<String> written = row.stream().filter(cell -> !cell.isBlank()).toList();
        return !written.isEmpty() && !written.stream().allMatch(MarkdownTable::number);
    }

    /** Whether a cell has digits, with signs, separators and a currency around them at most. */
    private static boolean number(String cell) {
        return cell.chars().anyMatch(Character::isDigit)
                && cell.strip()
                        .chars()
                        .allMatch(c -> Character.isDigit(c)
                                || "+-.,' %".indexOf(c) >= 0
                                || Character.getType(c) == Character.CURRENCY_SYMBOL);
    }

    /** One row of names from several: what is above each other becomes one name, each text once. */
    static List<String> joined(List<List<String>> rows) {
        int width = rows.stream().mapToInt(List::size).max().orElse(0);
        List<String> names = new ArrayList<>();
        for (int column = 0; column < width; column++) {
            int at = column;
            Stream<String> parts = rows.stream()
                    .filter(row -> at < row.size())
                    .map(row -> row.get(at))
                    .filter(part -> !part.isBlank());
            names.add(parts.distinct().collect(Collectors.joining(BETWEEN_NAMES)));
        }
        return names;
    }

    /** The names of {@code width} columns; blank ones where {@code names} has none. */
    MarkdownTable head(List<String> names, int width) {
        List<String> all = new ArrayList<>(names);
        while (all.size() < width) {
            all.add("");
        }
        row(all);
        out.append("|").append(" --- |".repeat(all.size())).append('\n');
        return this;
    }

    /** A row. It may have fewer cells than the table has columns. */
    MarkdownTable row(Iterable<String> cells) {
        out.append('|');
        for (String cell : cells) {
            out.append(' ').append(inline(cell)).append(" |");
        }
        out.append('\n');
        return this;
    }

    private static String inline(String cell) {
        return SPACE.matcher(cell.strip()).replaceAll(" ").replace("|", "\\|");
    }
}
