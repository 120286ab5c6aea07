package switchboard.app.command;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.GatewayApp;
import switchboard.app.McpClient;
import switchboard.app.RunningGateway;

/**
 * The gateway that a command works on: the one at {@code --url}, the one that serves the data folder, or one that is
 * started in this process while the command runs.
 */
final class GatewayConnection {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final String DEFAULT = "vectordb";

    @Mixin
    private final GatewayOptions options = new GatewayOptions();

    @Option(names = "--url", paramLabel = "URL", description = "MCP URL of a running gateway: http://host:8080/mcp.")
    private @Nullable URI url;

    @Mixin
    private final KeyOption key = new KeyOption();

    @Option(names = "--backend", paramLabel = "ID", description = "Backend to use, where it is not called by its type.")
    private String backend = DEFAULT;

    /** The same, with {@code id} as the backend unless the user named another. */
    GatewayConnection onBackend(String id) {
        if (backend.equals(DEFAULT)) {
            backend = id;
        }
        return this;
    }

    /**
     * Connects to the gateway.
     *
     * @param readable folders that a gateway in this process may read files from
     */
    OpenGateway connect(List<Path> readable) {
        Optional<URI> running = Optional.ofNullable(url)
                .or(() -> RunningGateway.find(options.installation().data()));
        if (running.isPresent()) {
            return new OpenGateway(client(running.get()), () -> {});
        }
        BackendTypes types = BackendTypes.shipped();
        Map<String, String> fixed = new HashMap<>(GatewayOptions.FOR_A_COMMAND);
        fixed.put("audit.to", "none");
        if (!readable.isEmpty()) {
            fixed.put("backends." + backend + ".ingestRoots", yamlList(readable));
        }
        GatewayApp app = GatewayApp.start(options.load(types, fixed), options.installation(), types, Clock.systemUTC());
        ShutdownSignals.before(app::close);
        return new OpenGateway(client(app.endpointUrl()), app::close);
    }

    private McpClient client(URI endpoint) {
        return new McpClient(URI.create(endpoint + "/" + backend), TIMEOUT, key.key());
    }

    private static String yamlList(List<Path> paths) {
        return paths.stream()
                .map(path -> "'" + path.toAbsolutePath().normalize().toString().replace("'", "''") + "'")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    /**
     * A gateway to call.
     *
     * @param client calls it
     * @param end stops it, if it was started for this command
     */
    record OpenGateway(McpClient client, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            client.close();
            end.run();
        }
    }
}
