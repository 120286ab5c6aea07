package switchboard.telemetry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import switchboard.call.Json;

/**
 * The one shape of all lines that programs read: a JSON object with when, how severe, who says it and what, and then
 * fields of the writer's own.
 */
public final class LogLine {
    /** When, in UTC with milliseconds. */
    public static final String TS = "ts";
    /** {@code ERROR}, {@code WARN}, {@code INFO}, {@code DEBUG} or {@code TRACE}. */
    public static final String LEVEL = "level";
    /** The name of the logger that the line is of. */
    public static final String LOGGER = "logger";
    /** The message: a sentence for people. */
    public static final String MESSAGE = "msg";

    private static final Set<String> TAKEN = Set.of(TS, LEVEL, LOGGER, MESSAGE);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private LogLine() {}

    /** A line without fields of its own yet. */
    public static ObjectNode of(Instant when, String level, String logger, String message) {
        return Json.object()
                .put(TS, time(when))
                .put(LEVEL, level)
                .put(LOGGER, logger)
                .put(MESSAGE, message);
    }

    /** {@code when} as every line has it. */
    static String time(Instant when) {
        return TIME.format(when);
    }

    /** The name under which a line has the field {@code wanted}: no field takes the place of one that every line has. */
    static String field(String wanted) {
        return TAKEN.contains(wanted) ? wanted + "_" : wanted;
    }

    /** {@code line} as it is written, with its line feed. Halves of characters become question marks. */
    public static byte[] bytes(ObjectNode line) {
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
