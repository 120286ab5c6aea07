package switchboard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.testing.Programs;

/** {@link PlainServer} in a process of its own, with ordinary flags. */
final class Plain implements Contender {
    private final Server server;

    private Plain(Server server) {
        this.server = server;
    }

    /** Starts one that answers {@code work} with {@code answer}. */
    static Plain start(Work work, byte[] answer, @Nullable Database database, Path folder)
            throws IOException, InterruptedException {
        Plain plain = launch(work, answer, database, folder);
        plain.server.awaitPort();
        return plain;
    }

    /** The same without waiting for it. */
    static Plain launch(Work work, byte[] answer, @Nullable Database database, Path folder) throws IOException {
        Path bytes = Files.createDirectories(folder.resolve("answers"));
        Files.write(bytes.resolve(work.name()), answer);
        int port = Programs.freePort();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                PlainServer.class.getName(),
                Integer.toString(port),
                bytes.toString()));
        if (database != null) {
            command.addAll(List.of(Integer.toString(database.port()), database.name(), database.user()));
        }
        return new Plain(Server.launch("vert.x", command, port, folder.resolve("vert.x.log")));
    }

    @Override
    public String name() {
        return "vert.x";
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public boolean modern() {
        return true;
    }

    @Override
    public Optional<Question> question(Work work) {
        return Question.simple(work, "/" + work);
    }
}
