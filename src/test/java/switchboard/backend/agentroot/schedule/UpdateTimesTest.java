package switchboard.backend.agentroot.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an update is due. */
class UpdateTimesTest {
    private static final Instant NOON = Instant.parse("2026-03-27T12:00:00Z");

    private static Instant after(String text, String zone, String time) {
        return UpdateTimes.of(text, zone).after(Instant.parse(time));
    }

    @Test
    void anIntervalBeginsWithTheLastUpdate() {
        UpdateTimes times = UpdateTimes.of("every 15m", "UTC");
        assertEquals(Instant.parse("2026-03-27T12:15:00Z"), times.after(NOON));
        assertEquals(Duration.ofMinutes(15), times.pause(NOON));
        assertEquals(UpdateTimes.of("every 900s", "UTC"), times);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0 3 * * *   | UTC           | 2026-03-27T12:00:00Z | 2026-03-28T03:00:00Z
                    0 3 * * *   | Europe/Berlin | 2026-03-27T12:00:00Z | 2026-03-28T02:00:00Z
                    0 3 * * *   | UTC           | 2026-03-28T03:00:00Z | 2026-03-29T03:00:00Z
                    0 9 * * 1-5 | UTC           | 2026-03-27T12:00:00Z | 2026-03-30T09:00:00Z
                    0 0 * * 7   | UTC           | 2026-03-27T12:00:00Z | 2026-03-29T00:00:00Z
                    0 0 29 2 *  | UTC           | 2026-03-27T12:00:00Z | 2028-02-29T00:00:00Z
                    0 0 13 * 5  | UTC           | 2026-04-10T00:00:00Z | 2026-04-13T00:00:00Z
                    """)
    void aCronExpressionHasItsTimesInItsZone(String text, String zone, String time, String next) {
        assertEquals(Instant.parse(next), after(text, zone, time));
    }

    /** Clocks in Berlin go from 02:00 to 03:00 on 29 March 2026: a time between them is left out that day. */
    @Test
    void aTimeThatADayLacksIsLeftOut() {
        assertEquals(
                Instant.parse("2026-03-30T00:30:00Z"), after("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z"));
    }

    /** On 25 October 2026 they go back from 03:00 to 02:00: a time between them comes once that day. */
    @Test
    void aTimeThatADayHasTwiceIsOne() {
        Instant first = after("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z");
        assertEquals(Instant.parse("2026-10-25T00:30:00Z"), first);
        for (Instant begun : List.of(first, first.plusSeconds(20), first.plusSeconds(3600))) {
            assertEquals(Instant.parse("2026-10-26T01:30:00Z"), after("30 2 * * *", "Europe/Berlin", begun.toString()));
        }
    }

    @Test
    void theLongestPauseOfACronExpressionIsThatOfItsWeekend() {
        assertEquals(Duration.ofDays(3), UpdateTimes.of("0 9 * * 1-5", "UTC").pause(NOON));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    every               | needs a duration after every
                    every 15            | needs a duration after every
                    every -5m           | needs a duration after every
                    every 1.5h          | needs a duration after every
                    every 15m 30s       | needs a duration after every
                    every 99999999999999d | needs a duration after every
                    every 0s            | is not from every 1s to every 366d
                    every 999ms         | is not from every 1s to every 366d
                    every 367d          | is not from every 1s to every 366d
                    every 999999999999d | is not from every 1s to every 366d
                    15m                 | neither every 15m nor a cron expression
                    @daily              | neither every 15m nor a cron expression
                    * * * *             | neither every 15m nor a cron expression
                    0 0 3 * * *         | neither every 15m nor a cron expression
                    60 * * * *          | neither every 15m nor a cron expression
                    */0 * * * *         | neither every 15m nor a cron expression
                    0 0 30 2 *          | names a day that no year has
                    0 0 31 4,6 *        | names a day that no year has
                    """)
    void whatNamesNoTimesIsRefused(String text, String why) {
        String said = String.valueOf(assertThrows(IllegalArgumentException.class, () -> UpdateTimes.of(text, "UTC"))
                .getMessage());
        assertTrue(said.startsWith("update \"" + text + "\"") && said.contains(why), said);
    }

    @Test
    void aZoneIsOneThatThereIs() {
        String said = String.valueOf(
                assertThrows(IllegalArgumentException.class, () -> UpdateTimes.of("0 3 * * *", "Europe/Atlantis"))
                        .getMessage());
        assertEquals("timeZone \"Europe/Atlantis\" is not known: write it as UTC or Europe/Berlin", said);
    }
}
