package switchboard.app.command;

import ch.qos.logback.classic.LoggerContext;
import java.io.Console;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import switchboard.telemetry.StandardOutput;

/**
 * Sets up logging before the first logger is created. {@code conf/logback.xml} reads the properties that are set here.
 */
final class Logging {
    private static final String LEVEL = "SWITCHBOARD_LOG_LEVEL";
    private static final String REQUESTS = "SWITCHBOARD_REQUEST_LOG";
    private static final String FORMAT = "SWITCHBOARD_LOG_FORMAT";
    private static final String TARGET = "SWITCHBOARD_LOG_TARGET";
    private static final String FOR_MACHINES = "machines";

    private Logging() {}

    /**
     * Logs to standard output, as text on a terminal and otherwise as JSON lines. For a process that serves.
     *
     * @return whether standard output is JSON lines
     */
    static boolean forServing() {
        setUnlessGiven(TARGET, "System.out");
        setUnlessGiven(FORMAT, terminal() ? "people" : FOR_MACHINES);
        bridge();
        StandardOutput.install();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> LoggerFactory.getLogger(Logging.class)
                .error("the thread {} ended with an uncaught exception", thread.getName(), failure));
        return given(FORMAT).equals(FOR_MACHINES) && given(TARGET).equals("System.out");
    }

    /** Flushes and ends logging, for at most one second, so that the last lines are not lost. */
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

    /** Logs warnings and errors only. For a command that a person runs. */
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

    /** Lucene logs with java.util.logging; this passes it on. */
    private static void bridge() {
        // Set up here: what other threads log while a first logger sets it up loses its fields.
        LoggerFactory.getILoggerFactory();
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }
}
