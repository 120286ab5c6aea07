package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import switchboard.call.Json;
import switchboard.testing.fixture.FixtureServer;

/** Several gateways in this process that share a database, behind a proxy, with the teams {@code red} and {@code blue}. */
public final class Replicas implements AutoCloseable {
    private final FixtureServer fixture = new FixtureServer(FixtureServer.Era.LEGACY);
    private final List<TestGateway> gateways = new CopyOnWriteArrayList<>();
    private final ReplicaFiles files;
    private final String database;
    private final IntFunction<Clock> clocks;
    private final Path folder;
    private int processes;
    private final RoundRobinProxy proxy;

    /**
     * What they have.
     *
     * @param schema the schema that they share
     * @param embedders the section of that name
     * @param more further backends and sections
     * @param others further teams, by name, with what they have besides a key and grants, such as {@code limits: {callsPerDay: 9}}
     * @param clocks the clock of each, from 0
     */
    public record Settings(
            String schema, String embedders, String more, Map<String, String> others, IntFunction<Clock> clocks) {
        /** No vectors, no more teams, and the system's clock. */
        public Settings(String schema, String more) {
            this(schema, ReplicaFiles.NO_VECTORS, more, Map.of(), _ -> Clock.systemUTC());
        }

        /** The same with more teams. */
        public Settings with(Map<String, String> teams) {
            return new Settings(schema, embedders, more, teams, clocks);
        }

        /** The same with another section {@code embedders}. */
        public Settings embedding(String section) {
            return new Settings(schema, section, more, others, clocks);
        }

        /** The same with other clocks. */
        public Settings by(IntFunction<Clock> other) {
            return new Settings(schema, embedders, more, others, other);
        }
    }

    /**
     * Three gateways, which have joined.
     *
     * @param schema the schema that they share in the database of {@code postgres}
     * @param more further sections of the configuration
     */
    public Replicas(PostgresCluster postgres, String schema, Path folder, String more) {
        this(postgres, folder, new Settings(schema, more));
    }

    /** The same with all that can be set. */
    public Replicas(PostgresCluster postgres, Path folder, Settings settings) {
        this.folder = folder;
        this.database = postgres.url();
        this.clocks = settings.clocks();
        this.proxy = new RoundRobinProxy(
                () -> gateways.stream().limit(3).map(TestGateway::url).toList());
        this.files = new ReplicaFiles(
                settings.schema(),
                proxy.url(""),
                fixture.url(),
                settings.embedders(),
                settings.more(),
                settings.others());
        for (int number = 0; number < 3; number++) {
            var _ = another();
        }
        awaitTogether();
    }

    /**
     * Waits until the first three see each other, and the database, and share the limits of teams: a test before may have stopped some of
     * it, and a disk that is slow for a second has gateways apply their parts of the limits, which come on top of what the others let through.
     */
    public void awaitTogether() {
        gateways.stream()
                .limit(3)
                .forEach(gateway -> Eventually.within(
                        Eventually.OF_A_PROCESS,
                        () -> {
                            String metrics = gateway.management("/metrics").body();
                            return metrics.contains("switchboard_cluster_nodes 3.0")
                                    && metrics.contains("switchboard_cluster_limits_divided 0.0");
                        },
                        () -> gateway.management("/metrics").body()));
    }

    /** Starts one more, which the proxy does not know, and does not wait until it has joined. */
    public TestGateway another() {
        int number = gateways.size();
        Path own = folder.resolve("replica" + number);
        try {
            String settings = Files.readString(files.write(own, "replica-" + number, database, ""));
            TestGateway gateway = TestGateway.start(settings, own, clocks.apply(number));
            gateways.add(gateway);
            return gateway;
        } catch (IOException e) {
            throw new AssertionError("no replica: " + e, e);
        }
    }

    /** Starts one more in a process of its own, which the proxy does not know, and which waits long for its calls when it stops. */
    public GatewayProcess process() {
        int number = processes++;
        Path own = folder.resolve("process" + number);
        try {
            Path config = files.write(own, "replica-process-" + number, database, "drain: { grace: 30s }, ");
            return GatewayProcess.start(new GatewayProcess.Launch(config, own, "512m", 0))
                    .ready();
        } catch (IOException e) {
            throw new AssertionError("no replica: " + e, e);
        }
    }

    /** Runs a command with the configuration and the data folder of the replica {@code index}; returns what it has printed. */
    public String command(int index, String... arguments) {
        return command(gateway(index).data(), arguments);
    }

    /** The same with the configuration in the data folder {@code own}, where no gateway runs. */
    public static String command(Path own, String... arguments) {
        PrintedCommand printed = PrintedCommand.run(own, arguments);
        return printed.code() + ": " + printed.text();
    }

    /** The headers of another team. */
    public Map<String, String> of(String team) {
        return files.of(team);
    }

    /** The headers of the team {@code red}. */
    public Map<String, String> red() {
        return files.red();
    }

    /** The headers of the team {@code blue}. */
    public Map<String, String> blue() {
        return files.blue();
    }

    /** The proxy before them. */
    public RoundRobinProxy proxy() {
        return proxy;
    }

    /** The URL of a view, behind the proxy. */
    public URI url(String view) {
        return proxy.url(view.isEmpty() ? "/mcp" : "/mcp/" + view);
    }

    /** One of them, from 0. */
    public TestGateway gateway(int index) {
        return gateways.get(index);
    }

    /** A client of 2025-11-25 with a session that is made wherever the proxy leads. */
    public McpTestClient session(Map<String, String> who) {
        return McpTestClient.legacy(url(""), McpTestClient.LEGACY, who);
    }

    /** A session on a view of a client that can be asked. */
    public McpTestClient able(String view, Map<String, String> who) {
        ObjectNode capabilities = Json.object();
        capabilities.putObject("elicitation");
        capabilities.putObject("sampling");
        return McpTestClient.legacy(url(view), McpTestClient.LEGACY, who, capabilities);
    }

    /** The server that all of them relay, as {@code fixture}. */
    public FixtureServer fixture() {
        return fixture;
    }

    /** A connection to one of them, from 0. */
    public RawHttp on(int index) {
        return new RawHttp(gateway(index).url().getPort());
    }

    /** The stream of a session of {@code red} on the view {@code fixture}, opened on one of them. */
    public RawHttp stream(int index, McpTestClient session) {
        RawHttp stream = on(index);
        stream.get("/mcp/fixture", lines(red(), session, "text/event-stream")).readUntil("text/event-stream");
        return stream;
    }

    /** Header lines for a socket: the key, the session, and what is accepted. */
    public static String lines(Map<String, String> who, McpTestClient session, String accept) {
        return "X-API-Key: " + who.get("X-API-Key") + "\nMcp-Session-Id: " + session.session() + "\nAccept: " + accept
                + "\n";
    }

    @Override
    public void close() {
        proxy.close();
        gateways.forEach(TestGateway::close);
        fixture.close();
    }
}
