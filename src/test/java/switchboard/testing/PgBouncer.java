package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A real PgBouncer in transaction mode before a test's PostgreSQL. It knows no start-up parameters but its own few, as it
 * comes. The program is the installed one, or that of the Debian package, unpacked into the cache folder; a machine
 * that has neither it nor apt fails the test by name.
 */
public final class PgBouncer implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/sbin/pgbouncer");

    private final Process process;
    private final Path folder;
    private final int port;

    private PgBouncer(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /**
     * Starts one before the server on {@code serverPort}.
     *
     * @param connections to the server, for each database and role
     * @param roles who may come, without a password
     */
    public static PgBouncer start(int serverPort, int connections, String... roles) {
        return start(serverPort, freePort(), connections, List.of("pool_mode = transaction"), List.of(roles));
    }

    /** One in session mode: a client has a server connection to itself until it leaves. */
    public static PgBouncer startSessions(int serverPort, String... roles) {
        return start(serverPort, freePort(), 16, List.of("pool_mode = session"), List.of(roles));
    }

    /** One that only talks TLS, with {@code certificate}. */
    public static PgBouncer startTls(int serverPort, ServerCertificate certificate, String... roles) {
        return startTls(serverPort, freePort(), certificate, roles);
    }

    /** The same on {@code port}. */
    public static PgBouncer startTls(int serverPort, int port, ServerCertificate certificate, String... roles) {
        return start(
                serverPort,
                port,
                4,
                List.of(
                        "pool_mode = transaction",
                        "client_tls_sslmode = require",
                        "client_tls_cert_file = " + certificate.certificate(),
                        "client_tls_key_file = " + certificate.key()),
                List.of(roles));
    }

    private static int freePort() {
        try {
            return Programs.freePort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PgBouncer start(
            int serverPort, int port, int connections, List<String> settings, List<String> roles) {
        try {
            Path folder = Files.createTempDirectory("switchboard-pgbouncer-");
            Files.writeString(folder.resolve("pgbouncer.ini"), """
                    [databases]
                    * = host=127.0.0.1 port=%d
                    [pgbouncer]
                    listen_addr = 127.0.0.1
                    listen_port = %d
                    unix_socket_dir =
                    auth_type = trust
                    auth_file = %s
                    default_pool_size = %d
                    max_client_conn = 300
                    %s
                    """.formatted(
                            serverPort, port, folder.resolve("users"), connections, String.join("\n", settings)));
            Files.writeString(
                    folder.resolve("users"),
                    roles.stream().map(role -> "\"" + role + "\" \"\"\n").collect(Collectors.joining()));
            Programs.run(List.of("chmod", "-R", "a+rX", folder.toString()), null);
            Process process = launch(folder);
            PgBouncer bouncer = new PgBouncer(process, folder, port);
            Eventually.within(Eventually.OF_A_PROCESS, bouncer::answers, () -> "pgbouncer listens\n" + bouncer.log());
            return bouncer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process launch(Path folder) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("env", "LD_LIBRARY_PATH=" + libraries(), program().toString()));
        command.add(folder.resolve("pgbouncer.ini").toString());
        return new ProcessBuilder(Programs.asServer(command))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private static Path program() throws IOException {
        return Files.isExecutable(INSTALLED) ? INSTALLED : unpacked().resolve("usr/sbin/pgbouncer");
    }

    private static String libraries() throws IOException {
        if (Files.isExecutable(INSTALLED)) {
            return "";
        }
        return DebianPackage.libraries(unpacked());
    }

    /** The package and the two libraries of its that a plain system lacks. */
    private static Path unpacked() throws IOException {
        return DebianPackage.unpacked("pgbouncer", "lib(c-ares|cares|event).*");
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException _) {
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The port on 127.0.0.1. */
    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                Programs.end(process);
            }
            Programs.delete(folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
