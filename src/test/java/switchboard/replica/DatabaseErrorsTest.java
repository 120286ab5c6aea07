package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.sources;
import static switchboard.replica.ReplicatedStoreTest.words;

import io.vertx.core.Future;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.AllowedReaders;
import switchboard.store.Chunk;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentForm;
import switchboard.store.NewDocument;
import switchboard.store.StoredDocument;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.logs.AsksForErrors;

/** What a change is told when the shared database answers, but not as it should: no outage, and not that it can't be reached. */
@Tag("engines")
class DatabaseErrorsTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private ReplicaNode node;
    private String schema = "";

    @BeforeEach
    void start(TestInfo test) {
        schema = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        schema = schema.substring(0, Math.min(40, schema.length()));
        node = new ReplicaNode(postgres, schema, folder.resolve("node")).joined();
        await(node.store().put(BOOKS, document("a", "heron one")));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String sql(String statements) {
        return postgres.sql(statements.replace("$", schema)).strip();
    }

    private static ToolReply.Failed failed(Future<?> change) {
        return assertThrows(ToolException.class, () -> await(change)).failed();
    }

    /** The database is not taken for one that is away: reads say nothing, and the next change is made at once. */
    private void noOutage(String next) {
        Eventually.that(() -> node.cluster().up(), () -> node.cluster().detail());
        assertEquals(Optional.empty(), node.search(words("heron")).shortened());
        await(node.store().put(BOOKS, document(next, "heron " + next)));
        assertTrue(sources(node, "heron", BOOKS).contains(next));
    }

    @Test
    void aLibraryThatIsLockedIsBusy() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
            var locked =
                    threads.submit(() -> sql("BEGIN; SELECT 1 FROM $.library FOR UPDATE; SELECT pg_sleep(8); COMMIT"));
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> postgres.sql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(8)%'"
                                    + " AND wait_event = 'PgSleep'")
                            .strip()
                            .equals("1"),
                    () -> "it is locked");
            ToolReply.Failed busy = failed(node.store().put(BOOKS, document("b", "heron two")));
            assertEquals(FailureKind.OVERLOADED, busy.kind());
            assertTrue(busy.message().contains("has too much to do now; nothing was changed"), busy::message);
            locked.get(30, TimeUnit.SECONDS);
        }
        assertEquals(List.of("a"), sources(node, "heron"));
        noOutage("c");
    }

    @Test
    void whatTheDatabaseRefusesIsNoOutage() {
        sql("CREATE FUNCTION $.no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not this one''; END';"
                + " CREATE TRIGGER no BEFORE INSERT ON $.document FOR EACH ROW EXECUTE FUNCTION $.no()");
        ToolReply.Failed refused = failed(node.store().put(BOOKS, document("b", "heron two")));
        assertEquals(FailureKind.UNAVAILABLE, refused.kind());
        assertTrue(refused.message().contains("refused this change, and the gateway's log says why"), refused::message);
        assertFalse(refused.message().contains("not this one"), "the server's words are for the log");
        sql("DROP TRIGGER no ON $.document");
        noOutage("c");
    }

    @Test
    void aDefectIsNoOutage() {
        StoredDocument stored = await(node.store().find(BOOKS, "a")).orElseThrow();
        sql("CREATE TABLE $.kept AS SELECT facts FROM $.document; UPDATE $.document SET facts = '{'");
        DocumentDescription description = new DocumentDescription("t", Json.object(), AllowedReaders.ALL, "");
        Throwable defect = assertThrows(
                Throwable.class, () -> await(node.store().describe(List.of(BOOKS), stored.id(), description)));
        assertInstanceOf(UncheckedIOException.class, defect);
        sql("UPDATE $.document SET facts = (SELECT facts FROM $.kept)");
        assertTrue(await(node.store().describe(List.of(BOOKS), stored.id(), description))
                .isPresent());
        noOutage("c");
    }

    @Test
    void whatIsTooLargeIsRefusedBeforeItIsSent() {
        String text = "heron ".repeat(12_000_000);
        NewDocument small = document("large", "x");
        NewDocument large = new NewDocument(small.details(), text, null, List.of(Chunk.of(0, 100)));
        ToolReply.Failed refused = failed(node.store().put(BOOKS, large));
        assertEquals(FailureKind.INVALID_ARGUMENT, refused.kind());
        assertTrue(
                refused.message().startsWith("The document large has 68 MiB")
                        && refused.message().contains("split it"),
                refused::message);
        assertEquals("1", sql("SELECT count(*) FROM $.change"));
        noOutage("c");
        StoredDocument stored = await(node.store().find(BOOKS, "a")).orElseThrow();
        DocumentForm form =
                new DocumentForm(DocumentForm.factsOf(stored), new byte[0], new byte[0], new byte[65 << 20]);
        ToolException moved = assertThrows(
                ToolException.class, () -> new SharedDocuments(node.cluster().documents(), "docs").check(BOOKS, form));
        assertTrue(moved.failed().message().startsWith("The document a in books has 65 MiB"), moved::toString);
    }

    /** As after a restart of the server that gives the numbers of transactions again that a crash has taken. */
    @AsksForErrors("ClusterDatabase - ")
    @Test
    void aGatewayThatHadNoNoticesComparesAllLibraries() {
        await(node.store().put(BOOKS, document("b", "heron two")));
        assertEquals(List.of("a", "b"), sources(node, "heron"));
        sql("""
                BEGIN;
                DELETE FROM $.document WHERE id NOT IN (SELECT d.id FROM $.document d JOIN $.change c
                  ON c.key = d.key WHERE c.position = 1);
                INSERT INTO $.change (library, position, key, source, kind, operation)
                  SELECT library, 3, key, source, 'delete', '00000000-0000-4000-8000-000000000001' FROM $.change
                  WHERE position = 2;
                UPDATE $.library SET position = 3, operation = '00000000-0000-4000-8000-000000000001', touched = '3';
                COMMIT""");
        sql("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN " + schema + "%'");
        Eventually.that(
                () -> sources(node, "heron").equals(List.of("a")),
                () -> "it has noticed: " + sources(node, "heron") + Map.of("behind", node.behind()));
    }
}
