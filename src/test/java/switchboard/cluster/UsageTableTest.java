package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.testing.PostgresCluster;

/** Counts of many gateways in a real database: each once, for as long as is said, and in bounded room. */
@Tag("engines")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UsageTableTest {
    /** 2026-11-28T10:00:00Z. */
    private static final long NOW = 498_850;

    private static final long TODAY = NOW / 24 * 24;

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    private final Vertx vertx = Vertx.vertx();
    private ClusterDatabase database;
    private UsageTable table;

    @BeforeEach
    void open() throws Exception {
        String url = "postgres://" + postgres.superuser() + "@127.0.0.1:" + postgres.port() + "/" + postgres.database();
        ClusterConfig config = new ClusterConfig(Secret.of(url), null, null, null, "counted", null, 8);
        new Migrations(ClusterServers.direct(config).jdbc(), "counted").run();
        postgres.sql(
                "DELETE FROM counted.usage; DELETE FROM counted.usage_run; UPDATE counted.usage_sweep SET swept = '-infinity'");
        database = new ClusterDatabase(
                vertx, ClusterServers.ofStatements(config), 8, Clock.systemUTC(), ClusterDatabaseTest.UNHURRIED);
        table = new UsageTable(database, "\"counted\"", () -> true);
    }

    @AfterEach
    void close() throws Exception {
        await(database.close());
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(60, TimeUnit.SECONDS);
    }

    /** A row whose counts are {@code first}, {@code first + 1} and so on. */
    private static UsageRow row(String unit, long hour, String team, String tool, long first) {
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < UsageRow.COUNTS; i++) {
            counts.add(first + i);
        }
        return new UsageRow(unit, hour, team, "wiki", tool, counts);
    }

    private static UsageRow row(long hour, String team, String tool) {
        return row(UsageRow.HOUR, hour, team, tool, 1);
    }

    private UsageRead read(UsageSpan span, String... runs) throws Exception {
        return await(table.read(span, List.of(runs)));
    }

    private UsageRead hours(String... runs) throws Exception {
        return read(new UsageSpan("hour", 1, 0, NOW - 1000, NOW + 100), runs);
    }

    private UsageRead days() throws Exception {
        return read(new UsageSpan("day", 24, 0, 0, TODAY + 240));
    }

    private static List<String> shown(UsageRead read) {
        return read.rows().stream()
                .map(row -> (row.hour() - TODAY) + " " + row.team() + " " + row.tool() + " "
                        + row.counts().getFirst() + " " + row.counts().getLast())
                .sorted()
                .toList();
    }

    private void sweep() throws Exception {
        await(new UsageSweep(database, "\"counted\"").at(NOW));
    }

    private static long number(String sql) {
        return Long.parseLong(postgres.sql(sql).strip());
    }

    private static long size() {
        return number("SELECT count(*) FROM counted.usage");
    }

    private static long calls() {
        return number("SELECT sum(counts[1]) FROM counted.usage");
    }

    /** Rows with one of each count, for each {@code i} of a series up to {@code last}. */
    private static void fill(String unit, String hour, String team, String tool, int last) {
        postgres.sql("INSERT INTO counted.usage SELECT '" + unit + "', " + hour + ", " + team + ", 'wiki', " + tool
                + ", array_fill(1::bigint, ARRAY[27]) FROM generate_series(0, " + last + ") AS i");
    }

    @Test
    void aBatchCountsOnceHoweverOftenItIsSent() throws Exception {
        UsageBatch first = new UsageBatch("run", 1, List.of(row(NOW, "red", "search"), row(NOW, "blue", "search")));
        List<Future<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sent.add(table.write(first));
        }
        for (Future<Void> one : sent) {
            await(one);
        }
        await(table.write(first));
        assertEquals(List.of("10 blue search 1 27", "10 red search 1 27"), shown(hours()));
        UsageBatch second = new UsageBatch("run", 2, List.of(row(UsageRow.HOUR, NOW, "red", "search", 100)));
        await(table.write(second));
        await(table.write(first));
        await(table.write(second));
        await(table.write(new UsageBatch("other", 1, List.of(row(NOW, "red", "search")))));
        UsageRead read = hours("run", "other", "unknown");
        assertEquals(List.of("10 blue search 1 27", "10 red search 102 180"), shown(read));
        assertEquals(Map.of("run", 2L, "other", 1L), read.written());
        assertTrue(read.has(second) && !read.has(new UsageBatch("run", 3, List.of())));
        assertEquals(NOW, read.firstHour());
        assertEquals(null, read.firstDay());
    }

    @Test
    void nothingIsAlsoAnAnswer() throws Exception {
        UsageRead read = hours("run");
        assertEquals(List.of(), read.rows());
        assertEquals(Map.of(), read.written());
        assertEquals(null, read.firstHour());
    }

    @Test
    void namesMayBeAnything() throws Exception {
        String odd = "rød 'té\\a\"m' 漢字 😀\n";
        String longest = "😀".repeat(128);
        await(table.write(new UsageBatch(
                "run",
                1,
                List.of(
                        row(NOW, odd, "{a,b}"),
                        row(NOW, "a\0b", "nul"),
                        row(NOW, "a\uFFFDb", "nul"),
                        row(NOW, "x".repeat(255) + "😀", "cut"),
                        row(NOW, longest + "y".repeat(5000), longest)))));
        assertEquals(
                Set.of(
                        "10 " + odd + " {a,b} 1 27",
                        "10 " + "x".repeat(255) + " cut 1 27",
                        "10 " + longest + " " + longest + " 1 27",
                        "10 a\uFFFDb nul 2 54"),
                Set.copyOf(shown(hours())));
    }

    /** As a gateway does: what fails is sent again. */
    private Future<Void> sent(UsageBatch batch, int tries) {
        return table.write(batch)
                .recover(failure -> tries == 1 ? Future.failedFuture(failure) : sent(batch, tries - 1));
    }

    @Test
    void gatewaysThatWriteTheSameRowsAtOnceLoseNothing() throws Exception {
        Random random = new Random(11);
        List<UsageRow> rows = new ArrayList<>();
        for (int tool = 0; tool < 600; tool++) {
            rows.add(row(NOW - tool % 3, "team" + tool % 7, "tool" + tool));
        }
        List<Future<Void>> sent = new ArrayList<>();
        for (int batch = 1; batch <= 2; batch++) {
            for (int gateway = 0; gateway < 4; gateway++) {
                Collections.shuffle(rows, random);
                sent.add(sent(new UsageBatch("run" + gateway, batch, rows), 5));
                sent.add(table.sweep().otherwiseEmpty());
            }
            for (Future<Void> one : sent) {
                await(one);
            }
            sent.clear();
        }
        assertEquals(600, size());
        assertEquals(8, number("SELECT min(counts[1]) FROM counted.usage"));
        assertEquals(8, number("SELECT max(counts[1]) FROM counted.usage"));
        assertEquals(8 * 27, number("SELECT min(counts[27]) FROM counted.usage"));
    }

    @Test
    void hoursBecomeDaysAfterAWeekAndDaysGoAfterNinety() throws Exception {
        long week = NOW - 168;
        await(table.write(new UsageBatch(
                "run",
                1,
                List.of(
                        row(NOW, "red", "search"),
                        row(week, "red", "search"),
                        row(UsageRow.HOUR, week - 1, "red", "search", 10),
                        row(UsageRow.HOUR, week - 2, "red", "search", 100),
                        row(week - 2, "blue", "search"),
                        row(UsageRow.DAY, TODAY - 168, "red", "search", 1000),
                        row(UsageRow.DAY, TODAY - 24 * 90, "red", "search", 5),
                        row(UsageRow.DAY, TODAY - 24 * 91, "red", "search", 7)))));
        List<String> before = shown(days());
        assertEquals(5, before.size(), before::toString);
        sweep();
        assertEquals(List.of("-158 red search 1 27", "10 red search 1 27"), shown(hours()));
        List<String> kept =
                before.stream().filter(row -> !row.startsWith("-2184")).toList();
        assertEquals(kept, shown(days()));
        assertTrue(kept.contains("-168 red search 1111 1215"), kept::toString);
        assertEquals(TODAY - 24 * 90, days().firstDay());
        assertEquals(week, days().firstHour());
        sweep();
        assertEquals(kept, shown(days()), "again changes nothing");
    }

    @Test
    void spansAreAddedUp() throws Exception {
        await(table.write(new UsageBatch(
                "run",
                1,
                List.of(
                        row(UsageRow.DAY, TODAY - 48, "red", "search", 3),
                        row(TODAY - 24, "red", "search"),
                        row(TODAY - 1, "red", "search"),
                        row(TODAY, "red", "search"),
                        row(TODAY + 48, "red", "search")))));
        assertEquals(
                List.of("-24 red search 2 54", "-48 red search 3 29", "0 red search 1 27", "48 red search 1 27"),
                shown(days()));
        // it is a Saturday: the week began five days ago, and ends tomorrow
        UsageSpan weeks = new UsageSpan("week", 168, 72, TODAY - 120, TODAY + 48);
        assertEquals(List.of("-120 red search 6 110"), shown(read(weeks)));
        assertEquals(
                List.of("-1 red search 1 27", "0 red search 1 27"),
                shown(read(new UsageSpan("hour", 1, 0, TODAY - 1, TODAY + 48))));
    }

    @Test
    void theOldestHoursBecomeDaysEarlyAndThenTheOldestDaysGo() throws Exception {
        fill("hour", NOW + " - i / 1000", "'red'", "'tool' || i % 1000", 29_999);
        sweep();
        assertTrue(size() <= UsageSweep.MOST_ROWS, () -> size() + " rows");
        assertEquals(30_000, calls());
        assertEquals(30_000, number("SELECT sum(counts[27]) FROM counted.usage"));
        assertTrue(number("SELECT count(*) FROM counted.usage WHERE unit = 'hour'") >= 15_000);
        fill("day", TODAY + " - 24 * (10 + i / 500)", "'red'", "'old' || i % 500", 29_999);
        sweep();
        assertTrue(size() <= UsageSweep.MOST_ROWS, () -> size() + " rows");
        assertEquals(2, number("SELECT count(DISTINCT hour) FROM counted.usage WHERE unit = 'hour'"));
        assertEquals(
                30_000,
                number("SELECT sum(counts[1]) FROM counted.usage WHERE tool NOT LIKE 'old%'"),
                "newer ones stay");
        assertEquals(
                TODAY - 240, number("SELECT max(hour) FROM counted.usage WHERE tool LIKE 'old%'"), "the oldest go");
    }

    @Test
    void whatHasNoRoomInAnHourIsCountedAsOther() throws Exception {
        fill("hour", "" + NOW, "'team' || i / 2", "'tool' || i", 3_999);
        fill("hour", "" + (NOW - 1), "'red'", "'tool' || i", 1_999);
        postgres.sql("UPDATE counted.usage SET counts[1] = 50 WHERE tool = 'tool3000' AND hour = " + NOW);
        sweep();
        assertTrue(
                number("SELECT count(*) FROM counted.usage WHERE hour = " + NOW) <= 2L * UsageSweep.MOST_NAMES,
                () -> size() + " rows");
        assertEquals(4_049, number("SELECT sum(counts[1]) FROM counted.usage WHERE hour = " + NOW));
        assertEquals(4_000, number("SELECT sum(counts[27]) FROM counted.usage WHERE hour = " + NOW));
        assertEquals(50, number("SELECT counts[1] FROM counted.usage WHERE tool = 'tool3000' AND hour = " + NOW));
        assertTrue(
                number("SELECT counts[1] FROM counted.usage WHERE tool = 'other' AND team = '' AND backend = ''") > 0);
        assertEquals(2_000, number("SELECT count(*) FROM counted.usage WHERE hour = " + (NOW - 1)), "it has room");
    }

    @Test
    void whatAClockAheadHasCountedGoes() throws Exception {
        await(table.write(new UsageBatch(
                "run",
                1,
                List.of(
                        row(NOW + 1, "red", "search"),
                        row(NOW + 2, "red", "search"),
                        row(UsageRow.DAY, TODAY + 24, "red", "search", 1),
                        row(UsageRow.DAY, TODAY + 48, "red", "search", 1)))));
        sweep();
        assertEquals(List.of("0 red search 1 27", "24 red search 1 27"), shown(days()));
    }

    @Test
    void oneSweepsAMinuteAndRunsAreForgottenLast() throws Exception {
        await(table.write(new UsageBatch("old", 1, List.of(row(NOW, "red", "search")))));
        await(table.write(new UsageBatch("older", 1, List.of(row(NOW, "red", "search")))));
        postgres.sql("UPDATE counted.usage_run SET at = now() - interval '91 days' WHERE run = 'old';"
                + "UPDATE counted.usage_run SET at = now() - interval '93 days' WHERE run = 'older'");
        postgres.sql(
                "UPDATE counted.usage SET unit = 'day', hour = 24 * (floor(extract(epoch FROM now()) / 86400) - 91)");
        await(table.sweep());
        assertEquals(0, size(), "by the clock of the database");
        assertEquals("old", postgres.sql("SELECT run FROM counted.usage_run").strip());
        fill("day", "0", "'red'", "'search'", 0);
        await(table.sweep());
        assertEquals(1, size(), "it was done a moment ago");
    }
}
