package switchboard.http;

import java.util.Arrays;
import java.util.Optional;

/** Log levels of the parts of the gateway. Thread-safe; does not block. */
public interface LogLevels {
    /** From logging nothing to logging everything. */
    enum Level {
        OFF,
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE;

        /** The level of that name; case is ignored. */
        static Optional<Level> of(String name) {
            return Arrays.stream(values())
                    .filter(level -> level.name().equalsIgnoreCase(name))
                    .findAny();
        }
    }

    /**
     * Sets the level of a logger, and of those below it without a level of their own.
     *
     * @param logger its name; {@code ROOT} for the root logger
     * @return whether there is such a logger
     */
    boolean set(String logger, Level level);

    /**
     * Resets a logger to the level that it had at the start of the gateway.
     *
     * @param logger its name; {@code ROOT} for the root logger
     * @return whether there is such a logger
     */
    boolean reset(String logger);
}
