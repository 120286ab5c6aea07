package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import switchboard.app.BackendTypes;
import switchboard.app.GatewayApp;
import switchboard.app.Installation;
import switchboard.app.Periods;
import switchboard.backend.BackendModule;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;

/**
 * The whole gateway in this process, on free loopback ports, with a data folder of its own. Settings are written as in
 * {@code switchboard.yaml}; ports are replaced by free ones.
 *
 * <pre>{@code
 * try (TestGateway gateway = TestGateway.start("""
 *         backends:
 *           vectordb: {type: vectordb, ingestRoots: [%s]}
 *         """.formatted(folder))) {
 *     ToolResult result = gateway.modern().call("search", "{\"query\": \"x\"}");
 * }
 * }</pre>
 */
public final class TestGateway implements AutoCloseable {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Of gateways that are told to do by themselves what the test waits for so often that it does not wait long. */
    public static final Periods OFTEN = new Periods(SECOND, SECOND, SECOND);

    private final String yaml;
    private final BackendTypes types;
    private final Clock clock;
    private final Periods periods;
    private GatewayApp app;
    private final Path data;
    private final boolean ownData;
    private final List<McpTestClient> clients = new ArrayList<>();

    private TestGateway(String yaml, Path data, boolean ownData, BackendTypes types, Clock clock, Periods periods) {
        this.yaml = yaml;
        this.types = types;
        this.clock = clock;
        this.periods = periods;
        this.data = data;
        this.ownData = ownData;
        this.app = open(0);
    }

    /** Starts with {@code yaml} in a new data folder, which {@link #close} removes. */
    public static TestGateway start(String yaml) {
        try {
            return start(yaml, Files.createTempDirectory("switchboard-test"), true, List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts with {@code yaml} in the data folder {@code data}, which stays. */
    public static TestGateway start(String yaml, Path data) {
        return start(yaml, data, false, List.of());
    }

    /** The same with other periods, such as {@link #OFTEN}. */
    public static TestGateway start(String yaml, Path data, Periods periods) {
        return new TestGateway(yaml, data, false, BackendTypes.shipped(), Clock.systemUTC(), periods);
    }

    /** Starts as {@link #start(String, Path)} does, with backend types that only the test has; their tools are in {@code backends/<type>/tools.json}. */
    public static TestGateway start(String yaml, Path data, List<BackendModule<?>> more) {
        return start(yaml, data, false, more);
    }

    /** Starts with {@code yaml} in the data folder {@code data}, which stays, by another clock. */
    public static TestGateway start(String yaml, Path data, Clock clock) {
        return start(yaml, data, BackendTypes.shipped(), clock);
    }

    /** The same with these backend types only. */
    public static TestGateway start(String yaml, Path data, BackendTypes types, Clock clock) {
        return new TestGateway(yaml, data, false, types, clock, Periods.USUAL);
    }

    private static TestGateway start(String yaml, Path data, boolean ownData, List<BackendModule<?>> more) {
        return new TestGateway(yaml, data, ownData, BackendTypes.shipped().and(more), Clock.systemUTC(), Periods.USUAL);
    }

    private GatewayApp open(int port) {
        GatewayConfig config = loader().parse(yaml, "test.yaml", data, overrides(port));
        return GatewayApp.start(config, Installation.current().withData(data).withPeriods(periods), types, clock);
    }

    /** Stops it and starts it again on the same port and data; clients have to come back. */
    public void restart() {
        int port = url().getPort();
        app.close();
        app = open(port);
    }

    /** Has the gateway follow the views of the configuration {@code file}, as the command {@code serve} has it. */
    public void follow(Path file) {
        app.follow(file, () -> loader().load(file, overrides(0)));
    }

    /** Free ports, and files that are looked at so often that no test waits for it. */
    private static Overrides overrides(int port) {
        return new Overrides(Map.of(
                "server.port", new Overrides.Flag("--port", Integer.toString(port)),
                "management.port", new Overrides.Flag("--management-port", "0"),
                "console.port", new Overrides.Flag("--console-port", "0"),
                "reload.interval", new Overrides.Flag("the test", "20ms")));
    }

    private ConfigLoader loader() {
        return new ConfigLoader(types.settings(), System.getenv());
    }

    /** The gateway itself. */
    public GatewayApp app() {
        return app;
    }

    /** Its data folder. */
    public Path data() {
        return data;
    }

    /** The URL of the default view. */
    public URI url() {
        return app.endpointUrl();
    }

    /** The URL of the view {@code name}. */
    public URI url(String name) {
        return URI.create(url() + "/" + name);
    }

    /** A client of version 2026-07-28 on the default view. */
    public McpTestClient modern() {
        return opened(McpTestClient.modern(url()));
    }

    /** A client of version 2026-07-28 on the view {@code name}. */
    public McpTestClient modern(String name) {
        return opened(McpTestClient.modern(url(name)));
    }

    /** A client of version 2025-11-25 with a session on the default view. */
    public McpTestClient legacy() {
        return opened(McpTestClient.legacy(url()));
    }

    /** A client of version 2025-11-25 with a session on the view {@code name}. */
    public McpTestClient legacy(String name) {
        return opened(McpTestClient.legacy(url(name)));
    }

    /** What the management server answers to a GET of {@code path}. */
    public HttpReply management(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(app.managementUrl() + path))
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

    @Override
    public void close() {
        clients.forEach(McpTestClient::close);
        app.close();
        if (ownData && Files.exists(data)) { // a test may have closed it already
            remove(data);
        }
    }

    private McpTestClient opened(McpTestClient client) {
        clients.add(client);
        return client;
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
