package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.auth.BudgetAnswer;
import switchboard.auth.BudgetGrant;
import switchboard.auth.BudgetLimits;
import switchboard.auth.BudgetPayer;
import switchboard.auth.BudgetReport;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;

/** Exchanges of many nodes in a real database. */
@Tag("engines")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BudgetTableTest {
    private static final BudgetLimits TEN = new BudgetLimits(null, 0, 10L, null, null);
    private static final BudgetReport.DayUse NO_USE = new BudgetReport.DayUse(0, 0, 0, 0, 0);

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    private final Vertx vertx = Vertx.vertx();
    private ClusterDatabase database;
    private BudgetTable table;

    @BeforeEach
    void open() throws Exception {
        ClusterConfig config = config();
        new Migrations(ClusterServers.direct(config).jdbc(), "budgets").run();
        postgres.sql("DELETE FROM budgets.budget");
        database = new ClusterDatabase(
                vertx, ClusterServers.ofStatements(config), 8, Clock.systemUTC(), ClusterDatabaseTest.UNHURRIED);
        table = new BudgetTable(database, "\"budgets\"");
    }

    @AfterEach
    void close() throws Exception {
        await(database.close());
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(30, TimeUnit.SECONDS);
    }

    private static ClusterConfig config() {
        String url = "postgres://" + postgres.superuser() + "@127.0.0.1:" + postgres.port() + "/" + postgres.database();
        return new ClusterConfig(Secret.of(url), null, null, null, "budgets", null, 8);
    }

    private static BudgetReport needs(BudgetPayer payer, long used, long taken, boolean first) {
        return new BudgetReport(
                payer,
                TEN,
                first,
                null,
                new BudgetReport.DayUse(used, taken, 0, 1, 1),
                NO_USE,
                new BudgetReport.RateUse(0, 0, 0, 0, 0),
                new BudgetReport.PlaceUse(0, 0, 0));
    }

    private Future<BudgetAnswer> exchange(String node, List<BudgetReport> reports, int nodes) {
        return table.exchange(node, reports, nodes, () -> true);
    }

    @Test
    void nodesThatExchangeTheSameRowsInAnyOrderWaitForEachOtherAndNeverInACircle() throws Exception {
        Random random = new Random(7);
        List<BudgetPayer> payers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            payers.add(new BudgetPayer("té \"a\\m'" + i % 7, i % 3 == 0 ? "" : "k" + i));
        }
        await(exchange(
                "node0", payers.stream().map(payer -> needs(payer, 0, 0, true)).toList(), 12));
        postgres.sql("DELETE FROM budgets.budget");
        List<Future<BudgetAnswer>> answers = new ArrayList<>();
        for (int node = 0; node < 12; node++) {
            List<BudgetPayer> some = new ArrayList<>(payers);
            Collections.shuffle(some, random);
            answers.add(exchange(
                    "node" + node,
                    some.stream().map(payer -> needs(payer, 0, 0, true)).toList(),
                    12));
        }
        long given = 0;
        for (Future<BudgetAnswer> answer : answers) {
            BudgetAnswer said = await(answer);
            assertEquals(payers.stream().distinct().count(), said.grants().size());
            given += said.grants().values().stream()
                    .mapToLong(grant -> grant.calls().taken())
                    .sum();
        }
        assertEquals(10 * payers.stream().distinct().count(), given, "ten for each, and no more");
    }

    @Test
    void aReportForARowThatIsNotThereIsAskedForAgainAndNothingIsMadeUnasked() throws Exception {
        BudgetPayer payer = new BudgetPayer("a", "k");
        BudgetAnswer missing = await(exchange("n", List.of(needs(payer, 0, 0, false)), 1));
        assertEquals(0, missing.grants().size());
        assertTrue(missing.nowMillis() > 1_700_000_000_000L, "it says the time nevertheless");
        assertEquals("0", postgres.sql("SELECT count(*) FROM budgets.budget").strip());
        assertTrue(await(exchange("n", List.of(), 1)).nowMillis() > 1_700_000_000_000L);
    }

    /** What was given up may be carried out late, on a connection that was stuck. */
    @Test
    void aReportThatALaterOneHasOvertakenWritesNothing() throws Exception {
        NodeBudgets node = new NodeBudgets("n", database, "\"budgets\"", () -> 1, _ -> {});
        BudgetPayer payer = new BudgetPayer("a", "");
        BudgetPayer stuck = new BudgetPayer("stuck", "");
        await(node.exchange(List.of(needs(payer, 0, 0, true))));
        Promise<Void> held = Promise.promise();
        Promise<Void> release = Promise.promise();
        Future<Void> holder = database.run(connection -> connection
                .query("INSERT INTO budgets.budget (team, key) VALUES ('stuck', '')")
                .execute()
                .andThen(_ -> held.complete())
                .compose(_ -> release.future()));
        await(held.future());
        Future<BudgetAnswer> older = node.exchange(List.of(needs(payer, 1, 1, false), needs(stuck, 0, 0, true)));
        Eventually.that(
                () -> postgres.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                + " AND datname = current_database()")
                        .strip()
                        .equals("1"),
                () -> "the older one waits");
        assertEquals(
                9,
                await(node.exchange(List.of(needs(payer, 8, 2, false))))
                        .grants()
                        .get(payer)
                        .calls()
                        .taken());
        release.complete();
        await(holder);
        assertEquals(Map.of(), await(older).grants());
        assertEquals(
                "9",
                postgres.sql("SELECT calls FROM budgets.budget WHERE team = 'a'")
                        .strip());
    }

    @Test
    void rowsOfThoseWhoHaveUsedNothingForAWhileGo() throws Exception {
        BudgetPayer old = new BudgetPayer("old", "");
        BudgetPayer slow = new BudgetPayer("slow", "");
        BudgetPayer fresh = new BudgetPayer("fresh", "");
        await(exchange("n", List.of(needs(old, 0, 0, true), needs(slow, 0, 0, true), needs(fresh, 0, 0, true)), 1));
        postgres.sql("UPDATE budgets.budget SET used = now() - interval '3 days' WHERE team <> 'fresh'");
        postgres.sql("UPDATE budgets.budget SET full_at = now() + interval '3 days' WHERE team = 'slow'");
        await(table.sweep());
        assertEquals(
                "fresh slow",
                postgres.sql("SELECT string_agg(team, ' ' ORDER BY team) FROM budgets.budget")
                        .strip());
    }

    @Test
    void whatIsInTheRowIsReadAgain() throws Exception {
        BudgetPayer payer = new BudgetPayer("a", "");
        BudgetLimits limits = new BudgetLimits(5, 50, 100L, 1000L, 4);
        BudgetReport report = new BudgetReport(
                payer,
                limits,
                true,
                null,
                new BudgetReport.DayUse(2, 0, 0, 3, 3),
                new BudgetReport.DayUse(7, 0, 0, 1, 1),
                new BudgetReport.RateUse(0, 0, 20, 20, 0),
                new BudgetReport.PlaceUse(1, 2, 2));
        BudgetGrant first = await(exchange("n", List.of(report), 1)).grants().get(payer);
        BudgetGrant other = await(exchange("m", List.of(report), 1)).grants().get(payer);
        assertTrue(first != null && other != null);
        assertEquals(new BudgetGrant.DayGrant(5, 5, 0), first.calls());
        assertEquals(new BudgetGrant.PlaceGrant(3, 0), first.places());
        assertEquals(new BudgetGrant.DayGrant(5, 10, 3), other.calls());
        assertEquals(new BudgetGrant.DayGrant(8, 16, 1), other.tokens());
        assertEquals(20, other.rate().granted());
        assertEquals(20, other.rate().elsewhere());
        assertTrue(other.rate().level() >= 10 && other.rate().level() < 20, () -> "" + other.rate());
        assertEquals(
                new BudgetGrant.PlaceGrant(1, 3), other.places(), "those under way are counted, and no more are given");
        postgres.sql("UPDATE budgets.budget SET leases = 'no JSON'");
        assertTrue(await(exchange("m", List.of(report), 1)).grants().containsKey(payer));
    }
}
