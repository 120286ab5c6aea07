package switchboard.app;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import switchboard.http.LogLevels;

/**
 * Sets the levels of Logback's loggers. Only existing loggers can be changed, so that callers can't create any number
 * of them.
 */
final class LogbackLevels implements LogLevels {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogbackLevels.class);

    /** Levels of the loggers that had one of their own at start. */
    private final Map<String, ch.qos.logback.classic.Level> atStart;

    /** Remembers the current levels as the ones to return to. */
    LogbackLevels() {
        this.atStart = context()
                .map(context -> context.getLoggerList().stream()
                        .filter(logger -> logger.getLevel() != null)
                        .collect(Collectors.toUnmodifiableMap(Logger::getName, Logger::getLevel)))
                .orElse(Map.of());
    }

    @Override
    public boolean set(String logger, Level level) {
        return change(logger, ch.qos.logback.classic.Level.valueOf(level.name()));
    }

    @Override
    public boolean reset(String logger) {
        return change(logger, atStart.get(known(logger)));
    }

    /** The name of a logger; Logback accepts the root logger's name in any case. */
    private static String known(String logger) {
        return logger.equalsIgnoreCase(Logger.ROOT_LOGGER_NAME) ? Logger.ROOT_LOGGER_NAME : logger;
    }

    private static Optional<LoggerContext> context() {
        return LoggerFactory.getILoggerFactory() instanceof LoggerContext context
                ? Optional.of(context)
                : Optional.empty();
    }

    private static boolean change(String name, ch.qos.logback.classic.@Nullable Level level) {
        Optional<Logger> found = context().map(context -> context.exists(known(name)));
        found.ifPresent(logger -> {
            logger.setLevel(level);
            LOG.warn("log level of {}: {}", logger.getName(), logger.getEffectiveLevel());
        });
        return found.isPresent();
    }
}
