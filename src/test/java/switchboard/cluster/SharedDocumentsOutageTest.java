package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.cluster.SharedDocumentsTest.client;
import static switchboard.cluster.SharedDocumentsTest.ingest;
import static switchboard.cluster.SharedDocumentsTest.ok;
import static switchboard.cluster.SharedDocumentsTest.search;
import static switchboard.cluster.SharedDocumentsTest.sources;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.Eventually;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;
import switchboard.testing.ToolResult;

/** The database goes and comes back while gateways share documents. */
@Tag("engines")
class SharedDocumentsOutageTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    @Test
    void searchesGoOnAndSaySoAndWritesAreRefused() {
        try (Replicas replicas = new Replicas(postgres, "outage", folder, SharedDocumentsTest.SHARED)) {
            ok(ingest(client(replicas, 0), "kept", "one", "pelican one"));
            for (int index = 0; index < 3; index++) {
                assertEquals(List.of("one"), sources(search(client(replicas, index), "pelican")));
            }
            postgres.kill();
            try {
                for (int index = 0; index < 3; index++) {
                    var found = search(client(replicas, index), "pelican");
                    assertEquals(List.of("one"), sources(found));
                    assertTrue(
                            found.path("reason").asText().contains("can't be reached: this is as of 20"),
                            found::toString);
                    ToolResult refused = ingest(client(replicas, index), "kept", "two", "pelican two");
                    assertEquals("UNAVAILABLE", refused.errorKind(), refused::toString);
                }
            } finally {
                postgres.restart();
            }
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> !ingest(client(replicas, 1), "kept", "three", "pelican three")
                            .isError(),
                    () -> "changes are made again");
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> !search(client(replicas, 2), "pelican")
                            .path("reason")
                            .asText()
                            .contains("can't be reached"),
                    () -> "it says nothing of an outage any more");
            assertEquals(
                    List.of("one", "three"),
                    sources(search(client(replicas, 2), "pelican")).stream()
                            .sorted()
                            .toList());
        }
    }
}
