package switchboard.testing.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** All lines of level INFO and above from its creation until it is closed, with stack traces; without those of requests, which name callers. */
public final class HeardLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    private HeardLog() {}

    /** Begins. */
    public static HeardLog open() {
        HeardLog log = new HeardLog();
        log.start();
        root().addAppender(log);
        return log;
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @Override
    protected void append(ILoggingEvent event) {
        String name = event.getLoggerName();
        if (event.getLevel().isGreaterOrEqual(Level.INFO) && !name.equals("switchboard.requests")) {
            lines.add(name + " " + event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    }

    /** The lines until now. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Whether a line has {@code text}. */
    public boolean has(String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
    }

    @Override
    public void close() {
        root().detachAppender(this);
    }
}
