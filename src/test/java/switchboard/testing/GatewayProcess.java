package switchboard.testing;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.Main;

/** A gateway in a process of its own, as {@code switchboard serve} starts it, on free loopback ports. */
public final class GatewayProcess implements AutoCloseable {
    private static final Pattern SERVES = Pattern.compile("serves MCP on (\\S+), health and metrics on (\\S+)");

    private final Process process;
    private final URI url;
    private final URI managementUrl;

    private GatewayProcess(Process process, URI url, URI managementUrl) {
        this.process = process;
        this.url = url;
        this.managementUrl = managementUrl;
    }

    /** Starts one with the settings {@code yaml} and waits until it serves. */
    public static GatewayProcess start(String yaml, Path data) throws IOException {
        Path config = Files.createTempFile("switchboard", ".yaml");
        Path out = Files.createTempFile("switchboard", ".out");
        Path err = Files.createTempFile("switchboard", ".err");
        Files.writeString(config, yaml);
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-Dswitchboard.home=" + Path.of("").toAbsolutePath(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "serve",
                        "--config",
                        config.toString(),
                        "--data",
                        data.toString(),
                        "--port",
                        "0",
                        "--management-port",
                        "0"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            Eventually.within(
                    Duration.ofMinutes(2),
                    () -> !process.isAlive() || SERVES.matcher(read(out)).find(),
                    () -> "it serves: " + read(err));
            Matcher serves = SERVES.matcher(read(out));
            if (!serves.find()) {
                throw new AssertionError("the gateway ended with " + process.exitValue() + ": " + read(err));
            }
            return new GatewayProcess(process, URI.create(serves.group(1)), URI.create(serves.group(2)));
        } catch (AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The URL of its default view. */
    public URI url() {
        return url;
    }

    /** The URL of its management server. */
    public URI managementUrl() {
        return managementUrl;
    }

    /** Sends it SIGTERM and returns at once. */
    public void terminate() {
        process.destroy();
    }

    /** Its exit code, once it has ended. */
    public int exitCode() {
        await();
        return process.exitValue();
    }

    /** Ends it at once, as {@code kill -9} does, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the process does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Has it stop in order unless it has ended, and waits. */
    @Override
    public void close() {
        if (process.isAlive()) {
            process.destroy();
        }
        await();
    }
}
