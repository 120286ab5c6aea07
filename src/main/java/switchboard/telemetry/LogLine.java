package switchboard.telemetry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Set;
import switchboard.call.Json;

/**
 * The format of all log lines for programs: a JSON object with time, level, logger and message, followed by fields of
 * the writer.
 */
public final class LogLine {
    /** Time in UTC with milliseconds. */
    public static final String TS = "ts";
    /** {@code ERROR}, {@code WARN}, {@code INFO}, {@code DEBUG} or {@code TRACE}. */
    public static final String LEVEL = "level";
    /** The logger's name. */
    public static final String LOGGER = "logger";
    /** The message, for people. */
    public static final String MESSAGE = "msg";

    private static final Set<String> TAKEN = Set.of(TS, LEVEL, LOGGER, MESSAGE);
    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

    private LogLine() {}

    /** A line without additional fields. */
    public static ObjectNode of(Instant when, String level, String logger, String message) {
        return Json.object()
                .put(TS, time(when))
                .put(LEVEL, level)
                .put(LOGGER, logger)
                .put(MESSAGE, message);
    }

    /** {@code when} in the format of log lines. */
    static String time(Instant when) {
        return TIME.format(when);
    }

    /** The actual name of an additional field: it is changed if it equals one of the standard fields. */
    static String field(String wanted) {
        return TAKEN.contains(wanted) ? wanted + "_" : wanted;
    }

    /** {@code line} in UTF-8 with a line feed. Lone surrogates become question marks. */
    public static byte[] bytes(ObjectNode line) {
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
