package switchboard.app.command;

import org.slf4j.bridge.SLF4JBridgeHandler;

/** Sets up logging before the first logger is made; {@code conf/logback.xml} reads the properties set here. */
final class Logging {
    private static final String LEVEL = "SWITCHBOARD_LOG_LEVEL";
    private static final String REQUESTS = "SWITCHBOARD_REQUEST_LOG";

    private Logging() {}

    /** For a process that serves: as the configuration of logging says. */
    static void forServing() {
        bridge();
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
