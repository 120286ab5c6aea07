package switchboard.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** How the rows and cells of a table are written. Immutable. */
sealed interface TableSyntax {
    /** A range of a text, which for a cell has the mark before it; the ranges of a row's cells are the whole row. */
    record Range(int start, int end) {}

    /** The end of the row that begins at {@code from}, with its line break. */
    int endOfRow(String text, int from, int end);

    /** The end of the column names at {@code from}; {@code from} if the table has none. */
    int endOfNames(String text, int from, int end);

    /** The cells of a row. */
    List<Range> cells(String text, Range row);

    /** The text of a cell. */
    String content(String text, Range cell);

    /** Column names, to be put before rows. */
    String names(List<String> names);

    /** The end of a line with its line break. */
    private static int endOfLine(String text, int from, int end) {
        int newline = text.indexOf('\n', from);
        return newline < 0 || newline >= end ? end : newline + 1;
    }

    /** The cells of a row whose marks between cells are at {@code marks}. */
    private static List<Range> between(Range row, List<Integer> marks) {
        List<Range> cells = new ArrayList<>();
        int from = row.start();
        for (int mark : marks) {
            cells.add(new Range(from, mark));
            from = mark;
        }
        cells.add(new Range(from, row.end()));
        return cells;
    }

    /** Rows between pipes, where a row of dashes follows the names. */
    record Pipes() implements TableSyntax {
        private static final Pattern DASHES = Pattern.compile(":?-++:?");

        private static final Pipes PIPES = new Pipes();

        /** Whether a line is the row of dashes below names. */
        static boolean dashes(String line) {
            List<Range> cells = line.indexOf('|') < 0 ? List.of() : PIPES.cells(line, new Range(0, line.length()));
            return !cells.isEmpty()
                    && cells.stream().allMatch(cell -> DASHES.matcher(PIPES.content(line, cell))
                            .matches());
        }

        @Override
        public int endOfRow(String text, int from, int end) {
            return endOfLine(text, from, end);
        }

        @Override
        public int endOfNames(String text, int from, int end) {
            int dashes = endOfLine(text, from, end);
            int after = endOfLine(text, dashes, end);
            boolean named = dashes(text.substring(dashes, after))
                    && cells(text, new Range(from, dashes)).stream()
                            .anyMatch(cell -> !content(text, cell).isEmpty());
            return named ? after : from;
        }

        @Override
        public List<Range> cells(String text, Range row) {
            List<Integer> marks = new ArrayList<>();
            int last = row.end() - 1;
            while (last > row.start() && Character.isWhitespace(text.charAt(last))) {
                last--;
            }
            boolean before = false;
            for (int at = row.start(); at < row.end(); at++) {
                char c = text.charAt(at);
                boolean pipe = c == '|' && (at == row.start() || text.charAt(at - 1) != '\\');
                // The pipes at the ends of the row are between no cells.
                if (pipe && before && at < last) {
                    marks.add(at);
                }
                before |= pipe || !Character.isWhitespace(c);
            }
            return between(row, marks);
        }

        @Override
        public String content(String text, Range cell) {
            String own = text.substring(cell.start(), cell.end()).strip();
            String inner = own.startsWith("|") ? own.substring(1) : own;
            return (inner.endsWith("|") && !inner.endsWith("\\|") ? inner.substring(0, inner.length() - 1) : inner)
                    .strip();
        }

        @Override
        public String names(List<String> names) {
            return "| " + String.join(" | ", names) + " |\n|" + " --- |".repeat(names.size()) + "\n";
        }
    }

    /**
     * Delimited values, whose first record has the names.
     *
     * @param delimiter between two values
     */
    record Delimited(char delimiter) implements TableSyntax {
        @Override
        public int endOfRow(String text, int from, int end) {
            boolean quoted = false;
            for (int at = from; at < end; at++) {
                char c = text.charAt(at);
                quoted ^= c == '"';
                if (c == '\n' && !quoted) {
                    return at + 1;
                }
            }
            return quoted ? endOfLine(text, from, end) : end; // a quotation mark alone is part of a value
        }

        @Override
        public int endOfNames(String text, int from, int end) {
            int after = endOfRow(text, from, end);
            List<String> names = cells(text, new Range(from, after)).stream()
                    .map(cell -> content(text, cell))
                    .toList();
            return MarkdownTable.names(names) ? after : from;
        }

        @Override
        public List<Range> cells(String text, Range row) {
            List<Integer> marks = new ArrayList<>();
            boolean quoted = false;
            for (int at = row.start(); at < row.end(); at++) {
                char c = text.charAt(at);
                quoted ^= c == '"';
                if (c == delimiter && !quoted) {
                    marks.add(at);
                }
            }
            return between(row, marks);
        }

        @Override
        public String content(String text, Range cell) {
            String own = text.substring(cell.start(), cell.end());
            return (own.startsWith(String.valueOf(delimiter)) ? own.substring(1) : own).strip();
        }

        @Override
        public String names(List<String> names) {
            return String.join(String.valueOf(delimiter), names) + "\n";
        }
    }
}
