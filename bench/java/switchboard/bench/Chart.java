package switchboard.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A panel of lines over time, drawn as SVG.
 *
 * @param title above it
 * @param unit of its values, in Grafana's words
 * @param seconds its width
 * @param lines what it shows; the highest come first, and no more than eight
 */
record Chart(String title, String unit, int seconds, List<Line> lines) {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 190;
    private static final int LEFT = 58;
    private static final int TOP = 26;
    private static final int PLOT_WIDTH = WIDTH - LEFT - 12;
    private static final int PLOT_HEIGHT = 104;
    private static final int LEGEND_COLUMNS = 3;
    private static final List<String> COLOURS =
            List.of("#1f77b4", "#d95f02", "#2a9d4a", "#b2182b", "#7b5aa6", "#8c564b", "#c2418f", "#6b6b6b");

    /** A value at a time, in seconds from the left edge. */
    record Point(double x, double y) {}

    /** A series with its name. */
    record Line(String legend, List<Point> points) {
        double highest() {
            return points.stream().mapToDouble(Point::y).max().orElse(0);
        }
    }

    Chart {
        lines = lines.stream()
                .filter(line -> !line.points().isEmpty())
                .sorted(Comparator.comparingDouble(Line::highest).reversed())
                .limit(COLOURS.size())
                .toList();
    }

    /** All of {@code charts} in two columns. */
    static String page(List<Chart> charts) {
        int rows = (charts.size() + 1) / 2;
        StringBuilder page = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" font-family="sans-serif" font-size="10">
                <rect width="%1$d" height="%2$d" fill="#fff"/>
                """.formatted(2 * WIDTH, rows * HEIGHT));
        for (int i = 0; i < charts.size(); i++) {
            page.append("<g transform=\"translate(%d %d)\">\n".formatted(i % 2 * WIDTH, i / 2 * HEIGHT))
                    .append(charts.get(i).svg())
                    .append("</g>\n");
        }
        return page.append("</svg>\n").toString();
    }

    private String svg() {
        double top = ceiling(lines.stream().mapToDouble(Line::highest).max().orElse(1));
        StringBuilder svg = new StringBuilder("<text x=\"8\" y=\"16\" font-size=\"12\" fill=\"#222\">")
                .append(escaped(title))
                .append("</text>\n");
        for (int tick = 0; tick <= 4; tick++) {
            double y = TOP + PLOT_HEIGHT * (1 - tick / 4.0);
            svg.append("<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" fill=\"#555\" text-anchor=\"end\">%s</text>\n"
                    .formatted(LEFT, y, LEFT + PLOT_WIDTH, LEFT - 4, y + 3, value(top * tick / 4)));
        }
        for (int minute = 0; minute <= seconds / 60; minute++) {
            svg.append("<text x=\"%.1f\" y=\"%d\" fill=\"#555\" text-anchor=\"middle\">%d min</text>\n"
                    .formatted(LEFT + PLOT_WIDTH * minute * 60.0 / seconds, TOP + PLOT_HEIGHT + 13, minute));
        }
        for (int i = 0; i < lines.size(); i++) {
            svg.append(drawn(lines.get(i), COLOURS.get(i), top)).append(named(i));
        }
        return svg.toString();
    }

    private String drawn(Line line, String colour, double top) {
        String path = line.points().stream()
                .map(point -> String.format(
                        Locale.ROOT,
                        "%.0f,%.1f",
                        LEFT + PLOT_WIDTH * point.x() / seconds,
                        TOP + PLOT_HEIGHT * (1 - point.y() / top)))
                .collect(Collectors.joining(" "));
        return "<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"1.3\" points=\"" + path + "\"/>\n";
    }

    private String named(int i) {
        int x = LEFT + i % LEGEND_COLUMNS * (PLOT_WIDTH / LEGEND_COLUMNS);
        int y = TOP + PLOT_HEIGHT + 28 + i / LEGEND_COLUMNS * 14;
        return "<rect x=\"%d\" y=\"%d\" width=\"8\" height=\"3\" fill=\"%s\"/><text x=\"%d\" y=\"%d\" fill=\"#333\">%s</text>\n"
                .formatted(x, y - 5, COLOURS.get(i), x + 11, y, escaped(lines.get(i).legend()));
    }

    private String value(double value) {
        return switch (unit) {
            case "s" -> value < 1 ? trimmed(value * 1000) + " ms" : trimmed(value) + " s";
            case "percentunit" -> trimmed(value * 100) + " %";
            case "Bps" -> large(value) + "B/s";
            default -> large(value);
        };
    }

    private static String large(double value) {
        return value >= 1e9 ? trimmed(value / 1e9) + " G" : value >= 1e6 ? trimmed(value / 1e6) + " M"
                : value >= 1e3 ? trimmed(value / 1e3) + " k" : trimmed(value);
    }

    private static String trimmed(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.3g", value)
                .replaceAll("(\\.\\d*?)0+$", "$1")
                .replaceAll("\\.$", "");
    }

    /** The next of 1, 2, 4, 8 times a power of ten. */
    private static double ceiling(double highest) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(highest, 1e-9))));
        for (double factor : new double[] {1, 2, 4, 8}) {
            if (highest <= factor * power) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
