package switchboard.testing.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.regex.Pattern;

/**
 * Keeps the lines of level ERROR and those of any level with a stack trace, until they are asked for. {@code
 * logback-test.xml} hands it everything that is logged.
 */
public final class LogWatch extends AppenderBase<ILoggingEvent> {
    private static final int MOST_LINES = 200;
    private static final int MOST_CHARACTERS = 4_000;

    // A line of level ERROR for machines or for people, a stack trace in JSON or as text.
    private static final Pattern PROCESS_ERROR =
            Pattern.compile("\"level\":\"ERROR\"|^\\S+ ERROR |\\tat |^Exception in thread|\"exception\":\"");

    /** Vert.x says by it that an event loop is busy for long, which a process that gets no processor looks like, too. */
    private static final String BUSY_THREADS = "io.vertx.core.internal.threadchecker.BlockedThreadChecker";

    // The logging system makes the appender, JUnit the extension: this is where they meet.
    private static final Queue<String> LINES = new ArrayDeque<>();

    @Override
    protected void append(ILoggingEvent event) {
        if (isHeard(event)) {
            String name = event.getLoggerName();
            keep(event.getLevel() + " " + name.substring(name.lastIndexOf('.') + 1) + " - "
                    + event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                            ? ""
                            : "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy())));
        }
    }

    /** Below INFO only a test that has lowered the level sees anything. */
    private static boolean isHeard(ILoggingEvent event) {
        return event.getLevel().isGreaterOrEqual(Level.ERROR)
                || (event.getThrowableProxy() != null
                        && event.getLevel().isGreaterOrEqual(Level.INFO)
                        && !(event.getLoggerName().equals(BUSY_THREADS) && Stalls.lately()));
    }

    /** Starts what must watch from the beginning. */
    @Override
    public void start() {
        Stalls.lately();
        super.start();
    }

    /** Keeps the same kinds of lines of what another process has written, in either layout of {@code conf/logback.xml}. */
    public static void read(String output) {
        output.lines().filter(line -> PROCESS_ERROR.matcher(line).find()).forEach(line -> keep("PROCESS " + line));
    }

    /** What a thread did not catch. */
    static void uncaught(Thread thread, Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        keep("UNCAUGHT in thread " + thread.getName() + " - " + text);
    }

    private static void keep(String line) {
        synchronized (LINES) {
            if (LINES.size() < MOST_LINES) {
                LINES.add(line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) : line);
            }
        }
    }

    /** The lines since the last look. */
    static List<String> take() {
        synchronized (LINES) {
            List<String> taken = new ArrayList<>(LINES);
            LINES.clear();
            return taken;
        }
    }
}
