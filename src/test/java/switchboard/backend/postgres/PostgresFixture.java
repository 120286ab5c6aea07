package switchboard.backend.postgres;

import com.github.benmanes.caffeine.cache.Ticker;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.backend.BackendServices;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.embed.Embedder;
import switchboard.embed.Embedders;
import switchboard.testing.BackendHarness;
import switchboard.testing.PostgresCluster;

/** A role that only reads, settings, and embedders without a model, for tests on a real server. */
final class PostgresFixture {
    static final PostgresSettings.Pool POOL = new PostgresSettings.Pool(
            4, 200, Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofMinutes(30), false);
    static final PostgresSettings.ResultLimits LIMITS =
            new PostgresSettings.ResultLimits(1000, Size.ofMiB(1), Duration.ofSeconds(20), Duration.ofSeconds(2), 200);
    static final PostgresSettings.Access ACCESS = new PostgresSettings.Access(false, true, List.of(), Map.of(), false);

    private PostgresFixture() {}

    /** Makes the login role that only reads this class's database, as {@code docs/postgres.md} says. */
    static String reader(PostgresCluster cluster) {
        String role = "reader_" + cluster.database();
        cluster.sql("""
                CREATE ROLE %1$s LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 100;
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                GRANT USAGE ON SCHEMA public TO %1$s;
                ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO %1$s;
                """.formatted(role));
        return role;
    }

    static PostgresSettings.Connection connection(PostgresCluster cluster, String user) {
        return connection(cluster, user, cluster.database());
    }

    static PostgresSettings.Connection connection(PostgresCluster cluster, String user, String database) {
        return connection(cluster.port(), user, database);
    }

    static PostgresSettings.Connection connection(int port, String user, String database) {
        return new PostgresSettings.Connection(
                null, "127.0.0.1", port, database, user, Secret.of("hunter2-secret"), null, null);
    }

    static PostgresSettings settings(PostgresCluster cluster, String user) {
        return new PostgresSettings(
                connection(cluster, user), Map.of(), ACCESS, POOL, LIMITS, Embedders.DEFAULT, Map.of(), Map.of());
    }

    static ConnectionProfileFactory targets(Vertx vertx, PostgresSettings settings) {
        return new ConnectionProfileFactory(
                "postgres",
                new BackendServices(vertx, new SimpleMeterRegistry(), Clock.systemUTC(), Path.of("target")),
                settings);
    }

    static BackendHarness start(PostgresSettings settings, @Nullable Embedder embedder) {
        return startWith(settings, embedder == null ? Embedders.none() : only(embedder));
    }

    static BackendHarness startWith(PostgresSettings settings, Embedders embedders) {
        return BackendHarness.start(new PostgresModule(embedders), settings, Path.of("target"));
    }

    /** The same with one embedder, where what is remembered ages by {@code ticker}. */
    static BackendHarness start(PostgresSettings settings, Embedder embedder, Ticker ticker) {
        return BackendHarness.start(new PostgresModule(only(embedder), ticker), settings, Path.of("target"));
    }

    private static Embedders only(Embedder embedder) {
        return new Embedders(Map.of(Embedders.DEFAULT, new Embedders.Named("fake", embedder)), Set.of());
    }

    /** The tables that the examples of pgEdge's documentation are about, and a role that may read them. */
    static String seedTables(PostgresCluster cluster) {
        String reader = reader(cluster);
        cluster.sql("""
                CREATE EXTENSION vector;
                CREATE TABLE users (id bigint PRIMARY KEY, username varchar(255) NOT NULL, created_at timestamptz);
                INSERT INTO users VALUES (123, 'john_doe', now()), (124, 'old', now() - interval '1 year');
                CREATE TABLE documents (id int PRIMARY KEY, title text, embedding vector(384));
                INSERT INTO documents SELECT i, 't' || i, array_fill(i::real, ARRAY[384])::vector FROM generate_series(1, 20) i;
                CREATE TABLE articles (id int PRIMARY KEY, category text, published bool, content_embedding vector(3));
                INSERT INTO articles SELECT i, CASE WHEN i % 2 = 0 THEN 'technology' ELSE 'art' END, i % 3 = 0,
                    ARRAY[i, 1, 1]::vector FROM generate_series(1, 30) i;
                """);
        return reader;
    }
}
