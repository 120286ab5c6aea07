package switchboard.bench;

import java.util.List;
import java.util.Locale;

/** Bars of requests a second, the longest of each load as wide as the plot. */
final class Plot {
    private static final int BAR = 16;
    private static final int LABEL = 330;
    private static final int WIDTH = 500;

    private Plot() {}

    /** The rows as SVG. */
    static String of(List<Row> rows) {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
                        + " font-size=\"12\">%n",
                LABEL + WIDTH + 100,
                rows.size() * (BAR + 4) + 20));
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            double most = rows.stream()
                    .filter(row::comparable)
                    .mapToDouble(other -> other.perSecond().median())
                    .max()
                    .orElse(1);
            double length = WIDTH * row.perSecond().median() / most;
            int y = 10 + i * (BAR + 4);
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s %s %s: %s</text>"
                            + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                            + "<text x=\"%.1f\" y=\"%d\">%.0f/s</text>%n",
                    LABEL - 6,
                    y + 12,
                    row.work(),
                    row.era(),
                    row.load(),
                    row.server(),
                    LABEL,
                    y,
                    length,
                    BAR,
                    row.server().startsWith("switchboard") ? "#2563eb" : "#94a3b8",
                    LABEL + length + 4,
                    y + 12,
                    row.perSecond().median()));
        }
        return svg.append("</svg>\n").toString();
    }
}
