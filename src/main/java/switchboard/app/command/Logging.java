package switchboard.app.command;

import ch.qos.logback.classic.LoggerContext;
import java.io.Console;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import switchboard.telemetry.StandardOutput;

/** Sets up logging before the first logger is made; {@code conf/logback.xml} reads the properties set here. */
final class Logging {
    private static final String LEVEL = "SWITCHBOARD_LOG_LEVEL";
    private static final String REQUESTS = "SWITCHBOARD_REQUEST_LOG";
    private static final String FORMAT = "SWITCHBOARD_LOG_FORMAT";
    private static final String TARGET = "SWITCHBOARD_LOG_TARGET";
    private static final String FOR_MACHINES = "machines";

    private Logging() {}

    /**
     * For a process that serves: to standard output, for people on a terminal and otherwise as JSON.
     *
     * @return whether standard output is JSON lines
     */
    static boolean forServing() {
        setUnlessGiven(TARGET, "System.out");
        setUnlessGiven(FORMAT, terminal() ? "people" : FOR_MACHINES);
        bridge();
        StandardOutput.install();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> LoggerFactory.getLogger(Logging.class)
                .error("the thread {} ended with an exception that nobody caught", thread.getName(), failure));
        return given(FORMAT).equals(FOR_MACHINES) && given(TARGET).equals("System.out");
    }

    /** Writes what waits to be written, as far as that takes a second, and ends logging: the last lines are not lost. */
    static void end() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.stop();
        }
    }

    private static boolean terminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    private static String given(String property) {
        return System.getProperty(property, System.getenv().getOrDefault(property, ""));
    }

    /** For a command with a person before it: only what is wrong. */
    static void forPeople() {
        setUnlessGiven(LEVEL, "WARN");
        setUnlessGiven(REQUESTS, "OFF");
        bridge();
    }

    private static void setUnlessGiven(String property, String value) {
        if (System.getProperty(property) == null && System.getenv(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** Lucene logs through the JDK's own logging. */
    private static void bridge() {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
