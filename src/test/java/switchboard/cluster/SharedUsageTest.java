package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.concurrent.BlockingExecutor;
import switchboard.concurrent.TeamShare;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.console.CallAudience;
import switchboard.console.SharedUsage;
import switchboard.console.UnsentUsage;
import switchboard.console.UsageKey;
import switchboard.console.UsageOutcome;
import switchboard.console.UsageQuery;
import switchboard.console.UsageReport;
import switchboard.console.UsageStore;
import switchboard.console.UsageUnit;
import switchboard.testing.HandClock;
import switchboard.testing.PostgresCluster;

/** Gateways that count together show what one would that had counted all, whatever becomes of them and of their writes. */
@Tag("engines")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SharedUsageTest {
    private static final CallAudience ALL = new CallAudience.Everybody();
    private static final UsageKey SEARCH = new UsageKey("red", "wiki", "search");
    private static final List<CallAudience> AUDIENCES =
            List.of(ALL, new CallAudience.OfTeam("røde 😀"), new CallAudience.OfBackends("blue", Set.of("wiki")));

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    private final Vertx vertx = Vertx.vertx();
    private final BlockingExecutor executor =
            new BlockingExecutor(vertx, new SimpleMeterRegistry(), "usage", 2, 100, TeamShare.ALL);
    private final HandClock clock = new HandClock(Instant.parse("2026-11-28T09:50:00Z"));
    private final AtomicBoolean away = new AtomicBoolean();
    private final UsageStore expected = new UsageStore(clock);
    private ClusterDatabase database;
    private UsageTable table;
    private int runs;

    @BeforeEach
    void open() throws Exception {
        String url = "postgres://" + postgres.superuser() + "@127.0.0.1:" + postgres.port() + "/" + postgres.database();
        ClusterConfig config = new ClusterConfig(Secret.of(url), null, null, null, "shared", null, 8);
        new Migrations(ClusterServers.direct(config).jdbc(), "shared").run();
        postgres.sql("DELETE FROM shared.usage; DELETE FROM shared.usage_run");
        database = new ClusterDatabase(
                vertx, ClusterServers.ofStatements(config), 8, Clock.systemUTC(), ClusterDatabaseTest.UNHURRIED);
        table = new UsageTable(database, "\"shared\"", () -> !away.get());
    }

    @AfterEach
    void close() throws Exception {
        await(database.close());
        await(executor.close());
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(60, TimeUnit.SECONDS);
    }

    private UnsentUsage gateway() {
        return new UnsentUsage("run" + runs++, clock);
    }

    private void call(UnsentUsage gateway, UsageKey key, UsageOutcome outcome, int calls, long bytes, Duration took) {
        gateway.count(key, outcome, calls, bytes, took);
        expected.count(key, outcome, calls, bytes, took);
    }

    private void call(UnsentUsage gateway, UsageKey key) {
        call(gateway, key, UsageOutcome.OK, 1, 400, Duration.ofMillis(3));
    }

    /** Writes what waits; nobody learns of the first write, as if its connection had broken after the commit. */
    private void write(UnsentUsage gateway, boolean unknown) throws Exception {
        gateway.forgetWritten();
        gateway.round();
        Optional<UsageBatch> first = gateway.first();
        if (unknown && first.isPresent()) {
            await(table.write(first.get()));
            return;
        }
        for (Optional<UsageBatch> batch = first; batch.isPresent(); batch = gateway.first()) {
            await(table.write(batch.get()));
            gateway.firstIsWritten();
        }
    }

    /** Also what was counted while a batch waited. */
    private void writeAll(List<UnsentUsage> gateways, @Nullable UnsentUsage but) throws Exception {
        for (UnsentUsage gateway : gateways) {
            for (int round = 0; gateway != but && round < 2; round++) {
                write(gateway, false);
            }
        }
    }

    private UsageReport report(UnsentUsage gateway, UsageQuery query, CallAudience audience) throws Exception {
        return await(SharedUsage.of(table, gateway, executor, new TeamShare(1))
                .report("red", query, audience, report -> report));
    }

    private static UsageQuery by(UsageUnit unit, String team, String tool) {
        return new UsageQuery(unit, null, null, team, tool);
    }

    private long calls(UnsentUsage gateway) throws Exception {
        return report(gateway, by(UsageUnit.WEEK, "", ""), ALL)
                .json()
                .at("/total/calls")
                .asLong();
    }

    private static ObjectNode counts(UsageReport report) {
        return report.json().without(List.of("clustered"));
    }

    private List<UsageQuery> queries() {
        Instant now = clock.instant();
        return List.of(
                by(UsageUnit.HOUR, "", ""),
                by(UsageUnit.DAY, "", ""),
                by(UsageUnit.WEEK, "", ""),
                by(UsageUnit.DAY, "røde 😀", "search"),
                new UsageQuery(UsageUnit.HOUR, now.minus(Duration.ofDays(9)), now.minus(Duration.ofHours(30)), "", ""));
    }

    private void assertSame(List<UnsentUsage> gateways) throws Exception {
        long hour = Math.floorDiv(clock.instant().getEpochSecond(), 3600);
        await(new UsageSweep(database, "\"shared\"").at(hour));
        for (UsageQuery query : queries()) {
            for (CallAudience audience : AUDIENCES) {
                UsageReport wanted = expected.report(query, audience);
                for (UnsentUsage gateway : gateways) {
                    UsageReport shown = report(gateway, query, audience);
                    assertEquals(counts(wanted), counts(shown), query::toString);
                    assertEquals(wanted.csv(), shown.csv(), query::toString);
                    assertEquals(wanted.fileName(), shown.fileName());
                }
            }
        }
    }

    private static UsageKey key(Random random) {
        List<String> teams = List.of("red", "blue", "røde 😀", "=cmd\"\n");
        List<String> tools = List.of("search", "漢字", "list", "");
        return new UsageKey(
                teams.get(random.nextInt(teams.size())),
                random.nextBoolean() ? "wiki" : "vectordb",
                tools.get(random.nextInt(tools.size())));
    }

    @Test
    void theyShowWhatOneWouldThatHadCountedAll() throws Exception {
        Random random = new Random(2026);
        List<UnsentUsage> gateways = new ArrayList<>(List.of(gateway(), gateway(), gateway()));
        for (int step = 1; step <= 600; step++) {
            int index = random.nextInt(gateways.size());
            UnsentUsage gateway = gateways.get(index);
            switch (random.nextInt(10)) {
                case 0 -> write(gateway, false);
                case 1 -> write(gateway, true);
                case 2 -> clock.forward(Duration.ofMinutes(random.nextInt(200)));
                case 3 -> {
                    if (random.nextInt(4) == 0) { // it stops, or is killed after it has saved
                        byte[] saved = gateway.save();
                        if (random.nextBoolean()) {
                            write(gateway, random.nextBoolean());
                        }
                        gateways.set(index, gateway());
                        if (saved.length > 0) {
                            gateways.get(index).restore(saved);
                        }
                    }
                }
                default ->
                    call(
                            gateway,
                            key(random),
                            UsageOutcome.values()[random.nextInt(4)],
                            1 + random.nextInt(3),
                            random.nextInt(5000),
                            Duration.ofMillis(random.nextInt(1 << random.nextInt(16))));
            }
            if (step % 200 == 0) {
                writeAll(gateways, gateway); // which shows also what it has not written
                assertSame(List.of(gateway));
                writeAll(gateways, null);
                assertSame(gateways);
            }
        }
        assertTrue(calls(gateways.getFirst()) > 400, "many calls, over more than a week");
        writeAll(gateways, null);
        long last = expected.report(by(UsageUnit.DAY, "", ""), ALL)
                .json()
                .at("/total/calls")
                .asLong();
        assertEquals(last, calls(gateway()), "the table has all, for a gateway that has just begun");
    }

    @Test
    void aReadThatBeganBeforeAWriteMissesNothingAndCountsNothingTwice() throws Exception {
        UnsentUsage gateway = gateway();
        call(gateway, SEARCH);
        gateway.round();
        call(gateway, SEARCH);
        assertEquals(2, calls(gateway), "one waits, one is in no batch");
        await(table.write(gateway.first().orElseThrow()));
        assertEquals(2, calls(gateway), "it is written, but nobody knows");
        SharedUsage usage = SharedUsage.of(table, gateway, executor, new TeamShare(1));
        List<Future<Long>> reads = new ArrayList<>();
        for (int read = 0; read < 40; read++) {
            reads.add(usage.report("red", by(UsageUnit.HOUR, "", ""), ALL, report -> {
                assertFalse(report.json().path("missing").asBoolean(), "the table was read");
                return report.json().at("/total/calls").asLong();
            }));
            if (read == 20) {
                gateway.firstIsWritten();
                gateway.forgetWritten();
                gateway.round();
                await(table.write(gateway.first().orElseThrow()));
                gateway.firstIsWritten();
            }
        }
        for (Future<Long> read : reads) {
            assertEquals(2, await(read));
        }
        gateway.forgetWritten();
        gateway.forgetWritten();
        assertEquals(2, calls(gateway));
    }

    @Test
    void whatIsKilledIsCountedOnceWhateverItsFileSays() throws Exception {
        UnsentUsage killed = gateway();
        call(killed, SEARCH);
        call(killed, new UsageKey("røde 😀", "wiki", "漢字"));
        byte[] early = killed.save();
        call(killed, SEARCH);
        write(killed, true);
        byte[] waiting = killed.save();
        UnsentUsage next = gateway();
        next.restore(early);
        assertEquals(3, calls(next), "what was written includes what was saved");
        write(next, false);
        assertEquals(3, calls(next));
        UnsentUsage other = gateway();
        other.restore(waiting);
        call(other, SEARCH);
        write(other, false);
        assertEquals(4, calls(other));
        assertEquals(0, other.save().length, "nothing is left to be saved");
    }

    @Test
    void whatAGatewayHasCountedByItselfCountsForAllOnce() throws Exception {
        expected.count(SEARCH, UsageOutcome.OK, 5, 400, Duration.ofMillis(3));
        clock.forward(Duration.ofDays(9));
        expected.count(SEARCH, UsageOutcome.FAILED, 2, 0, Duration.ofSeconds(1));
        byte[] file = expected.save();
        for (int start = 0; start < 3; start++) {
            UnsentUsage gateway = gateway();
            gateway.restore(file);
            assertSame(List.of(gateway));
            write(gateway, start == 0);
            assertSame(List.of(gateway, gateway()));
        }
    }

    @Test
    void aGatewayWithoutTheDatabaseShowsItsOwnAndWritesItLater() throws Exception {
        UnsentUsage one = gateway();
        UnsentUsage other = gateway();
        call(one, SEARCH);
        call(other, SEARCH);
        write(one, false);
        write(other, false);
        away.set(true);
        for (int hour = 0; hour < 200; hour++) {
            call(one, SEARCH);
            one.round();
            clock.forward(Duration.ofHours(1));
        }
        ObjectNode alone = report(one, by(UsageUnit.WEEK, "", ""), ALL).json();
        assertTrue(alone.path("clustered").asBoolean() && alone.path("missing").asBoolean(), alone::toString);
        assertEquals(201, alone.at("/total/calls").asLong());
        UsageReport file = report(other, by(UsageUnit.WEEK, "", ""), ALL);
        assertEquals(1, file.json().at("/total/calls").asLong());
        assertTrue(file.fileName().endsWith("-of-one-gateway.csv"), file::fileName);
        byte[] saved = one.save();
        away.set(false);
        UnsentUsage next = gateway();
        next.restore(saved);
        assertEquals(202, calls(next));
        write(one, false);
        write(one, false);
        write(next, false);
        assertEquals(202, calls(other));
        assertSame(List.of(other, next));
    }

    @Test
    void whatWaitsIsBounded() throws Exception {
        UnsentUsage gateway = gateway();
        for (int hour = 0; hour < 30; hour++) {
            for (int tool = 0; tool < 1000; tool++) {
                gateway.count(new UsageKey("red", "wiki", "tool" + tool), UsageOutcome.OK, 1, 4, Duration.ofMillis(1));
            }
            gateway.round();
            clock.forward(Duration.ofHours(1));
        }
        assertTrue(lines(gateway.save()) <= 22_002, () -> lines(gateway.save()) + " rows");
        write(gateway, false);
        write(gateway, false);
        assertEquals(30_000, calls(gateway));
        assertEquals(0, gateway.save().length);
    }

    private static long lines(byte[] file) {
        return new String(file, StandardCharsets.UTF_8).lines().count();
    }
}
