package switchboard.backend.postgres;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import switchboard.testing.PostgresCluster;
import switchboard.testing.SeedExamples;
import switchboard.testing.SeedTable;
import switchboard.testing.TestGateway;

/** The examples of the documentation of pgEdge's server, on a real PostgreSQL. */
@Tag("engines")
class SeedTableTest {
    @RegisterExtension
    static final PostgresCluster CLUSTER = new PostgresCluster();

    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        String reader = PostgresFixture.seedTables(CLUSTER);
        gateway = TestGateway.start("""
            backends:
              postgres:
                type: postgres
                connection: {host: 127.0.0.1, port: %d, database: %s, user: %s}
            """.formatted(CLUSTER.port(), CLUSTER.database(), reader));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @TestFactory
    Stream<DynamicTest> examples() {
        return new SeedExamples("postgres", "", Map.of()).tests(SeedTable.read().inOrder("pgedge"), _ -> gateway);
    }
}
