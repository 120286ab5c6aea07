package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.Main;
import switchboard.testing.logs.LogWatch;

/** A gateway in a process of its own, as {@code switchboard serve} starts it, on free loopback ports. */
public final class GatewayProcess implements AutoCloseable {
    private static final Pattern SERVES = Pattern.compile("serves MCP on (\\S+), health and metrics on ([^\\s\",]+)");

    private final Process process;
    private final URI url;
    private final URI managementUrl;
    private final Path out;
    private final Path err;

    private GatewayProcess(Process process, URI url, URI managementUrl, Path out, Path err) {
        this.process = process;
        this.url = url;
        this.managementUrl = managementUrl;
        this.out = out;
        this.err = err;
    }

    /**
     * How one is started.
     *
     * @param config its {@code switchboard.yaml}
     * @param data its data folder
     * @param heap the most memory of its heap, as for {@code -Xmx}
     * @param port where it listens; 0 for any free port
     * @param managementPort where its management server listens; 0 for any free port
     */
    public record Launch(Path config, Path data, String heap, int port, int managementPort) {
        /** One whose management server listens on any free port. */
        public Launch(Path config, Path data, String heap, int port) {
            this(config, data, heap, port, 0);
        }
    }

    /** Starts one with the settings {@code yaml} and waits until it serves. */
    public static GatewayProcess start(String yaml, Path data) throws IOException {
        Path config = Files.createTempFile("switchboard", ".yaml");
        Files.writeString(config, yaml);
        return start(new Launch(config, data, "512m", 0));
    }

    /** Starts one as {@code launch} says and waits until it serves. */
    public static GatewayProcess start(Launch launch) throws IOException {
        return quiet(launch, SwitchboardProcess.SHORT_LIVED);
    }

    /** The same for one that is measured. */
    public static GatewayProcess lasting(Launch launch) throws IOException {
        return quiet(launch, SwitchboardProcess.LASTING);
    }

    private static GatewayProcess quiet(Launch launch, List<String> options) throws IOException {
        List<String> all = new ArrayList<>(options);
        all.add("-DSWITCHBOARD_REQUEST_LOG=OFF");
        return start(launch, Main.class, all);
    }

    /** The same with another program that runs a gateway, and options for its JVM. */
    public static GatewayProcess start(Launch launch, Class<?> program, List<String> options) throws IOException {
        Path out = Files.createTempFile("switchboard", ".out");
        Path err = Files.createTempFile("switchboard", ".err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + launch.heap(),
                "-Dswitchboard.home=" + Path.of("").toAbsolutePath(),
                "-Dlogback.configurationFile=" + Path.of("conf", "logback.xml").toAbsolutePath()));
        command.addAll(options);
        command.addAll(ClassArchive.jvmOptions());
        command.addAll(List.of(
                program.getName(),
                "serve",
                "--config",
                launch.config().toString(),
                "--data",
                launch.data().toString(),
                "--port",
                Integer.toString(launch.port()),
                "--management-port",
                Integer.toString(launch.managementPort()),
                "--console-port",
                "0"));
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            Eventually.within(
                    Duration.ofMinutes(5),
                    () -> !process.isAlive() || SERVES.matcher(read(out)).find(),
                    () -> "it serves: " + onOneLine(out, err));
            Matcher serves = SERVES.matcher(read(out));
            if (!serves.find()) {
                throw new AssertionError("the gateway ended with " + process.exitValue() + ": " + onOneLine(out, err));
            }
            return new GatewayProcess(process, URI.create(serves.group(1)), URI.create(serves.group(2)), out, err);
        } catch (AssertionError e) {
            Programs.end(process);
            throw e;
        }
    }

    /** What a report of a failed test shows, which has room for a line. */
    private static String onOneLine(Path out, Path err) {
        return (read(err) + read(out)).strip().replace('\n', ' ');
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

    /** The same once it is ready. */
    public GatewayProcess ready() {
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> {
                    try (RawHttp health = new RawHttp(managementUrl.getPort())) {
                        return health.get("/health/ready", "").status() == 200;
                    }
                },
                () -> "it is ready: " + onOneLine(out, err));
        return this;
    }

    /** What its management server answers to a GET of {@code path}. */
    public HttpReply management(String path) {
        HttpRequest request = HttpRequest.newBuilder(managementUrl.resolve(path))
                .timeout(Duration.ofSeconds(90))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new HttpReply(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** Sends it a signal, such as {@code STOP}. */
    public void signal(String signal) {
        Programs.run(List.of("kill", "-" + signal, Long.toString(process.pid())), null);
    }

    /** The URL of its management server. */
    public URI managementUrl() {
        return managementUrl;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** What it has written to standard output so far, a line each. */
    public List<String> output() {
        return read(out).lines().toList();
    }

    /** What it has logged and otherwise said so far. */
    public String log() {
        return read(out) + read(err);
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
        LogWatch.read(log());
    }
}
