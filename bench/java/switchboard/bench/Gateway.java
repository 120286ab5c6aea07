package switchboard.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A gateway in a process of its own, with a temporary data folder, on free ports. */
final class Gateway implements AutoCloseable {
    private static final long START_SECONDS = 120;
    private static final Pattern SERVES = Pattern.compile("serves MCP on (http\\S+?)[,\"]");

    private final Process process;
    private final Path folder;
    private final URI url;
    private final boolean ownFolder;

    @FunctionalInterface
    private interface Serving {
        boolean now() throws IOException;
    }

    private Gateway(Process process, Path folder, URI url, boolean ownFolder) {
        this.process = process;
        this.folder = folder;
        this.url = url;
        this.ownFolder = ownFolder;
    }

    /** Starts one with these two files, and returns when it serves. */
    static Gateway start(String switchboardYaml, String teamsYaml) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("switchboard-bench");
        Files.writeString(folder.resolve("switchboard.yaml"), switchboardYaml);
        Files.writeString(folder.resolve("teams.yaml"), teamsYaml);
        Process process = launch(folder, "log");
        Path announcement = folder.resolve("gateway.json");
        await(process, folder.resolve("log"), () -> Files.exists(announcement));
        JsonNode announced = new ObjectMapper().readTree(announcement.toFile());
        return new Gateway(process, folder, URI.create(announced.path("url").asText()), true);
    }

    /** Starts another process on the data folder of this one, which has to be closed last. */
    Gateway beside() throws IOException, InterruptedException {
        Path log = folder.resolve("log-beside");
        Process other = launch(folder, "log-beside");
        await(other, log, () -> SERVES.matcher(Files.readString(log)).find());
        Matcher serves = SERVES.matcher(Files.readString(log));
        if (!serves.find()) {
            throw new IOException("no URL in " + log);
        }
        return new Gateway(other, folder, URI.create(serves.group(1)), false);
    }

    private static Process launch(Path folder, String log) throws IOException {
        String home = System.getProperty("switchboard.home");
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-modules=jdk.incubator.vector",
                        "-Dswitchboard.home=" + home,
                        "-Dlogback.configurationFile=" + Path.of(home, "conf", "logback.xml"),
                        "-DSWITCHBOARD_REQUEST_LOG=OFF",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "switchboard.Main",
                        "serve",
                        "--config=" + folder.resolve("switchboard.yaml"),
                        "--data=" + folder,
                        "--port=0",
                        "--management-port=0"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile())
                .start();
    }

    private static void await(Process process, Path log, Serving serving) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!serving.now()) {
            if (process.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("the gateway did not start: " + Files.readString(log));
            }
        }
    }

    /** Where agents connect. */
    URI url() {
        return url;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        if (!ownFolder) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
