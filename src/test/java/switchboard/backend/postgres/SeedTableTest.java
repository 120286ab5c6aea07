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
        String reader = PostgresFixture.reader(CLUSTER);
        CLUSTER.sql("""
            CREATE EXTENSION vector;
            CREATE TABLE users (id bigint PRIMARY KEY, username varchar(255) NOT NULL, created_at timestamptz);
            INSERT INTO users VALUES (123, 'john_doe', now()), (124, 'old', now() - interval '1 year');
            CREATE TABLE documents (id int PRIMARY KEY, title text, embedding vector(384));
            INSERT INTO documents SELECT i, 't' || i, array_fill(i::real, ARRAY[384])::vector FROM generate_series(1, 20) i;
            CREATE TABLE articles (id int PRIMARY KEY, category text, published bool, content_embedding vector(3));
            INSERT INTO articles SELECT i, CASE WHEN i % 2 = 0 THEN 'technology' ELSE 'art' END, i % 3 = 0,
                ARRAY[i, 1, 1]::vector FROM generate_series(1, 30) i;
            """);
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
