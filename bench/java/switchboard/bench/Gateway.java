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
import java.util.stream.Stream;

/** A gateway in a process of its own, with a temporary data folder, on free ports. */
final class Gateway implements AutoCloseable {
    private static final long START_SECONDS = 120;

    private final Process process;
    private final Path folder;
    private final URI url;

    private Gateway(Process process, Path folder, URI url) {
        this.process = process;
        this.folder = folder;
        this.url = url;
    }

    /** Starts one with these two files, and returns when it serves. */
    static Gateway start(String switchboardYaml, String teamsYaml) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("switchboard-bench");
        Files.writeString(folder.resolve("switchboard.yaml"), switchboardYaml);
        Files.writeString(folder.resolve("teams.yaml"), teamsYaml);
        String home = System.getProperty("switchboard.home");
        Process process = new ProcessBuilder(List.of(
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
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        Path announcement = folder.resolve("gateway.json");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.exists(announcement)) {
            if (process.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IOException("the gateway did not start: " + Files.readString(folder.resolve("log")));
            }
        }
        JsonNode announced = new ObjectMapper().readTree(announcement.toFile());
        return new Gateway(process, folder, URI.create(announced.path("url").asText()));
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
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
