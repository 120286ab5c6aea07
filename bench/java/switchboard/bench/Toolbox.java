package switchboard.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import switchboard.testing.Programs;

/** Google's MCP Toolbox for Databases, from npm, with tools that do what ours do. */
final class Toolbox implements Contender {
    static final String PACKAGE = "@toolbox-sdk/server@1.12.0";

    private static final String PROGRAM = "node_modules/@toolbox-sdk/server-linux-x64/bin/toolbox";

    private final Server server;

    private Toolbox(Server server) {
        this.server = server;
    }

    /** Starts one for {@code work}: what its list shows is the same at every address. */
    static Toolbox start(Work work, @Nullable Database database, Path folder)
            throws IOException, InterruptedException {
        Path installed = Tools.folder("toolbox");
        if (!Files.exists(installed.resolve(PROGRAM))) {
            Tools.run(installed, "npm", "install", "--prefix", ".", "--no-audit", "--no-fund", PACKAGE);
        }
        Path config = folder.resolve("toolbox-" + work + ".yaml");
        Files.writeString(config, config(work, database));
        int port = Programs.freePort();
        return new Toolbox(Server.start(
                "toolbox",
                List.of(
                        installed.resolve(PROGRAM).toString(),
                        "--config=" + config,
                        "--address=127.0.0.1",
                        "--port=" + port,
                        "--disable-version-check",
                        "--disable-reload",
                        "--log-level=ERROR"),
                port,
                folder.resolve("toolbox-" + work + ".log")));
    }

    private static String config(Work work, @Nullable Database database) {
        return work.listed()
                .map(Toolbox::list)
                .orElseGet(() -> database == null || !work.database() ? echo() : queries(database));
    }

    /** Descriptions and parameters about as long as ours. */
    private static String list(int count) {
        String tools = IntStream.range(0, count)
                .mapToObj(i -> """
                          tool_%d:
                            kind: sqlite-sql
                            source: memory
                            description: %s
                            statement: SELECT ?, ?, ?, ?
                            parameters:
                        %s""".formatted(i, "What the tool is for and when an agent should choose it. ".repeat(5), parameters()))
                .collect(Collectors.joining());
        return memory() + "tools:\n" + tools;
    }

    private static String parameters() {
        return IntStream.range(0, 4)
                .mapToObj(i -> "      - {name: parameter_%d, type: string, description: \"%s\"}%n"
                        .formatted(i, "What this parameter of the tool means and what may be given. ".repeat(2)))
                .collect(Collectors.joining());
    }

    private static String memory() {
        return "sources:\n  memory: {kind: sqlite, database: \":memory:\"}\n";
    }

    private static String echo() {
        return memory() + """
                tools:
                  echo:
                    kind: sqlite-sql
                    source: memory
                    description: Answers what it is given.
                    statement: SELECT ? AS value
                    parameters:
                      - {name: value, type: string, description: The value.}
                """;
    }

    private static String queries(Database database) {
        return """
                sources:
                  db: {kind: postgres, host: 127.0.0.1, port: "%d", database: %s, user: %s, password: none}
                tools:
                  get_item:
                    kind: postgres-sql
                    source: db
                    description: The item of that id.
                    statement: %s
                    parameters:
                      - {name: id, type: integer, description: The id.}
                  nearest_passages:
                    kind: postgres-sql
                    source: db
                    description: The ten passages nearest to a vector.
                    statement: %s
                    parameters:
                      - {name: vector, type: string, description: The vector.}
                """.formatted(database.port(), database.name(), database.user(), Tables.POINT_READ, Tables.NEAREST);
    }

    @Override
    public String name() {
        return "toolbox";
    }

    @Override
    public Server server() {
        return server;
    }

    @Override
    public Optional<Question> question(Work work) {
        return Question.simple(work, "/mcp");
    }
}
