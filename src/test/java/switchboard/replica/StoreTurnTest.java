package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.Lifetime;
import switchboard.call.ToolException;
import switchboard.store.Namespace;
import switchboard.store.StoreTurn;
import switchboard.store.StoredDocument;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;

/** Of several nodes one at a time has a turn, and whose turn is over changes nothing. */
@Tag("engines")
class StoreTurnTest {
    private static final Lifetime LONG = Lifetime.within(Duration.ofHours(1));

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private String schema = "";
    private ReplicaNode one;
    private ReplicaNode two;

    @BeforeEach
    void start(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        one = new ReplicaNode(postgres, schema, folder.resolve("one")).joined();
        two = new ReplicaNode(postgres, schema, folder.resolve("two")).joined();
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    /** A turn that lasts until the test ends it. */
    private record HeldTurn(StoreTurn turn, Promise<Void> end, Future<Void> ended) {
        void finish() {
            end.complete();
            await(ended);
        }
    }

    private static HeldTurn begin(ReplicaNode node, Namespace namespace) {
        Promise<StoreTurn> begun = Promise.promise();
        Promise<Void> end = Promise.promise();
        Future<Void> ended = node.store().alone(namespace, LONG, turn -> {
            begun.complete(turn);
            return end.future();
        });
        return new HeldTurn(await(begun.future()), end, ended);
    }

    private static ToolException failure(Future<?> change) {
        return assertThrows(ToolException.class, () -> await(change));
    }

    private String count(String table) {
        return postgres.sql("SELECT count(*) FROM " + schema + "." + table).strip();
    }

    /** As if the node that has the turn had been paused for longer than it lasts. */
    private void expire() {
        postgres.sql("UPDATE " + schema + ".job SET until = clock_timestamp() - interval '1 second'");
    }

    @Test
    void turnsComeOneAfterTheOther() {
        HeldTurn first = begin(one, BOOKS);
        await(first.turn().store().put(BOOKS, document("a", "from one")));
        ToolException busy = failure(
                two.store().alone(BOOKS, Lifetime.within(Duration.ofMillis(100)), _ -> Future.succeededFuture()));
        assertEquals(FailureKind.CONFLICT, busy.failed().kind());
        assertTrue(
                busy.failed().message().contains("Another gateway is changing books"),
                busy.failed().message());
        HeldTurn beside = begin(two, Namespace.of("others"));
        beside.finish();
        Promise<Boolean> finished = Promise.promise();
        Future<String> second = two.store().alone(BOOKS, LONG, turn -> turn.store()
                .find(BOOKS, "a")
                .map(found -> finished.future().isComplete() + " "
                        + found.map(StoredDocument::source).orElse("")));
        finished.complete(true);
        first.finish();
        assertEquals("true a", await(second));
    }

    @Test
    void aTurnIsRenewedAsLongAsItsWorkTakes() {
        HeldTurn turn = begin(one, BOOKS);
        String until = "SELECT extract(epoch FROM until) FROM " + schema + ".job";
        double first = Double.parseDouble(postgres.sql(until).strip());
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> Double.parseDouble(postgres.sql(until).strip()) > first + 3,
                () -> "it is renewed");
        assertFalse(turn.turn().over().isPresent());
        turn.finish();
        assertTrue(turn.turn().over().isPresent());
        assertEquals(
                FailureKind.UNAVAILABLE,
                failure(turn.turn().store().put(BOOKS, document("late", "x")))
                        .failed()
                        .kind());
        assertEquals("0", count("document"));
    }

    @Test
    void whoseTurnIsOverChangesNothing() {
        HeldTurn first = begin(one, BOOKS);
        StoredDocument stored =
                await(first.turn().store().put(BOOKS, document("a", "first"))).document();
        expire();
        // Nobody has taken it over yet, and still nothing is written.
        assertEquals(
                FailureKind.UNAVAILABLE,
                failure(first.turn().store().put(BOOKS, document("b", "x")))
                        .failed()
                        .kind());
        HeldTurn second = begin(two, BOOKS);
        await(second.turn().store().put(BOOKS, document("a", "second")));
        String before = postgres.sql("SELECT position, operation FROM " + schema + ".library WHERE live");
        for (Future<?> change : java.util.List.<Future<?>>of(
                first.turn().store().put(BOOKS, document("c", "x")),
                first.turn().store().put(Namespace.of("elsewhere"), document("c", "x")),
                first.turn().store().delete(java.util.List.of(BOOKS), stored.id()),
                first.turn().store().drop(BOOKS))) {
            ToolException failed = failure(change);
            assertEquals(FailureKind.UNAVAILABLE, failed.failed().kind());
            assertTrue(
                    failed.failed().message().contains("did not answer for a while"),
                    failed.failed().message());
        }
        assertEquals(before, postgres.sql("SELECT position, operation FROM " + schema + ".library WHERE live"));
        assertTrue(first.turn().over().isPresent());
        first.finish();
        assertFalse(second.turn().over().isPresent(), "the end of the first is not that of the second");
        await(second.turn().store().put(BOOKS, document("d", "still second")));
        second.finish();
    }

