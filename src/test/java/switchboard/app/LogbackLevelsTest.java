package switchboard.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import switchboard.http.LogLevels;

class LogbackLevelsTest {
    private final Logger root = logger(Logger.ROOT_LOGGER_NAME);

    @Test
    void everyLoggerGetsBackTheLevelOfTheStart() {
        Logger own = logger("switchboard.levels.own");
        Logger none = logger("switchboard.levels.none");
        own.setLevel(Level.WARN);
        Level before = root.getLevel();
        LogbackLevels levels = new LogbackLevels();
        try {
            for (String name : List.of("ROOT", "root", "Root")) {
                assertTrue(levels.set(name, LogLevels.Level.ERROR), name);
                assertEquals(Level.ERROR, root.getLevel());
                assertTrue(levels.reset(name), name);
                assertEquals(before, root.getLevel(), name);
            }
            for (Logger logger : List.of(own, none)) {
                assertTrue(levels.set(logger.getName(), LogLevels.Level.TRACE));
                assertTrue(levels.reset(logger.getName()));
            }
            assertEquals(Level.WARN, own.getLevel());
            assertNull(none.getLevel());
            assertFalse(levels.reset("no.such.logger"));
            assertFalse(levels.reset("Switchboard.levels.own"), "names of other loggers have a case");
        } finally {
            root.setLevel(before);
            own.setLevel(null);
        }
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }
}
