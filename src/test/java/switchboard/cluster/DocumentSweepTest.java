package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.Json;
import switchboard.replica.ReplicaNode;
import switchboard.store.Chunk;
import switchboard.store.DocumentDetails;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;

/** Rows that nobody needs any more are removed. */
@Tag("engines")
class DocumentSweepTest {
    private static final Namespace GONE = Namespace.of("gone");
    private static final Namespace KEPT = Namespace.of("kept");

    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    private static NewDocument document(String source) {
        DocumentDetails details = new DocumentDetails(source, source, "txt", null, "h", Json.object());
        return new NewDocument(details, "text", null, List.of(Chunk.of(0, 4)));
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.await(60, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("nothing came for a minute", e);
        }
    }

    private static String count(String what) {
        return postgres.sql("SELECT count(*) FROM sweeps." + what);
    }

    @Test
    void droppedLibrariesAndOldChangesGo() {
        try (ReplicaNode node = new ReplicaNode(postgres, "sweeps", folder.resolve("n")).joined()) {
            List<Future<?>> puts = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                puts.add(node.store().put(GONE, document("s" + i)));
            }
            for (int i = 0; i < 5; i++) {
                puts.add(node.store().put(KEPT, document("s" + i)));
            }
            puts.forEach(DocumentSweepTest::await);
            await(node.store().drop(GONE));
            postgres.sql("UPDATE sweeps.change SET created = now() - interval '8 days' WHERE position <> 2;"
                    + "UPDATE sweeps.library SET changed = now() - interval '2 hours' WHERE NOT live");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> {
                        node.cluster().documents().sweep();
                        return count("library").equals("1") && count("change").equals("2");
                    },
                    () -> "libraries " + count("library") + ", changes " + count("change"));
            assertEquals("5", count("document"));
            assertEquals(
                    "2,5", postgres.sql("SELECT string_agg(position::text, ',' ORDER BY position) FROM sweeps.change"));
            node.restart(() -> {});
            assertEquals(Optional.of("s3"), await(node.fresh().find(KEPT, "s3")).map(found -> found.source()));
        }
    }
}
