package switchboard.app.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.call.Json;

/** {@code switchboard search}. */
@Command(
        name = "search",
        description = "Search the embedded store, through a running gateway if there is one.",
        footer = "  switchboard search how do holidays work --library handbook --top-k 3")
public final class SearchCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final GatewayConnection gatewayConnection = new GatewayConnection();

    @Parameters(arity = "1..*", paramLabel = "WORD", description = "The query.")
    private List<String> words = List.of();

    @Option(
            names = "--top-k",
            paramLabel = "COUNT",
            description = "Maximum number of hits; by default ${DEFAULT-VALUE}.")
    private int topK = 5;

    @Option(names = "--library", paramLabel = "LIBRARY", description = "Search this library only.")
    private @Nullable String library;

    @Override
    public Integer call() {
        Logging.forPeople();
        ObjectNode more = Json.object();
        if (library != null) {
            more.put("library", library);
        }
        try (GatewayConnection.OpenGateway connection = gatewayConnection.connect(List.of())) {
            DocumentCommands documentCommands = new DocumentCommands(connection.client(), "", Path.of(""), out());
            return documentCommands.search(String.join(" ", words), topK, more) ? 0 : CommandFailures.FAILED;
        }
    }
}
