package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import switchboard.testing.HandClock;

/** An operator reads of each outage once when it begins, and once when it ends. */
class OutageLogTest {
    private final HandClock clock = new HandClock(Instant.parse("2026-05-01T08:00:00Z"));
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final OutageLog outage = new OutageLog(log(), "the store", clock);

    private org.slf4j.Logger log() {
        ch.qos.logback.classic.Logger log = new LoggerContext().getLogger("outage");
        log.addAppender(lines);
        lines.start();
        return log;
    }

    private List<String> lines() {
        return lines.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    @Test
    void whatIsUpAtFirstAndStaysUpSaysNothing() {
        outage.ends();
        assertEquals(List.of(), lines());
    }

    @Test
    void itLastsFromItsFirstReportToItsEnd() {
        outage.begins("no route");
        clock.forward(Duration.ofSeconds(40));
        outage.begins("still no route");
        clock.forward(Duration.ofSeconds(50));
        outage.ends();
        outage.ends();
        assertEquals(List.of("WARN the store is down: no route", "INFO the store is back after 90 s"), lines());
    }

    @Test
    void theNextOutageIsMeasuredFromItsOwnBeginning() {
        outage.begins("one");
        clock.forward(Duration.ofHours(1));
        outage.ends();
        clock.forward(Duration.ofHours(1));
        outage.begins("two");
        clock.forward(Duration.ofSeconds(2));
        outage.ends();
        assertEquals(
                List.of(
                        "WARN the store is down: one",
                        "INFO the store is back after 3600 s",
                        "WARN the store is down: two",
                        "INFO the store is back after 2 s"),
                lines());
    }

    @Test
    void aCalendarThatIsSetBackMakesNoNegativeTime() {
        outage.begins("one");
        clock.set(Duration.ofHours(-1));
        outage.ends();
        assertEquals("INFO the store is back after 0 s", lines().getLast());
    }
}
