package switchboard.console;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import switchboard.testing.HandClock;

/** What is counted, for how long it is kept, and in how much room. */
class UsageStoreTest {
    private static final CallAudience ALL = new CallAudience.Everybody();
    private static final UsageKey SEARCH = new UsageKey("red", "vectordb", "search");
    private static final Duration MS = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    /** A Saturday. */
    private final HandClock clock = new HandClock(Instant.parse("2026-11-28T09:59:59.999Z"));

    private final UsageStore store = new UsageStore(clock);

    private void call(UsageKey key) {
        store.count(key, UsageOutcome.OK, 1, 400, MS);
    }

    private static UsageQuery by(UsageUnit unit, @Nullable String from, @Nullable String to) {
        return new UsageQuery(
                unit, from == null ? null : Instant.parse(from), to == null ? null : Instant.parse(to), "", "");
    }

    private ObjectNode report(UsageUnit unit) {
        return store.report(by(unit, null, null), ALL).json();
    }

    private long calls(UsageUnit unit) {
        return report(unit).at("/total/calls").asLong();
    }

    /** Each time in which there were calls, with how many. */
    private static List<String> times(JsonNode report) {
        List<String> times = new ArrayList<>();
        for (JsonNode time : report.path("times")) {
            if (time.path("calls").asLong() > 0) {
                times.add(time.path("time").asText() + " " + time.path("calls").asLong());
            }
        }
        return times;
    }

    private static List<String> tools(JsonNode report) {
        List<String> tools = new ArrayList<>();
        for (JsonNode row : report.path("rows")) {
            tools.add(row.path("team").asText() + " " + row.path("tool").asText() + " "
                    + row.path("calls").asLong());
        }
        return tools;
    }

    @Test
    void aCallCountsInTheHourInWhichItEnds() {
        call(SEARCH);
        clock.forward(MS);
        call(SEARCH);
        call(SEARCH);
        clock.set(MS.negated()); // somebody sets the clock back
        call(SEARCH);
        clock.forward(HOUR);
        assertEquals(List.of("2026-11-28T09:00:00Z 2", "2026-11-28T10:00:00Z 2"), times(report(UsageUnit.HOUR)));
        assertEquals(24, report(UsageUnit.HOUR).path("times").size());
        JsonNode one = store.report(by(UsageUnit.HOUR, "2026-11-28T10:00:00Z", "2026-11-28T11:00:00Z"), ALL)
                .json();
        assertEquals(List.of("2026-11-28T10:00:00Z 2"), times(one));
        assertEquals(1, one.path("times").size());
        assertEquals("2026-11-28T11:00:00Z", one.path("to").asText());
        assertEquals("2026-11-28T09:00:00Z", one.path("since").asText());
    }

    @Test
    void daysAndWeeksBeginAtMidnightInUtc() {
        clock.set(Duration.between(clock.instant(), Instant.parse("2026-11-29T23:59:59Z"))); // a Sunday
        call(SEARCH);
        clock.forward(Duration.ofSeconds(1));
        call(SEARCH);
        call(SEARCH);
        assertEquals(List.of("2026-11-29T00:00:00Z 1", "2026-11-30T00:00:00Z 2"), times(report(UsageUnit.DAY)));
        assertEquals(List.of("2026-11-23T00:00:00Z 1", "2026-11-30T00:00:00Z 2"), times(report(UsageUnit.WEEK)));
        assertEquals(30, report(UsageUnit.DAY).path("times").size());
        assertEquals(13, report(UsageUnit.WEEK).path("times").size());
    }

    @Test
    void hoursBecomeDaysAfterAWeekAndDaysGoAfterNinety() {
        call(SEARCH);
        clock.forward(HOUR.multipliedBy(168));
        String week = "2026-11-20T00:00:00Z";
        assertEquals(
                1,
                store.report(by(UsageUnit.HOUR, week, null), ALL)
                        .json()
                        .at("/total/calls")
                        .asLong());
        clock.forward(HOUR);
        assertEquals(
                0,
                store.report(by(UsageUnit.HOUR, week, null), ALL)
                        .json()
                        .at("/total/calls")
                        .asLong());
        assertEquals(List.of("2026-11-28T00:00:00Z 1"), times(report(UsageUnit.DAY)));
        call(SEARCH);
        clock.forward(DAY.multipliedBy(90 - 7));
        String quarter = "2026-11-01T00:00:00Z";
        JsonNode last = store.report(by(UsageUnit.DAY, quarter, null), ALL).json();
        assertEquals(List.of("2026-11-28T00:00:00Z 1", "2026-12-05T00:00:00Z 1"), times(last));
        assertEquals("2026-11-28T00:00:00Z", last.path("since").asText());
        clock.forward(DAY);
        assertEquals(
                List.of("2026-12-05T00:00:00Z 1"),
                times(store.report(by(UsageUnit.DAY, quarter, null), ALL).json()));
        clock.forward(DAY.multipliedBy(90));
        assertEquals(0, store.save().length, "nothing is kept of what is over");
    }

