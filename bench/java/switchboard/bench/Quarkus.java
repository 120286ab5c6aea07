package switchboard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import switchboard.testing.Programs;

/** The server in {@code bench/peers/quarkus}, built on first use: Quarkus' own MCP extension, which is Vert.x, too. */
final class Quarkus implements Contender {
    private final Server server;

    private Quarkus(Server server) {
        this.server = server;
    }

    /** Whether it can do {@code work}. */
    static boolean does(Work work) {
        return work.listed().isPresent() || work == Work.W2;
    }

    /** Starts one for {@code work}, with ordinary flags. */
    static Quarkus start(Work work, Path folder) throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"));
        Path built = Tools.folder("quarkus");
        Path program = built.resolve("quarkus-app/quarkus-run.jar");
        Path source = Path.of(System.getProperty("switchboard.home"), "bench", "peers", "quarkus");
        if (Files.notExists(program)) {
            Tools.run(source, "env", "JAVA_HOME=" + java, "mvn", "-q", "-B", "-Dpeer.target=" + built, "package");
        }
        int port = Programs.freePort();
        List<String> command = List.of(
                java.resolve("bin/java").toString(),
                "-Dquarkus.http.port=" + port,
                "-Dpeer.tools=" + work.listed().orElse(1),
                "-jar",
                program.toString());
        return new Quarkus(Server.start("quarkus", command, port, folder.resolve("quarkus-" + work + ".log")));
    }

    @Override
    public String name() {
        return "quarkus";
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public Optional<Question> question(Work work) {
        return does(work) ? Question.simple(work, "/mcp") : Optional.empty();
    }
}
