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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;

/** {@code doctor} and {@code reindex} where gateways share documents, with and without one that runs on the data folder. */
@Tag("engines")
class SharedCommandsTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    static Path folder;

    private static Replicas replicas;

    @BeforeAll
    static void start() {
        replicas = new Replicas(
                postgres,
                "commands",
                folder,
                SharedDocumentsTest.SHARED.replace("shared }", "shared, warm: [\"w*\"] }"));
    }

    @AfterAll
    static void stop() {
        replicas.close();
    }

    private static void contains(String printed, String... parts) {
        for (String part : parts) {
            assertTrue(printed.contains(part), () -> part + " in: " + printed);
        }
    }

    private static String doctor(int index) {
        return replicas.command(index, "doctor", "--port=0", "--management-port=0");
    }

    @Test
    void doctorShowsHowFarFilesAre() {
        ok(ingest(client(replicas, 0), "warm", "a", "heron one"));
        ok(ingest(client(replicas, 0), "used", "b", "heron two"));
        String running = doctor(0);
        contains(
                running,
                "ok   library \"warm\" follows: has all changes of the shared database, 1\n",
                "ok   library \"used\" follows: has all changes of the shared database, 1\n",
                "ok   library \"used\": 1 documents, all files intact");
        contains(doctor(1), "ok   library \"used\" follows: no files yet: the first call that uses it builds them");
        String metrics = replicas.gateway(0).management("/metrics").body();
        contains(
                metrics,
                "switchboard_store_behind{store=\"library\"} 0.0",
                "switchboard_store_lag_seconds{store=\"library\"} 0.0");
        assertEquals(List.of("b"), sources(search(client(replicas, 1), "two")));
        contains(doctor(1), "ok   library \"used\" follows: has all changes of the shared database, 1\n");

        replicas.gateway(2).close();
        try {
            contains(doctor(2), "library \"warm\" follows: ");
            contains(
                    replicas.command(2, "reindex", "--backend=library"),
                    "library: It has no embedder, so there are no");
        } finally {
            replicas.gateway(2).restart();
        }
        contains(replicas.command(0, "reindex", "--backend=library"), "library: It has no embedder, so there are no");
    }
}
