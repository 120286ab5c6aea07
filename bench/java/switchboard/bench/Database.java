package switchboard.bench;

import java.io.IOException;
import java.util.Set;
import switchboard.testing.PostgresCluster;

/** PostgreSQL with pgvector and what {@link Tables} says. */
final class Database implements AutoCloseable {
    private static final String BUFFERS = "512MB";

    private final PostgresCluster cluster;

    private Database(PostgresCluster cluster) {
        this.cluster = cluster;
    }

    /** Starts one with what {@code works} need; what an earlier run loaded is still there. */
    static Database start(Set<Work> works) throws IOException {
        PostgresCluster cluster = PostgresCluster.kept(Tools.folder("database"));
        if (!cluster.sql("SHOW shared_buffers").equals(BUFFERS)) {
            cluster.sql("ALTER SYSTEM SET shared_buffers = '" + BUFFERS + "'");
            cluster.kill();
            cluster.restart();
            cluster.sql("CREATE ROLE reader LOGIN");
        }
        Database database = new Database(cluster);
        database.load("items", Tables.ITEMS, Tables.items());
        boolean searched = works.contains(Work.W4);
        // The gateway checks its queries when it starts, so the table must be there.
        int vectors = searched ? Tables.VECTORS : 0;
        database.load("passages", vectors, Tables.passages(vectors));
        return database;
    }

    /** Makes {@code table} by {@code sql} unless it is there with so many rows. */
    private void load(String table, int rows, String sql) {
        boolean there = !cluster.sql("SELECT to_regclass('" + table + "')").isEmpty();
        if (!there || Integer.parseInt(cluster.sql("SELECT count(*) FROM " + table)) < rows) {
            System.err.println("loading " + rows + " " + table + ", once");
            cluster.sql("BEGIN; DROP TABLE IF EXISTS " + table + "; " + sql + " COMMIT;");
            cluster.sql("GRANT SELECT ON " + table + " TO reader");
        }
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
