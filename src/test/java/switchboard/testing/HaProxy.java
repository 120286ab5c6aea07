package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real HAProxy. The program is the installed one, or that of the Debian package, unpacked into the cache folder; a machine
 * that has neither it nor apt fails the test by name.
 */
public final class HaProxy implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/sbin/haproxy");

    private final Process process;
    private final Path log;
    private final URI url;

    private HaProxy(Process process, Path log, URI url) {
        this.process = process;
        this.log = log;
        this.url = url;
    }

    /** What HAProxy says of a configuration file; fails the test if it refuses it. */
    public static String check(Path configuration) throws IOException {
        return Programs.run(command("-c", "-f", configuration.toString()), null);
    }

    /** Starts one with {@code configuration}, which binds the loopback address at {@code url}. */
    public static HaProxy start(Path configuration, URI url) throws IOException {
        Path log = configuration.resolveSibling("haproxy.log");
        Process process = new ProcessBuilder(command("-db", "-f", configuration.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        HaProxy proxy = new HaProxy(process, log, url);
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> !process.isAlive() || proxy.answers(),
                () -> "haproxy listens\n" + proxy.log());
        if (!process.isAlive()) {
            throw new AssertionError("haproxy ended: " + proxy.log());
        }
        return proxy;
    }

    /** One on {@code port} with {@code docs/compose-haproxy.cfg} before {@code replicas}, each of whose requests goes to the next one. */
    public static HaProxy roundRobin(ReplicaProcesses replicas, int port, Path folder) throws IOException {
        String text = Files.readString(Path.of("docs", "compose-haproxy.cfg"));
        String servers = text.substring(text.indexOf("  server gateway1"));
        StringBuilder own = new StringBuilder();
        for (int index = 0; index < replicas.count(); index++) {
            own.append("  server replica%d 127.0.0.1:%d port %d%n"
                    .formatted(index, replicas.port(index), replicas.managementPort(index)));
        }
        String configuration = text.replace(servers, own)
                .replace("bind :8080", "bind 127.0.0.1:" + port)
                .replace("balance hdr(Mcp-Session-Id)", "balance roundrobin")
                .replace("  hash-type consistent\n", "")
                .replace(" resolvers docker init-addr last,libc,none", "");
        return start(
                Files.writeString(folder.resolve("haproxy.cfg"), configuration),
                URI.create("http://127.0.0.1:" + port + "/mcp"));
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), url.getPort())) {
            return socket.isConnected();
        } catch (IOException _) {
            return false;
        }
    }

    private static List<String> command(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(INSTALLED)) {
            command.add(INSTALLED.toString());
        } else {
            Path unpacked = DebianPackage.unpacked("haproxy", "lib(lua5.3-0|opentracing-c-wrapper0)");
            String libraries = DebianPackage.libraries(unpacked) + ":"
                    + DebianPackage.libraries(DebianPackage.unpacked("libopentracing1", ""));
            command.addAll(List.of(
                    "env",
                    "LD_LIBRARY_PATH=" + libraries,
                    unpacked.resolve("usr/sbin/haproxy").toString()));
        }
        command.addAll(List.of(arguments));
        return command;
    }

    /** Where it listens. */
    public URI url() {
        return url;
    }

    /** What it has said so far, such as which servers are up. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                Programs.end(process);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
