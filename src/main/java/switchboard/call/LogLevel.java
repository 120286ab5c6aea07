package switchboard.call;

import java.util.Locale;
import java.util.Optional;

/** MCP log levels (RFC 5424), least severe first. */
public enum LogLevel {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY;

    /** The word on the wire. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The level of that word. */
    public static Optional<LogLevel> of(String word) {
        for (LogLevel level : values()) {
            if (level.word().equals(word)) {
                return Optional.of(level);
            }
        }
        return Optional.empty();
    }
}
