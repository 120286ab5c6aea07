package switchboard.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, listening on the loopback address. */
final class Server implements AutoCloseable {
    private static final long START_SECONDS = 600;
    private static final long STOP_SECONDS = 30;

    private final String name;
    private final Process process;
    private final int port;
    private final Path log;

    private Server(String name, Process process, int port, Path log) {
        this.name = name;
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** Starts {@code command}, which will listen on {@code port}; does not wait for it. Its output goes to {@code log}. */
    static Server launch(String name, List<String> command, int port, Path log) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new Server(name, process, port, log);
    }

    /** The same, and returns when connections are taken. */
    static Server start(String name, List<String> command, int port, Path log)
            throws IOException, InterruptedException {
        Server server = launch(name, command, port, log);
        server.awaitPort();
        return server;
    }

    /** Waits until connections are taken. */
    void awaitPort() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!listening()) {
            if (process.waitFor(2, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException(name + " did not start: " + Files.readString(log));
            }
        }
    }

    private boolean listening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
