package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.cluster.ClusterUnavailableException.NotDone;
import switchboard.config.ClusterConfig;
import switchboard.config.Secret;
import switchboard.testing.PostgresCluster;

/** What comes too late from a real database. */
@Tag("engines")
class ClusterDatabaseTest {
    /** The time limit of tests that are not about it, as a busy machine may take seconds for a connection. */
    static final Duration UNHURRIED = Duration.ofSeconds(30);

    private static final Duration SHORT = Duration.ofMillis(700);
    private static final Duration LONG = Duration.ofSeconds(60);

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    private final Vertx vertx = Vertx.vertx();
    private ClusterDatabase database;

    @BeforeEach
    void open() throws Exception {
        ClusterConfig config = new ClusterConfig(Secret.of(postgres.url()), null, null, null, "late", null, 2);
        database = new ClusterDatabase(vertx, ClusterServers.ofStatements(config), 2, Clock.systemUTC());
        Future.all(one(LONG), one(LONG)).await(60, TimeUnit.SECONDS); // two connections
    }

    @AfterEach
    void close() throws Exception {
        database.close().await(60, TimeUnit.SECONDS);
        vertx.close().await(60, TimeUnit.SECONDS);
    }

    private Future<Integer> one(Duration most) {
        return asked("SELECT 1 FROM pg_sleep(0.05)", most);
    }

    private Future<Integer> late() {
        return asked("SELECT 1 FROM pg_sleep(4)", SHORT);
    }

    private Future<Integer> asked(String sql, Duration most) {
        return database.read(
                connection -> connection.query(sql).execute().map(rows -> rows.iterator()
                        .next()
                        .getInteger(0)),
                most);
    }

    private static NotDone reason(Future<?> failed) {
        return assertThrows(ClusterUnavailableException.class, () -> failed.await(60, TimeUnit.SECONDS))
                .reason();
    }

    @Test
    void aStatementThatIsLateKeepsNobodyElseFromTheDatabase() throws Exception {
        Future<Integer> late = late();
        assertEquals(1, one(LONG).await(60, TimeUnit.SECONDS), "others are answered meanwhile");
        assertEquals(NotDone.LATE, reason(late));
        assertEquals(1, one(LONG).await(60, TimeUnit.SECONDS), "and right after it");
    }

    @Test
    void whoFindsNoFreeConnectionIsToldThatThereIsMuchToDo() throws Exception {
        Future<Integer> first = asked("SELECT 1 FROM pg_sleep(6)", LONG);
        Future<Integer> second = asked("SELECT 1 FROM pg_sleep(1)", LONG);
        Future<Integer> third = asked("SELECT 1 FROM pg_sleep(6)", LONG);
        assertEquals(NotDone.BUSY, reason(one(LONG)));
        assertEquals(1, second.await(60, TimeUnit.SECONDS));
        Future.all(first, third).await(60, TimeUnit.SECONDS);
    }

    @Test
    void aServerThatAnswersNothingIsLeftAloneForAMoment() {
        assertEquals(NotDone.LATE, reason(late()));
        assertEquals(NotDone.UNREACHED, reason(one(LONG)));
    }
}
