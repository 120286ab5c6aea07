package switchboard.console;

import java.util.List;
import java.util.stream.Collectors;

/** Usage as CSV (RFC 4180), whose texts no spreadsheet takes for formulas. */
final class UsageCsv {
    private static final List<String> COLUMNS = List.of(
            "time",
            "team",
            "backend",
            "tool",
            "calls",
            "ok",
            "tool_error",
            "refused",
            "failed",
            "tokens",
            "p50_ms",
            "p95_ms",
            "p99_ms");

    /** What a cell begins with that a spreadsheet would compute. */
    private static final String FORMULA = "=+-@\t\r\n";

    private static final String QUOTED = ",\"\r\n";

    private final StringBuilder text = new StringBuilder();

    UsageCsv() {
        row(COLUMNS);
    }

    void row(List<String> values) {
        text.append(values.stream().map(UsageCsv::value).collect(Collectors.joining(",")))
                .append("\r\n");
    }

    private static String value(String value) {
        String safe = !value.isEmpty() && FORMULA.indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        return safe.chars().anyMatch(c -> QUOTED.indexOf(c) >= 0) ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }

    String text() {
        return text.toString();
    }
}
