package switchboard.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import switchboard.testing.NodeTools;
import switchboard.testing.PostgresCluster;
import switchboard.testing.Replicas;

/** The official suite against three replicas, each request to the next one. */
@Tag("engines")
class SharedConformanceTest {
    @RegisterExtension
    static PostgresCluster postgres = new PostgresCluster();

    @TempDir
    private Path folder;

    @Test
    void theRequirementsAreMetBehindALoadBalancer() {
        NodeTools tools = NodeTools.install();
        try (Replicas replicas = new Replicas(postgres, "conformance", folder, """
                views:
                  conformance: { backends: [fixture, vectordb] }
                """)) {
            NodeTools.Run run = tools.run(
                    "sh",
                    "run-on-node20.sh",
                    "server",
                    "--url",
                    replicas.url("conformance").toString(),
                    "--requirements",
                    "2025-11-25");
            assertEquals(0, run.exit(), run.output());
        }
    }
}
