package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import switchboard.Main;
import switchboard.call.Json;
import switchboard.testing.fixture.FixtureServer;

/** Several gateways in this process that share a database, behind a proxy, with the teams {@code red} and {@code blue}. */
public final class Replicas implements AutoCloseable {
    private final FixtureServer fixture = new FixtureServer(FixtureServer.Era.LEGACY);
    private final List<TestGateway> gateways = new CopyOnWriteArrayList<>();
    private final ReplicaFiles files;
    private final String database;
    private final Path folder;
    private int processes;
    private final RoundRobinProxy proxy;

    /**
     * Three gateways, which have joined.
     *
     * @param schema the schema that they share in the database of {@code postgres}
     * @param more further sections of the configuration
     */
    public Replicas(PostgresCluster postgres, String schema, Path folder, String more) {
        this(postgres, schema, folder, more, Map.of());
    }

    /**
     * The same with more teams.
     *
     * @param limited their limits, by name
     */
    public Replicas(PostgresCluster postgres, String schema, Path folder, String more, Map<String, String> limited) {
        this.folder = folder;
        this.database = postgres.url();
        this.proxy = new RoundRobinProxy(
                () -> gateways.stream().limit(3).map(TestGateway::url).toList());
        this.files = new ReplicaFiles(schema, proxy.url(""), fixture.url(), ReplicaFiles.NO_VECTORS, more, limited);
        for (int number = 0; number < 3; number++) {
            var _ = another();
        }
        Eventually.within(
                Eventually.OF_A_PROCESS,
                () -> gateways.stream()
                        .allMatch(gateway ->
                                gateway.management("/metrics").body().contains("switchboard_cluster_nodes 3.0")),
                () -> "all have joined: "
                        + gateways.getFirst().management("/health/ready").body());
    }

    /** Starts one more, which the proxy does not know, and does not wait until it has joined. */
    public TestGateway another() {
        int number = gateways.size();
        Path own = folder.resolve("replica" + number);
        try {
            String settings = Files.readString(files.write(own, "replica-" + number, database, ""));
            TestGateway gateway = TestGateway.start(settings, own);
            gateways.add(gateway);
            return gateway;
        } catch (IOException e) {
            throw new AssertionError("no replica", e);
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
            throw new AssertionError("no replica", e);
        }
    }

    /** Runs a command with the configuration and the data folder of the replica {@code index}; returns what it has printed. */
    public String command(int index, String... arguments) {
        return command(gateway(index).data(), arguments);
    }

    /** The same with the configuration in the data folder {@code own}, where no gateway runs. */
    public static String command(Path own, String... arguments) {
        StringWriter printed = new StringWriter();
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--config=" + own.resolve("switchboard.yaml"));
        all.add("--data=" + own);
        PrintWriter both = new PrintWriter(printed, true);
        int code = Main.commandLine().setOut(both).setErr(both).execute(all.toArray(String[]::new));
        return code + ": " + printed;
    }

    /** The headers of the team {@code team}, which has limits. */
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
