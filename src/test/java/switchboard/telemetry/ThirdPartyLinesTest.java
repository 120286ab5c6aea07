package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Libraries write so many lines and no more; the gateway writes all of its own. */
class ThirdPartyLinesTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> written = new ListAppender<>();

    @BeforeEach
    void setUp() {
        ThirdPartyLines filter = new ThirdPartyLines(nanos::get);
        filter.setPerLogger(3);
        filter.setTogether(10);
        filter.setSeconds(60);
        context.addTurboFilter(filter);
        written.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(written);
    }

    @Test
    void aLibrarysLoggerWritesSoManyLinesInAnInterval() {
        flood("org.parser.Tree", 10_000);
        assertEquals(3, linesOf("org.parser.Tree"));
        nanos.addAndGet(Duration.ofSeconds(59).toNanos());
        flood("org.parser.Tree", 10);
        assertEquals(3, linesOf("org.parser.Tree"));
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        flood("org.parser.Tree", 10);
        assertEquals(6, linesOf("org.parser.Tree"));
    }

    @Test
    void manyLoggersShareOneBound() {
        for (int i = 0; i < 5_000; i++) {
            flood("org.parser.P" + i, 2);
        }
        assertEquals(10, written.list.size());
    }

    @Test
    void whatIsItsOwnIsWrittenAndOneLineSaysHowManyAreMissing() {
        flood("org.parser.Tree", 103);
        flood("switchboard.http.RequestPreconditions", 500);
        assertEquals(500, linesOf("switchboard.http.RequestPreconditions"));
        nanos.addAndGet(Duration.ofMinutes(5).toNanos());
        flood("switchboard.http.RequestPreconditions", 2);
        flood("org.parser.Tree", 1);
        assertEquals(502, linesOf("switchboard.http.RequestPreconditions"));
        assertEquals(4, linesOf("org.parser.Tree"));
        assertEquals(1, linesOf(ThirdPartyLines.class.getName()));
        assertTrue(written.list.stream().anyMatch(event -> event.getFormattedMessage()
                .equals("100 log lines of libraries were left out within 60 s, the first of them of"
                        + " org.parser.Tree")));
    }

    @Test
    void aNameThatOnlyBeginsLikeTheGatewaysIsALibrarys() {
        flood("switchboards.Other", 50);
        assertEquals(3, linesOf("switchboards.Other"));
    }

    @Test
    void linesThatOperatorsAskForAndQuestionsForALevelAreNotCounted() {
        Logger logger = context.getLogger("org.parser.Tree");
        for (int i = 0; i < 100; i++) {
            logger.debug("not written");
            assertTrue(logger.isErrorEnabled());
        }
        logger.setLevel(Level.DEBUG);
        for (int i = 0; i < 100; i++) {
            logger.debug("written");
        }
        assertEquals(100, written.list.size());
        logger.atError().log("a fluent line");
        flood("org.parser.Tree", 100);
        assertEquals(103, written.list.size());
    }

    @Test
    void theFileThatGoesWithTheGatewaySilencesParsersAndBoundsTheRest() throws Exception {
        LoggerContext shipped = new LoggerContext();
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(shipped);
        configurator.doConfigure(Path.of(System.getProperty("basedir", ""), "conf", "logback.xml")
                .toFile());
        assertEquals(
                Level.OFF,
                shipped.getLogger("org.apache.pdfbox.pdmodel.PDPageTree").getEffectiveLevel());
        assertEquals(Level.WARN, shipped.getLogger("io.netty.util.Anything").getEffectiveLevel());
        assertEquals(1, shipped.getTurboFilterList().size());
        shipped.stop();
    }

    private void flood(String logger, int lines) {
        for (int i = 0; i < lines; i++) {
            context.getLogger(logger).error("already visited: {}", i);
        }
    }

    private long linesOf(String logger) {
        return written.list.stream()
                .filter(event -> event.getLoggerName().equals(logger))
                .count();
    }
}
