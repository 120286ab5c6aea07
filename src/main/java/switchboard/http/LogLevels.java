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
     * Has a logger follow the one above it again.
     *
     * @return whether there is such a logger
     */
    boolean inherit(String logger);
}