    @Test
    void aRangeIsCutToWhatIsKept() {
        call(SEARCH);
        JsonNode all = store.report(by(UsageUnit.HOUR, "1970-01-01T00:00:00Z", "2100-01-01T00:00:00Z"), ALL)
                .json();
        assertEquals(169, all.path("times").size());
        assertEquals(1, all.at("/total/calls").asLong());
        JsonNode before = store.report(by(UsageUnit.DAY, "1970-01-01T00:00:00Z", "1971-01-01T00:00:00Z"), ALL)
                .json();
        assertEquals(0, before.path("times").size());
        assertEquals(0, before.at("/total/calls").asLong());
        assertEquals(before.path("from").asText(), before.path("to").asText());
    }

    @Test
    void whatHasNoRoomIsCountedAsOtherOfItsTeam() {
        for (int tool = 0; tool < UsagePeriod.MOST_ROWS; tool++) {
            call(new UsageKey("red", "wiki", "tool" + tool));
        }
        call(new UsageKey("red", "wiki", "tool0"));
        call(new UsageKey("red", "wiki", "one-more"));
        call(new UsageKey("red", "wiki", "two-more"));
        call(new UsageKey("blue", "wiki", "search"));
        assertEquals(
                List.of("red other 2", "red tool0 2"),
                tools(report(UsageUnit.HOUR)).subList(0, 2));
        JsonNode blue = store.report(by(UsageUnit.HOUR, null, null), new CallAudience.OfTeam("blue"))
                .json();
        assertEquals(List.of("blue other 1"), tools(blue));
        assertTrue(blue.at("/rows/0/other").asBoolean());
        assertEquals(2, report(UsageUnit.HOUR).path("omitted").asInt());
        for (int team = 0; team < 3 * UsagePeriod.MOST_ROWS; team++) {
            call(new UsageKey("team" + team, "wiki", "search"));
        }
        assertEquals(4L * UsagePeriod.MOST_ROWS + 4, calls(UsageUnit.HOUR));
        assertTrue(new String(store.save(), StandardCharsets.UTF_8).lines().count() <= 2 * UsagePeriod.MOST_ROWS + 2);
    }

    @Test
    void allRowsAreBoundedAndTheOldestHoursBecomeDaysFirst() {
        for (int hour = 0; hour < 100; hour++) {
            for (int tool = 0; tool < 500; tool++) {
                call(new UsageKey("red", "wiki", "tool" + tool));
            }
            clock.forward(HOUR);
        }
        assertEquals(50_000, calls(UsageUnit.DAY), "days still have all calls");
        JsonNode hours = store.report(by(UsageUnit.HOUR, "2026-11-25T00:00:00Z", null), ALL)
                .json();
        assertTrue(hours.at("/total/calls").asLong() >= 15_000, hours.at("/total")::toString);
        assertTrue(new String(store.save(), StandardCharsets.UTF_8).lines().count() <= UsageStore.MOST_ROWS + 1);
        assertTrue(Instant.parse(hours.path("since").asText()).isAfter(Instant.parse("2026-11-29T00:00:00Z")));
    }

    @Test
    void whatNobodyReadsOrSavesIsBoundedToo() {
        for (int hour = 0; hour < 30; hour++) {
            for (int tool = 0; tool < UsagePeriod.MOST_ROWS; tool++) {
                call(new UsageKey("red", "wiki", "tool" + tool));
            }
            clock.forward(HOUR);
        }
        assertTrue(store.size() <= UsageStore.MOST_ROWS + UsagePeriod.MOST_ROWS, () -> store.size() + " rows");
    }

    @Test
    void whatAClockAheadHasCountedGoesWhenItIsSetBack() {
        call(SEARCH);
        clock.set(DAY);
        call(SEARCH);
        byte[] ahead = store.save();
        clock.set(DAY.negated());
        store.restore(ahead);
        assertEquals(List.of("2026-11-28T00:00:00Z 2"), times(report(UsageUnit.DAY)), "what was there, twice");
        clock.set(DAY);
        call(SEARCH);
        assertEquals(3, calls(UsageUnit.DAY), "the hour that had gone counts again");
    }

