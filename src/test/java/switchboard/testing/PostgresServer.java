package switchboard.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A PostgreSQL server on a port of its own; closed by JUnit when the last test is done, if a run's tests share it. */
final class PostgresServer implements AutoCloseable {
    private final PostgresBinaries programs;
    private final Path data;
    private final int port;
    private volatile boolean up;

    private PostgresServer(PostgresBinaries programs, Path data, int port) {
        this.programs = programs;
        this.data = data;
        this.port = port;
    }

    /** One of the version that tests have. */
    static PostgresServer start() {
        try {
            return in(Files.createTempDirectory("switchboard-postgres-"), PostgresBinaries.ofWheel());
        } catch (IOException e) {
            throw new AssertionError("PostgreSQL for tests can't be set up: " + e, e);
        }
    }

    /** One of Debian's. */
    static PostgresServer ofDebian() {
        try {
            return in(Files.createTempDirectory("switchboard-postgres-"), PostgresBinaries.ofDebian());
        } catch (IOException e) {
            throw new AssertionError("Debian's PostgreSQL can't be set up", e);
        }
    }

    /** The same as {@link #start}, whose data are in {@code folder}, or will be. */
    static PostgresServer in(Path folder) {
        try {
            return in(folder, PostgresBinaries.ofWheel());
        } catch (IOException e) {
            throw new AssertionError("PostgreSQL for tests can't be set up: " + e, e);
        }
    }

    private static PostgresServer in(Path folder, PostgresBinaries programs) {
        try {
            PostgresServer server = new PostgresServer(programs, folder.resolve("cluster"), Programs.freePort());
            if (Files.notExists(folder.resolve("switchboard.conf"))) {
                server.init();
            } else {
                server.stopOfEarlierRun();
            }
            server.up();
            return server;
        } catch (IOException e) {
            throw new AssertionError("PostgreSQL for tests can't be set up: " + e, e);
        }
    }

    /** A copy of {@code primary} that follows it. */
    static PostgresServer standby(PostgresServer primary) {
        try {
            Path folder = Files.createTempDirectory("switchboard-standby-");
            Programs.giveToServer(folder);
            PostgresServer copy = new PostgresServer(primary.programs, folder.resolve("cluster"), Programs.freePort());
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
            throw new AssertionError("no standby: " + e, e);
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
                        "sh",
                        "-c",
                        String.join(" ", programs.command("pg_ctl")) + " stop -s -w -m fast -D " + data
                                + " 2>&1 || true")),
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

    /** The port on 127.0.0.1. */
    int port() {
        return port;
    }

    String psql(String database, String sql) {
        return Programs.run(
                programs.command(
                        "psql",
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
                    programs.command(
                            "pg_dump",
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
        Programs.run(Programs.asServer(programs.command(program, arguments)), null);
    }
}
