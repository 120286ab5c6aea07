package switchboard.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The line that every request leaves. */
class RequestLogTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(RequestLog.LOGGER);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final RequestLog log =
            new RequestLog(Clock.fixed(Instant.parse("2026-11-21T10:00:00.123Z"), ZoneOffset.UTC));

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void forget() {
        logger.detachAppender(lines);
        logger.setLevel(Level.OFF);
    }

    @Test
    void aCallIsOneLineOfJson() {
        log.record(new FinishedRequest(
                new RequestSource("r-1", null, "192.0.2.1", "vectordb"),
                new RequestCaller("research", "key \"1\"\n"),
                new FinishedRequest.Channel("http", "2026-07-28"),
                new FinishedRequest.Subject("tools/call", "search", null, List.of(), null),
                new FinishedRequest.Outcome(FinishedRequest.AccessDecision.ALLOWED, null, "UNAVAILABLE", null),
                Duration.ofNanos(1_234_567),
                2));
        log.close();
        assertEquals(
                "{\"ts\":\"2026-11-21T10:00:00.123Z\",\"level\":\"INFO\",\"logger\":\"switchboard.requests\",\"msg\":\"request\","
                        + "\"requestId\":\"r-1\",\"method\":\"tools/call\",\"tool\":\"search\","
                        + "\"outcome\":\"unavailable\",\"ms\":1.234567,\"team\":\"research\","
                        + "\"principal\":\"key \\\"1\\\"\\n\",\"view\":\"vectordb\",\"transport\":\"http\","
                        + "\"version\":\"2026-07-28\"}",
                lines.list.getFirst().getFormattedMessage());
    }

    @Test
    void bracesInAValueAreNoPlaceholders() {
        log.record(new FinishedRequest(
                new RequestSource("r-1", null, "192.0.2.1", ""),
                new RequestCaller("", "{}"),
                new FinishedRequest.Channel("stdio", "2025-11-25"),
                new FinishedRequest.Subject("tools/list", null, null, List.of(), null),
                new FinishedRequest.Outcome(FinishedRequest.AccessDecision.ALLOWED, null, "METHOD_NOT_FOUND", -32601),
                Duration.ZERO,
                2));
        log.close();
        assertEquals(
                "{\"ts\":\"2026-11-21T10:00:00.123Z\",\"level\":\"INFO\",\"logger\":\"switchboard.requests\",\"msg\":\"request\","
                        + "\"requestId\":\"r-1\",\"method\":\"tools/list\",\"outcome\":\"method_not_found\",\"code\":-32601,\"ms\":0.0,"
                        + "\"team\":\"\",\"principal\":\"{}\",\"view\":\"\",\"transport\":\"stdio\","
                        + "\"version\":\"2025-11-25\"}",
                lines.list.getFirst().getFormattedMessage());
    }

    @Test
    void nothingIsWrittenWhenItIsOff() {
        logger.setLevel(Level.OFF);
        log.record(new FinishedRequest(
                new RequestSource("r-1", null, "192.0.2.1", ""),
                new RequestCaller("", "x"),
                new FinishedRequest.Channel("http", "2025-11-25"),
                new FinishedRequest.Subject("ping", null, null, List.of(), null),
                new FinishedRequest.Outcome(FinishedRequest.AccessDecision.ALLOWED, null, null, null),
                Duration.ZERO,
                2));
        log.close();
        assertEquals(0, lines.list.size());
    }
}
