package switchboard.http;

import java.util.Arrays;
import java.util.Optional;

/** How much each part of the gateway logs. Thread-safe; answers at once. */
public interface LogLevels {
    /** From nothing to everything. */
    enum Level {
        OFF,
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE;

        /** The level of that name, in any case. */
        static Optional<Level> of(String name) {
            return Arrays.stream(values())
                    .filter(level -> level.name().equalsIgnoreCase(name))
                    .findAny();
        }
    }

    /**
     * Sets the level of a logger, and of those below it that have none of their own.
     *
     * @param logger its name; {@code ROOT} for the one above all
     * @return whether there is such a logger
     */
    boolean set(String logger, Level level);

    /**
     * Gives a logger back the level of the gateway's start: its own, or that of the one above it where it had none.
     *
     * @param logger its name; {@code ROOT} for the one above all
     * @return whether there is such a logger
     */
    boolean reset(String logger);
}
