package switchboard.convert;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import switchboard.text.SurrogatePairs;

/** The headings above a position in a text. Immutable. */
record HeadingPath(List<Heading> headings) {
    /** The position above the first heading. */
    static final HeadingPath TOP = new HeadingPath(List.of());

    private static final int MAX_HEADING = 120;

    /** One heading of the path. */
    record Heading(int level, String words, int start) {}

    HeadingPath {
        headings = List.copyOf(headings);
    }

    /** The path below another heading. */
    HeadingPath under(int level, String words, int start) {
        List<Heading> path = new ArrayList<>();
        for (Heading heading : headings) {
            if (heading.level() < level) {
                path.add(heading);
            }
        }
        path.add(new Heading(level, SurrogatePairs.start(words, MAX_HEADING), start));
        return new HeadingPath(path);
    }

    /** All headings in one line. */
    String path() {
        return pathAbove(Integer.MAX_VALUE);
    }

    /** The headings that begin before {@code offset}. */
    String pathAbove(int offset) {
        return headings.stream()
                .filter(heading -> heading.start() < offset && !heading.words().isEmpty())
                .map(Heading::words)
                .collect(Collectors.joining(" > "));
    }
}
