package switchboard.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Limits the log lines of libraries, because callers may influence their content: per logger and in total for each
 * interval. A summary line afterwards says how many were dropped. The gateway's own loggers are not limited, nor are
 * DEBUG and TRACE, which operators switch on. Created by {@code logback.xml}. Thread-safe.
 */
public final class ThirdPartyLines extends TurboFilter {
    private static final String OWN = "switchboard";
    private static final int MOST_LOGGERS = 500;
    private static final String OTHERS = "";

    private final LongSupplier nanos;
    private final Map<String, Integer> lines = new HashMap<>();
    private int perLogger = 20;
    private int together = 200;
    private long interval = Duration.ofMinutes(1).toNanos();
    private long began;
    private int written;
    private volatile long leftOut;
    private String firstLeftOut = "";

    /** With the default limits. */
    public ThirdPartyLines() {
        this(System::nanoTime);
    }

    /** With a steady clock in nanoseconds. */
    ThirdPartyLines(LongSupplier nanos) {
        this.nanos = nanos;
        this.began = nanos.getAsLong();
    }

    /** Sets how many lines each logger may write in an interval. */
    public synchronized void setPerLogger(int most) {
        perLogger = most;
    }

    /** Sets how many lines all loggers of libraries may write in an interval. */
    public synchronized void setTogether(int most) {
        together = most;
    }

    /** Sets the length of an interval. */
    public synchronized void setSeconds(int seconds) {
        interval = Duration.ofSeconds(seconds).toNanos();
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] params,
            @Nullable Throwable thrown) {
        boolean own = own(logger.getName());
        if (own && leftOut == 0) {
            return FilterReply.NEUTRAL;
        }
        if (!level.isGreaterOrEqual(Level.INFO) || !level.isGreaterOrEqual(logger.getEffectiveLevel())) {
            return FilterReply.NEUTRAL;
        }
        // A check whether a level is on has no line.
        boolean line = format != null || thrown != null;
        String summary;
        FilterReply reply;
        synchronized (this) {
            summary = nextInterval();
            reply = own || !line || fits(logger.getName()) ? FilterReply.NEUTRAL : FilterReply.DENY;
        }
        if (summary != null) {
            logger.getLoggerContext().getLogger(ThirdPartyLines.class).warn(summary);
        }
        return reply;
    }

    private static boolean own(String logger) {
        return logger.startsWith(OWN) && (logger.length() == OWN.length() || logger.charAt(OWN.length()) == '.');
    }

    /** Starts the next interval if this one is over. Returns the summary line, or null. */
    private synchronized @Nullable String nextInterval() {
        long now = nanos.getAsLong();
        if (now - began < interval) {
            return null;
        }
        String summary = leftOut == 0
                ? null
                : leftOut + " log lines of libraries were left out within "
                        + Duration.ofNanos(interval).toSeconds() + " s, the first of them of " + firstLeftOut;
        began = now;
        written = 0;
        lines.clear();
        leftOut = 0;
        return summary;
    }

    private synchronized boolean fits(String logger) {
        String counted = lines.size() < MOST_LOGGERS || lines.containsKey(logger) ? logger : OTHERS;
        int before = lines.getOrDefault(counted, 0);
        if (before < perLogger && written < together) {
            lines.put(counted, before + 1);
            written++;
            return true;
        }
        if (leftOut == 0) {
            firstLeftOut = logger;
        }
        leftOut = leftOut + 1;
        return false;
    }
}
