package switchboard.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import switchboard.convert.TableSyntax.Range;
import switchboard.text.SurrogatePairs;

/**
 * Cuts a table that is longer than a chunk into parts of whole rows. Each part but the first repeats the names of the
 * columns. A row that is too long for one part is cut between cells, and each part has the names of its own columns; a cell
 * that is too long, between sentences or words.
 */
final class TableSplitter {
    /** Longer names are cut where they are repeated. */
    private static final int MAX_NAME = 80;

    private static final int DASHES = 4;

    /**
     * A part; the parts follow each other without a gap.
     *
     * @param tokens how many it has, with the names
     * @param names the column names that stand before it; empty if it has them itself, or there are none
     */
    record Part(int start, int end, int tokens, String names) {}

    private final String text;
    private final TableSyntax syntax;
    private final ToIntFunction<Range> counter;
    private final int max;
    private final List<Part> parts = new ArrayList<>();
    private List<String> columns = List.of();
    private List<Integer> columnSizes = List.of();

    /** The names of all columns, and how many tokens they have. */
    private String names = "";

    private int namesSize;

    /** The part that is being filled. */
    private int start;

    private int size;
    private String before = "";

    /**
     * Parts of at most {@code max} tokens.
     *
     * @param counter how many tokens a range has
     */
    TableSplitter(String text, TableSyntax syntax, ToIntFunction<Range> counter, int max) {
        this.text = text;
        this.syntax = syntax;
        this.counter = counter;
        this.max = max;
    }

    /**
     * The parts of the table from {@code table} to {@code end}.
     *
     * @param from where the first part begins: the heading above the table, or the table
     */
    List<Part> of(int from, int table, int end) {
        start = from;
        int rows = syntax.endOfNames(text, table, end);
        if (rows > table) {
            Range named = new Range(table, syntax.endOfRow(text, table, end));
            List<Range> cells = syntax.cells(text, named);
            columns = cells.stream()
                    .map(cell -> shortened(syntax.content(text, cell)))
                    .toList();
            columnSizes = cells.stream().map(counter::applyAsInt).toList();
            names = syntax.names(columns);
            namesSize = counter.applyAsInt(new Range(table, rows));
        }
        if (rows > from) {
            row(new Range(from, rows));
        }
        for (int at = rows; at < end; ) {
            int next = syntax.endOfRow(text, at, end);
            row(new Range(at, next));
            at = next;
        }
        flush(end);
        return parts;
    }

    private static String shortened(String name) {
        if (name.length() <= MAX_NAME) {
            return name;
        }
        int end = SurrogatePairs.before(name, MAX_NAME);
        // A pipe whose mark was cut off would be one more cell.
        String cut = name.substring(0, end);
        return (cut.endsWith("\\") ? cut.substring(0, end - 1) : cut) + "…";
    }

    private void row(Range row) {
        int length = counter.applyAsInt(row);
        if (size > 0 && size + length <= max) {
            size += length;
            return;
        }
        flush(row.start());
        boolean first = parts.isEmpty();
        int repeated = first ? 0 : namesSize;
        if (repeated + length <= max) {
            begin(row.start(), first ? "" : names, repeated + length);
        } else {
            cells(row, first);
        }
    }

    private void begin(int at, String repeated, int tokens) {
        start = at;
        before = repeated;
        size = tokens;
    }

    private void flush(int end) {
        if (size > 0) {
            parts.add(new Part(start, end, size, before));
            size = 0;
        }
        start = end;
    }

    /** Parts of one row. The row of the names, which is the first, repeats none. */
    private void cells(Range row, boolean first) {
        List<Range> cells = syntax.cells(text, row);
        int from = 0;
        int length = 0;
        for (int i = 0; i < cells.size(); i++) {
            int own = counter.applyAsInt(cells.get(i)) + (first ? 0 : nameSize(i));
            if (length > 0 && length + own > max) {
                part(cells, from, i, length, first);
                from = i;
                length = 0;
            }
            length += own;
            if (own > max) {
                longCell(cells.get(i), first ? "" : namesOf(i, i + 1), max - (first ? 0 : nameSize(i)));
                from = i + 1;
                length = 0;
            }
        }
        part(cells, from, cells.size(), length, first);
        start = row.end();
    }

    private void part(List<Range> cells, int from, int to, int tokens, boolean first) {
        if (from < to) {
            parts.add(
                    new Part(cells.get(from).start(), cells.get(to - 1).end(), tokens, first ? "" : namesOf(from, to)));
        }
    }

    private void longCell(Range cell, String repeated, int room) {
        int length = counter.applyAsInt(cell);
        int count = Math.max(2, (int) Math.ceil(length / (Math.max(1, room) * 0.9)));
        int each = (cell.end() - cell.start()) / count;
        int from = cell.start();
        for (int i = 1; i <= count && from < cell.end(); i++) {
            int aim = cell.start() + (int) ((long) (cell.end() - cell.start()) * i / count);
            int to = i == count ? cell.end() : CutPoints.near(text, aim, each / 3, from + 1, cell.end());
            Range part = new Range(from, to);
            int tokens = counter.applyAsInt(part);
            if (tokens > room && to - from > 1) {
                longCell(part, repeated, room);
            } else {
                parts.add(new Part(from, to, tokens + max - room, repeated));
            }
            from = to;
        }
    }

    private String namesOf(int from, int to) {
        List<String> own = columns.subList(Math.min(from, columns.size()), Math.min(to, columns.size()));
        return own.stream().allMatch(String::isEmpty) ? "" : syntax.names(own);
    }

    /** How many tokens a repeated name adds, with the dashes below it. */
    private int nameSize(int column) {
        return column < columns.size() ? Math.min(max / 4, columnSizes.get(column) + DASHES) : 0;
    }
}
