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
        boolean searched = works.contains(Work.W4) || works.contains(Work.W4_SEMANTIC);
        cluster.sql(Tables.passages(searched ? Tables.VECTORS : 0)); // the gateway checks its queries when it starts
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
