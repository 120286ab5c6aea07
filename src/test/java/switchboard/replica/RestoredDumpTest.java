package switchboard.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.replica.ReplicaNode.await;
import static switchboard.replica.ReplicatedStoreTest.BOOKS;
import static switchboard.replica.ReplicatedStoreTest.document;
import static switchboard.replica.ReplicatedStoreTest.sources;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;

/** What a plain {@code pg_dump} has is restored on another server, whose transactions have smaller numbers. */
@Tag("engines")
class RestoredDumpTest {
    private static final String SCHEMA = "dumped";
    private static final Namespace LATER = Namespace.of("later");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private ReplicaNode node(PostgresCluster server, String name) {
        return new ReplicaNode(server, SCHEMA, folder.resolve(name)).joined();
    }

    @Test
    void gatewaysHaveWhatTheDumpHas() throws IOException {
        postgres.sql("DO $$ BEGIN FOR i IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
        AllowedReaders hr = AllowedReaders.of(List.of("group:hr"));
        StoredDocument before;
        String dump;
        try (ReplicaNode ahead = node(postgres, "ahead");
                ReplicaNode behind = node(postgres, "behind")) {
            for (int i = 0; i < 20; i++) {
                await(ahead.store().put(BOOKS, document("s" + i, "heron 日本語 \u0000 number" + i)));
            }
            assertEquals(20, sources(behind, "heron").size());
            behind.restart(() -> await(ahead.store().put(BOOKS, document("secret", "payroll", hr))));
            before = await(ahead.store().find(BOOKS, "s3")).orElseThrow();
            await(ahead.store()
                    .delete(
                            List.of(BOOKS),
                            await(ahead.store().find(BOOKS, "s4")).orElseThrow().id()));
            await(behind.store().put(Namespace.of("dropped"), document("x", "heron gone")));
            assertTrue(await(ahead.store().drop(Namespace.of("dropped"))));
            dump = postgres.dump();
            await(ahead.store().put(BOOKS, document("s3", "heron that the dump lacks")));
            await(ahead.store().put(BOOKS, document("lost", "heron lost")));
            await(ahead.store().put(LATER, document("lost", "heron lost")));
            assertEquals(21, sources(ahead, "heron").size());
        }
        try (PostgresCluster other = PostgresCluster.alone()) {
            other.sql(dump);
            try (ReplicaNode fresh = node(other, "fresh")) {
                assertEquals(19, sources(fresh, "heron").size());
                // Takes the place of a change that the files of others have.
                await(fresh.store().put(BOOKS, document("new", "heron new")));
                try (ReplicaNode ahead = node(other, "ahead");
                        ReplicaNode behind = node(other, "behind")) {
                    for (ReplicaNode node : List.of(fresh, ahead, behind)) {
                        List<String> found = sources(node, "heron");
                        assertEquals(20, found.size(), found::toString);
                        assertTrue(found.contains("new"), found::toString);
                        assertEquals(List.of(BOOKS), node.store().namespaces());
                        assertEquals(
                                before, await(node.store().find(BOOKS, "s3")).orElseThrow());
                        assertTrue(await(node.store()
                                        .seenBy(new DocumentAccess.ForReaders(Set.of("user:bob")))
                                        .find(BOOKS, "secret"))
                                .isEmpty());
                    }
                    await(behind.store().put(BOOKS, document("more", "heron more")));
                    assertEquals(21, sources(ahead, "heron").size());
                    assertEquals(sources(fresh, "heron"), sources(ahead, "heron"));
                    Eventually.within(
                            Eventually.OF_A_PROCESS,
                            () -> other.sql("SELECT count(*) FROM dumped.library"
                                            + " WHERE touched >= pg_snapshot_xmax(pg_current_snapshot())")
                                    .equals("0"),
                            () -> "looks have to read little again");
                }
            }
        }
    }
}
