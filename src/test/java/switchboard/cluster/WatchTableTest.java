package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.cluster.DocumentTables.LookEnd;
import switchboard.cluster.WatchTable.WatchHead;
import switchboard.cluster.WatchTable.WatchLook;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.testing.PostgresCluster;

/** Looks at standing questions in a real database. */
@Tag("engines")
class WatchTableTest {
    private static final String SCHEMA = "looks";

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    private final Vertx vertx = Vertx.vertx();
    private ClusterDatabase database;
    private WatchTable table;

    @BeforeEach
    void open() throws Exception {
        ClusterConfig config = new ClusterConfig(Secret.of(postgres.url()), null, null, null, SCHEMA, null, 4);
        new Migrations(ClusterServers.direct(config).jdbc(), SCHEMA).run();
        postgres.sql("DELETE FROM looks.watch");
        database = new ClusterDatabase(
                vertx, ClusterServers.ofStatements(config), 4, Clock.systemUTC(), ClusterDatabaseTest.UNHURRIED);
        table = new WatchTable(database, '"' + SCHEMA + '"', "node", () -> true);
    }

    @AfterEach
    void close() throws Exception {
        await(database.close());
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.await(60, TimeUnit.SECONDS);
    }

    /** The URIs of a look that begins with {@code first}, as often as they are there. */
    private List<String> uris(WatchLook first) throws Exception {
        List<String> all = new ArrayList<>();
        WatchLook page = first;
        while (page != null) {
            assertTrue(page.heads().size() <= 1000, "a page is read at once");
            page.heads().stream().map(WatchHead::uri).forEach(all::add);
            page = await(table.after(page)).orElse(null);
        }
        return all;
    }

    @Test
    void manyComeInPagesEachOnceAndThenOnlyWhatHasChanged() throws Exception {
        postgres.sql("INSERT INTO looks.watch (uri, team, body, node) SELECT 'watch://' || i, 't', '{}', 'other'"
                + " FROM generate_series(1, 2500) i");
        WatchLook first = await(table.look(LookEnd.NOTHING));
        List<String> all = uris(first);
        assertEquals(2500, all.size());
        assertEquals(2500, new TreeSet<>(all).size());
        assertEquals(List.of(), uris(await(table.look(first.next()))));
        await(table.touch("watch://7"));
        await(table.end("watch://2000"));
        assertEquals(Set.of("watch://7", "watch://2000"), new TreeSet<>(uris(await(table.look(first.next())))));
    }

    @Test
    void whatIsChangedBetweenPagesIsInALaterOneOrInTheNextLook() throws Exception {
        postgres.sql("INSERT INTO looks.watch (uri, team, body, node) SELECT 'watch://' || i, 't', '{}', 'other'"
                + " FROM generate_series(1, 2500) i");
        WatchLook first = await(table.look(LookEnd.NOTHING));
        String seen = first.heads().getFirst().uri();
        Set<String> unseen = new TreeSet<>(uris(await(table.look(LookEnd.NOTHING))));
        first.heads().forEach(head -> unseen.remove(head.uri()));
        String other = unseen.iterator().next();
        await(table.touch(seen));
        await(table.touch(other));
        List<String> rest = uris(first);
        assertTrue(rest.containsAll(unseen), "none is left out");
        assertTrue(uris(await(table.look(first.next()))).containsAll(List.of(seen, other)));
    }

    @Test
    void whatIsWrittenLateByAnOlderTransactionIsFound() throws Exception {
        postgres.sql("INSERT INTO looks.watch (uri, team, body, node) VALUES ('watch://slow', 't', '{}', 'other')");
        Future<Void> slow = database.run(connection -> connection
                .query("UPDATE looks.watch SET revision = 2, touched = pg_current_xact_id() WHERE uri = 'watch://slow'")
                .execute()
                .compose(_ -> connection.query("SELECT pg_sleep(1)").execute())
                .mapEmpty());
        WatchLook before;
        do { // until the slow one is under way
            await(table.add("watch://fast" + System.nanoTime(), "t", new byte[] {'{', '}'}, 10_000));
            before = await(table.look(LookEnd.NOTHING));
        } while (!slow.isComplete()
                && postgres.sql("SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(1)'")
                        .strip()
                        .equals("0"));
        WatchLook during = await(table.look(before.next()));
        await(slow);
        List<WatchHead> found = await(table.look(during.next())).heads();
        assertTrue(
                found.stream().anyMatch(head -> head.uri().equals("watch://slow") && head.revision() == 2),
                found::toString);
    }

    @Test
    void aQuestionIsTakenOverOnceAndNotAfterItsEnd() throws Exception {
        byte[] body = {'{', '}'};
        await(table.takeOver("watch://former", "t", body));
        await(table.touch("watch://former"));
        await(table.takeOver("watch://former", "t", new byte[] {'[', ']'}));
        assertEquals("2 {}", postgres.sql("SELECT revision || ' ' || convert_from(body, 'UTF8') FROM looks.watch"));
        await(table.end("watch://former"));
        await(table.takeOver("watch://former", "t", body));
        assertEquals("0", postgres.sql("SELECT count(*) FROM looks.watch WHERE body IS NOT NULL"));
    }
}
