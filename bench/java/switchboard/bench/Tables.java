package switchboard.bench;

import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;

/** What the databases of the benchmarks hold: the same at every run. */
final class Tables {
    static final int ITEMS = 10_000;
    static final int VECTORS = 100_000;
    static final int DIMENSION = 384;

    /** The statement of a point read, with the database's own parameter. */
    static final String POINT_READ = "SELECT id, name, price, stock FROM items WHERE id = $1";
    /** The statement of a search by vector. */
    static final String NEAREST = "SELECT id, content, embedding <=> $1::vector AS distance FROM passages"
            + " ORDER BY embedding <=> $1::vector LIMIT 10";

    private static final int CLUSTERS = 1_000;
    private static final double SPREAD = 0.05;

    private Tables() {}

    /** The SQL that makes the rows to read. */
    static String items() {
        return """
                CREATE TABLE items (id bigint PRIMARY KEY, name text NOT NULL, price numeric(10,2) NOT NULL, stock integer NOT NULL);
                INSERT INTO items SELECT n, 'item number ' || n, n * 0.37, n %% 91 FROM generate_series(1, %d) n;
                ANALYZE items;
                """.formatted(ITEMS);
    }

    /** The SQL that makes so many vectors, around a thousand centres, and their graph. */
    static String passages(int count) {
        return """
                CREATE EXTENSION IF NOT EXISTS vector;
                SELECT setseed(0.25);
                CREATE TABLE passages (id bigint PRIMARY KEY, content text NOT NULL, embedding vector(%1$d) NOT NULL);
                CREATE TEMP TABLE centres AS SELECT c, array_agg(random() - 0.5 ORDER BY d) AS v
                  FROM generate_series(0, %2$d - 1) c, generate_series(1, %1$d) d GROUP BY c ORDER BY c;
                CREATE INDEX ON centres (c);
                INSERT INTO passages SELECT n, 'passage number ' || n,
                    (SELECT array_agg(x + (random() - 0.5) * %3$s) FROM unnest(v) x)::vector
                  FROM generate_series(1, %4$d) n JOIN centres ON c = n %% %2$d;
                SET maintenance_work_mem = '512MB';
                CREATE INDEX passages_nearest ON passages USING hnsw (embedding vector_cosine_ops);
                ANALYZE passages;
                """.formatted(DIMENSION, CLUSTERS, String.format(Locale.ROOT, "%.2f", 2 * SPREAD), count);
    }

    /** A vector to search for, as pgvector reads it. */
    static String query() {
        Random random = new Random(7);
        StringJoiner text = new StringJoiner(",", "[", "]");
        for (int i = 0; i < DIMENSION; i++) {
            text.add(String.format(Locale.ROOT, "%.4f", random.nextDouble() - 0.5));
        }
        return text.toString();
    }
}
