package switchboard.backend.postgres;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import switchboard.backend.BackendServices;
import switchboard.config.Secret;
import switchboard.config.Size;
import switchboard.embed.EmbedListener;
import switchboard.embed.Embedder;
import switchboard.embed.Embedders;
import switchboard.embed.Readiness;
import switchboard.embed.TokenCounter;
import switchboard.testing.BackendHarness;
import switchboard.testing.PostgresCluster;

/** A role that only reads, settings, and embedders without a model, for tests on a real server. */
final class PostgresFixture {
    static final PostgresSettings.Pool POOL = new PostgresSettings.Pool(
            4, 200, Duration.ofSeconds(20), Duration.ofMinutes(5), Duration.ofMinutes(30), false);
    static final PostgresSettings.Limits LIMITS =
            new PostgresSettings.Limits(1000, Size.ofMiB(1), Duration.ofSeconds(20), Duration.ofSeconds(2), 200);
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

    static TargetFactory targets(Vertx vertx, PostgresSettings settings) {
        return new TargetFactory(
                "postgres",
                new BackendServices(vertx, new SimpleMeterRegistry(), Clock.systemUTC(), Path.of("target")),
                settings);
    }

    static BackendHarness start(PostgresSettings settings, @Nullable Embedder embedder) {
        Embedders embedders = embedder == null
                ? Embedders.none()
                : new Embedders(Map.of(Embedders.DEFAULT, new Embedders.Named("fake", embedder)), Set.of());
        return startWith(settings, embedders);
    }

    static BackendHarness startWith(PostgresSettings settings, Embedders embedders) {
        return BackendHarness.start(new PostgresModule(embedders), settings, Path.of("target"));
    }

    /** Words to numbers: the first letters of a text, so that equal texts have equal vectors. Counts what it is asked. */
    static final class LetterEmbedder implements Embedder {
        private final int dimension;
        private final AtomicInteger asked = new AtomicInteger();

        LetterEmbedder(int dimension) {
            this.dimension = dimension;
        }

        int asked() {
            return asked.get();
        }

        float[] vector(String text) {
            float[] vector = new float[dimension];
            for (int i = 0; i < text.length(); i++) {
                vector[text.charAt(i) % dimension] += 1;
            }
            return vector;
        }

        @Override
        public String model() {
            return "letters";
        }

        @Override
        public int dimension() {
            return dimension;
        }

        @Override
        public int maxTokens() {
            return 512;
        }

        @Override
        public TokenCounter tokens() {
            return text -> new int[0];
        }

        @Override
        public Readiness readiness() {
            return new Readiness.Ready();
        }

        @Override
        public Future<Void> warmUp() {
            return Future.succeededFuture();
        }

        @Override
        public Future<float[]> embedQuery(String text) {
            asked.incrementAndGet();
            return Future.succeededFuture(vector(text));
        }

        @Override
        public Future<List<float[]>> embedDocuments(List<String> texts, EmbedListener listener) {
            List<float[]> vectors = new ArrayList<>();
            texts.forEach(text -> vectors.add(vector(text)));
            return Future.succeededFuture(vectors);
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }
}