    /** The check before a transaction's changes must hold until its commit. */
    @Test
    void nobodyTakesOverWhileAChangeIsBeingMade() throws Exception {
        HeldTurn first = begin(one, BOOKS);
        await(first.turn().store().put(BOOKS, document("a", "first")));
        try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
            var blocked = threads.submit(() ->
                    postgres.sql("BEGIN; SELECT 1 FROM " + schema + ".library FOR UPDATE; SELECT pg_sleep(4); COMMIT"));
            waitsFor(
                    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(4)%' AND wait_event = 'PgSleep'",
                    "1");
            Future<?> change = first.turn().store().put(BOOKS, document("b", "while the lease ends"));
            waitsFor("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'", "1");
            expire();
            Future<Boolean> second = two.store()
                    .alone(BOOKS, LONG, turn -> turn.store().find(BOOKS, "b").map(found -> found.isPresent()));
            assertThrows(TimeoutException.class, () -> second.await(1, TimeUnit.SECONDS));
            assertFalse(change.isComplete());
            await(change);
            assertTrue(await(second), "what was committed before the turn began is seen in it");
            blocked.get(30, TimeUnit.SECONDS);
        }
        first.finish();
    }

    private void waitsFor(String query, String result) {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> postgres.sql(query).strip().equals(result),
                () -> query + " gives " + postgres.sql(query));
    }

    /** As an update whose folder is on a server that does not answer. */
    @Test
    void aTurnWhoseWorkHangsEndsWithItsCall() {
        Promise<StoreTurn> begun = Promise.promise();
        Promise<Void> never = Promise.promise();
        Future<Void> hangs = one.store().alone(BOOKS, Lifetime.within(Duration.ofSeconds(3)), turn -> {
            begun.complete(turn);
            return never.future();
        });
        StoreTurn turn = await(begun.future());
        HeldTurn next = begin(two, BOOKS);
        assertTrue(turn.over().orElseThrow().contains("The time of this call was over"));
        assertEquals(
                FailureKind.UNAVAILABLE,
                failure(turn.store().put(BOOKS, document("a", "x"))).failed().kind());
        next.finish();
        never.complete();
        await(hangs);
    }

    /** A gateway that stops has turns whose work did not end in time. */
    @Test
    void aStoreThatIsClosedGivesItsTurnsBack() {
        HeldTurn turn = begin(one, BOOKS);
        one.restart(() -> assertEquals(
                "0",
                postgres.sql("SELECT count(*) FROM " + schema + ".job WHERE until > now()")
                        .strip(),
                "its turn is over, or its row removed already"));
        assertTrue(turn.turn().over().orElseThrow().contains("is being stopped"));
        begin(two, BOOKS).finish();
        turn.finish();
    }

    @Test
    void whoWaitsForATurnGoesOnWaitingWhileTheDatabaseIsAwayForAMoment() {
        HeldTurn first = begin(one, BOOKS);
        Future<String> second = two.store().alone(BOOKS, LONG, _ -> Future.succeededFuture("done"));
        assertThrows(TimeoutException.class, () -> second.await(1, TimeUnit.SECONDS));
        postgres.sql("ALTER TABLE " + schema + ".job RENAME TO job_away");
        try {
            assertThrows(TimeoutException.class, () -> second.await(2, TimeUnit.SECONDS));
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(two.store().alone(Namespace.of("others"), LONG, _ -> Future.succeededFuture()))
                            .failed()
                            .kind(),
                    "who asks for the first time is told");
        } finally {
            postgres.sql("ALTER TABLE " + schema + ".job_away RENAME TO job");
        }
        first.finish();
        assertEquals("done", await(second));
    }

    /** Between two turns of a node there is no time for another one to ask, if the next call waits for the end of the one before. */
    @Test
    void aNodeWithOneTurnAfterTheOtherLetsOthersHaveOne() {
        AtomicBoolean stop = new AtomicBoolean();
        Promise<Void> begun = Promise.promise();
        Future<Void> busy = again(stop, begun);
        await(begun.future());
        assertEquals("done", await(two.store().alone(BOOKS, LONG, _ -> Future.succeededFuture("done"))));
        stop.set(true);
        await(busy);
    }

    /** Turns of a second and a half. */
    private Future<Void> again(AtomicBoolean stop, Promise<Void> begun) {
        return one.store()
                .alone(BOOKS, LONG, turn -> {
                    begun.tryComplete();
                    return Future.future(work -> CompletableFuture.delayedExecutor(1_500, TimeUnit.MILLISECONDS)
                            .execute(work::complete));
                })
                .compose(_ -> stop.get() ? Future.succeededFuture() : again(stop, begun));
    }

    @Test
    void aTurnOfAStoppedDatabaseIsOver() {
        HeldTurn turn = begin(one, BOOKS);
        postgres.sql("ALTER TABLE " + schema + ".job RENAME TO job_away");
        try {
            assertEquals(
                    FailureKind.UNAVAILABLE,
                    failure(turn.turn().store().put(BOOKS, document("a", "x")))
                            .failed()
                            .kind());
            assertTrue(turn.turn().over().orElseThrow().contains("can't be reached"));
        } finally {
            postgres.sql("ALTER TABLE " + schema + ".job_away RENAME TO job");
        }
        turn.finish();
    }
}
