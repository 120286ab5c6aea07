package switchboard.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A table for a page of the documentation. */
final class Markdown {
    private final List<List<String>> rows = new ArrayList<>();

    /** A table with these columns. */
    Markdown(String... columns) {
        row((Object[]) columns);
        rows.add(Arrays.stream(columns).map(_ -> "---").toList());
    }

    /** Adds a row. */
    void row(Object... cells) {
        rows.add(Arrays.stream(cells).map(String::valueOf).toList());
    }

    /** Prints it with an empty line before and after. */
    void print() {
        System.out.println(rows.stream()
                .map(cells -> cells.stream().collect(Collectors.joining(" | ", "| ", " |")))
                .collect(Collectors.joining("\n", "\n", "\n")));
    }
}