    /** Threads that count have looked at the clock just before the hour ended; meanwhile older hours become days. */
    @Test
    void nothingIsLostBetweenThreadsThatCountReadAndSave() throws Exception {
        Instant now = Instant.parse("2026-11-28T10:00:00Z");
        Thread reader = Thread.currentThread();
        UsageStore shared = new UsageStore(new Clock() {
            @Override
            public Instant instant() {
                return Thread.currentThread().equals(reader) ? now : now.minus(HOUR);
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        });
        for (int day = 1; day <= 20; day++) {
            shared.restore(savedAt(now.minus(DAY.multipliedBy(20 + day)), 1000));
        }
        byte[] older = savedAt(now.minus(HOUR.multipliedBy(3)), 1);
        byte[] oldest = savedAt(now.minus(DAY.multipliedBy(60)), 1000);
        int threads = 8;
        int each = 20_000;
        int rounds = 50;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                UsageKey own = new UsageKey("team" + thread, "vectordb", "search");
                running.add(pool.submit(() -> {
                    for (int call = 0; call < each; call++) {
                        shared.count(call % 2 == 0 ? own : SEARCH, UsageOutcome.OK, 1, 400, MS);
                    }
                }));
            }
            for (int round = 0; round < rounds; round++) {
                shared.restore(older);
                shared.restore(oldest); // too many rows: the older hour becomes a day, and the oldest day goes
                shared.save();
            }
            for (Future<?> done : running) {
                done.get();
            }
        }
        JsonNode report = shared.report(by(UsageUnit.DAY, "2026-11-28T00:00:00Z", null), ALL)
                .json();
        long calls = (long) threads * each;
        assertEquals(calls + rounds, report.at("/total/calls").asLong());
        assertEquals("red search " + calls / 2, tools(report).getFirst());
        assertEquals((calls + rounds) * 100, report.at("/total/tokens").asLong(), "400 bytes are 100 tokens");
        JsonNode hours = shared.report(by(UsageUnit.HOUR, null, null), ALL).json();
        assertEquals(List.of("2026-11-28T09:00:00Z " + calls), times(hours), "the older hour is a day now");
    }

    /** What a process has saved that counted a call of each of some tools at {@code time}. */
    private static byte[] savedAt(Instant time, int tools) {
        UsageStore then = new UsageStore(new HandClock(time));
        for (int tool = 0; tool < tools; tool++) {
            then.count(new UsageKey("old", "wiki", "tool" + tool), UsageOutcome.OK, 1, 400, MS);
        }
        return then.save();
    }

    @Test
    void anotherProcessGoesOnWithWhatWasSaved() {
        call(SEARCH);
        store.count(new UsageKey("blue", "", ""), UsageOutcome.REFUSED, 7, 0, Duration.ZERO);
        clock.forward(DAY.multipliedBy(9));
        call(new UsageKey("röd \"\n", "wiki", "=1+1"));
        byte[] saved = store.save();
        UsageStore next = new UsageStore(clock);
        next.count(SEARCH, UsageOutcome.OK, 1, 400, MS);
        next.restore(saved);
        JsonNode both = next.report(by(UsageUnit.DAY, null, null), ALL).json();
        assertEquals(List.of("blue  7", "red search 2", "röd \"\n =1+1 1"), tools(both));
        assertEquals(List.of("2026-11-28T00:00:00Z 8", "2026-12-07T00:00:00Z 2"), times(both));
        UsageStore same = new UsageStore(clock);
        same.restore(saved);
        assertEquals(
                report(UsageUnit.DAY),
                same.report(by(UsageUnit.DAY, null, null), ALL).json());
        assertArrayEquals(saved, same.save());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{\"format\":2}",
                "{\"format\":1}\n{\"unit\":\"hour\"}",
                "{\"format\":1}\nnot json",
                "{\"format\":1}\n{\"unit\":\"hour\",\"time\":\"yesterday\",\"team\":\"\",\"backend\":\"\",\"tool\":\"\"}",
            })
    void whatIsNoUsageIsRefusedAsAWhole(String damaged) {
        call(SEARCH);
        String saved = new String(store.save(), StandardCharsets.UTF_8);
        byte[] file = damaged.isEmpty()
                ? saved.substring(0, saved.length() - 5).getBytes(StandardCharsets.UTF_8)
                : damaged.getBytes(StandardCharsets.UTF_8);
        UsageStore next = new UsageStore(clock);
        assertThrows(IllegalArgumentException.class, () -> next.restore(file));
        byte[] negative = saved.replace("\"ok\":1", "\"ok\":-1").getBytes(StandardCharsets.UTF_8);
        assertThrows(IllegalArgumentException.class, () -> next.restore(negative));
        assertEquals(0, next.save().length);
    }

    @Test
    void latenciesAreReadFromTheHistogramAndRefusedCallsHaveNone() {
        for (int call = 0; call < 90; call++) {
            store.count(SEARCH, UsageOutcome.OK, 1, 0, Duration.ofMillis(3));
        }
        for (int call = 0; call < 10; call++) {
            store.count(SEARCH, UsageOutcome.FAILED, 1, 0, Duration.ofSeconds(30));
        }
        store.count(SEARCH, UsageOutcome.REFUSED, 1000, 0, Duration.ZERO);
        JsonNode total = report(UsageUnit.HOUR).path("total");
        assertEquals(1100, total.path("calls").asInt());
        between(2, 4, total.path("p50_ms"));
        between(16_384, 32_768, total.path("p95_ms"));
        between(16_384, 32_768, total.path("p99_ms"));
        store.count(new UsageKey("red", "wiki", "slow"), UsageOutcome.OK, 1, 0, Duration.ofDays(1));
        store.count(new UsageKey("red", "wiki", "fast"), UsageOutcome.OK, 1, 0, Duration.ZERO);
        JsonNode rows = report(UsageUnit.HOUR).path("rows");
        between(0, 0.25, rows.at("/1/p99_ms"));
        between(262_144, 524_288, rows.at("/2/p99_ms"));
        store.count(new UsageKey("blue", "", ""), UsageOutcome.REFUSED, 1, 0, Duration.ZERO);
        assertTrue(report(UsageUnit.HOUR).at("/rows/1/p50_ms").isNull(), "blue was only refused");
    }

    private static void between(double from, double to, JsonNode number) {
        assertTrue(number.asDouble() >= from && number.asDouble() <= to, number + " is not in " + from + ".." + to);
    }

    @ParameterizedTest
    @CsvSource({
        "true, , OK",
        "true, tool_error, TOOL_ERROR",
        "true, INVALID_ARGUMENT, TOOL_ERROR",
        "true, NOT_FOUND, TOOL_ERROR",
        "true, TIMEOUT, FAILED",
        "true, CANCELLED, FAILED",
        "false, DENIED, REFUSED",
        "false, , REFUSED",
    })
    void callsEndInFourWays(boolean allowed, @Nullable String error, UsageOutcome outcome) {
        assertEquals(outcome, UsageOutcome.of(allowed, error));
    }

    @Test
    void filtersKeepTheNamesToChooseFrom() {
        call(SEARCH);
        call(new UsageKey("blue", "wiki", "look"));
        UsageQuery query = new UsageQuery(UsageUnit.HOUR, null, null, "blue", "look");
        JsonNode report = store.report(query, ALL).json();
        assertEquals(List.of("blue look 1"), tools(report));
        assertEquals("[\"blue\",\"red\"]", report.path("teams").toString());
        assertEquals("[\"look\",\"search\"]", report.path("tools").toString());
        JsonNode keeper = store.report(query, new CallAudience.OfBackends("red", Set.of()))
                .json();
        assertEquals(List.of(), tools(keeper));
        assertEquals("[\"red\"]", keeper.path("teams").toString());
    }

    @Test
    void csvIsForProgramsAndComputesNothingInASpreadsheet() {
        call(new UsageKey("=cmd|' /C calc'!A0", "wiki", "a,\"b\"\nc"));
        store.count(new UsageKey("+red", "-x", "@y"), UsageOutcome.REFUSED, 2, 0, Duration.ZERO);
        UsageReport report = store.report(by(UsageUnit.HOUR, null, null), ALL);
        assertEquals(
                "time,team,backend,tool,calls,ok,tool_error,refused,failed,tokens,p50_ms,p95_ms,p99_ms\r\n"
                        + "2026-11-28T09:00:00Z,'+red,'-x,'@y,2,0,0,2,0,0,,,\r\n"
                        + "2026-11-28T09:00:00Z,'=cmd|' /C calc'!A0,wiki,\"a,\"\"b\"\"\nc\",1,1,0,0,0,100,1.5,1.95,1.99\r\n",
                report.csv());
        assertEquals("usage-by-hour-from-2026-11-27-to-2026-11-28.csv", report.fileName());
    }
}
