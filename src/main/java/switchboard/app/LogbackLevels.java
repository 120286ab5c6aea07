package switchboard.app;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import switchboard.http.LogLevels;

/** Levels of Logback's loggers. Only those that exist are changed, so that nobody fills the memory with new ones. */
final class LogbackLevels implements LogLevels {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(LogbackLevels.class);

    @Override
    public boolean set(String logger, Level level) {
        return change(logger, ch.qos.logback.classic.Level.valueOf(level.name()));
    }

    @Override
    public boolean inherit(String logger) {
        return !logger.equals(Logger.ROOT_LOGGER_NAME) && change(logger, null);
    }

    private static boolean change(String name, ch.qos.logback.classic.@Nullable Level level) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return false;
        }
        Logger logger = context.exists(name);
        if (logger == null) {
            return false;
        }
        logger.setLevel(level);
        LOG.warn("log level of {}: {}", name, logger.getEffectiveLevel());
        return true;
    }
}
