package switchboard.bench;

import java.io.IOException;
import java.util.Set;
import switchboard.testing.PostgresCluster;

/** PostgreSQL with pgvector and what {@link Tables} says. */
final class Database implements AutoCloseable {
    private final PostgresCluster cluster;

    private Database(PostgresCluster cluster) {
        this.cluster = cluster;
    }

    /** Starts one with what {@code works} need. */
    static Database start(Set<Work> works) {
        PostgresCluster cluster = PostgresCluster.alone();
        cluster.sql("ALTER SYSTEM SET shared_buffers = '512MB'");
        cluster.kill();
        cluster.restart();
        cluster.sql(Tables.items());
        if (works.contains(Work.W4) || works.contains(Work.W4_SEMANTIC)) {
            System.out.println("making " + Tables.VECTORS + " vectors and their graph");
            cluster.sql(Tables.passages());
        }
        cluster.sql("CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
        return new Database(cluster);
    }

    int port() {
        return cluster.port();
    }

    String name() {
        return cluster.database();
    }

    String user() {
        return "reader";
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
