package switchboard.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link PlainServer} in a process of its own, with ordinary flags. */
final class Plain implements Contender {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Server server;

    private Plain(Server server) {
        this.server = server;
    }

    /** Starts one that answers with {@code answers}, by their work. */
    static Plain start(Map<Work, byte[]> answers, @Nullable Database database, Path folder)
            throws IOException, InterruptedException {
        Path bytes = Files.createDirectories(folder.resolve("answers"));
        for (Map.Entry<Work, byte[]> answer : answers.entrySet()) {
            Files.write(bytes.resolve(answer.getKey().name()), answer.getValue());
        }
        int port = Server.freePort();
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
        return new Plain(Server.start("vert.x", command, port, folder.resolve("vert.x.log")));
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
    public Optional<Question> question(Work work) {
        ObjectNode arguments = JSON.createObjectNode();
        return switch (work) {
            case W1_1, W1, W1_500 -> Optional.of(Question.list("/" + work, "\"inputSchema\""));
            case W2 -> Optional.of(Question.call("/W2", "echo", arguments.put("value", "hello"), "hello"));
            case W3 -> Optional.of(Question.call("/W3", "get_item", arguments.put("id", 42), "item number 42"));
            case W4 ->
                Optional.of(Question.call(
                        "/W4", "nearest_passages", arguments.put("vector", Tables.query()), "passage number"));
            case W4_SEMANTIC -> Optional.empty();
        };
    }
}
