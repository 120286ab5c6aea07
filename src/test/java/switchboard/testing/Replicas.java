package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import switchboard.Main;
import switchboard.auth.ApiKey;
import switchboard.call.Json;
import switchboard.testing.fixture.FixtureServer;

/** Several gateways in this process that share a database, behind a proxy, with the teams {@code red} and {@code blue}. */
public final class Replicas implements AutoCloseable {
    private static final String STATE_KEY = "a key that is long enough for this";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final FixtureServer fixture = new FixtureServer(FixtureServer.Era.LEGACY);
    private final List<TestGateway> gateways = new CopyOnWriteArrayList<>();
    private final Map<String, String> limited;
    private final Map<String, ApiKey> keys = new TreeMap<>();
    private final Path folder;
    private int processes;
    private final String settings;
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
        this.limited = new TreeMap<>(limited);
        limited.keySet().forEach(team -> keys.put(team, ApiKey.generate(new SecureRandom())));
        this.proxy = new RoundRobinProxy(
                () -> gateways.stream().limit(3).map(TestGateway::url).toList());
        try {
            Path stateKey = Files.writeString(folder.resolve("state.key"), STATE_KEY);
            Path url = Files.writeString(folder.resolve("database.url"), postgres.url());
            settings = """
                    server: { stateKey: "${file:%s}", publicUrl: "%s" }
                    auth: { mode: keys, anonymous: { team: red } }
                    cluster: { database: "${file:%s}", schema: %s, node: replica-NUMBER }
                    embedders: { default: { provider: none } }
                    backends:
                      vectordb: { type: vectordb }
                      fixture: { type: mcp, url: "%s" }
                    %s
                    """.formatted(stateKey, proxy.url(""), url, schema, fixture.url(), more);
        } catch (IOException e) {
            throw new AssertionError("no replicas", e);
        }
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
        try {
            Path own = Files.createDirectories(folder.resolve("replica" + number));
            Files.writeString(own.resolve("teams.yaml"), teams());
            Files.writeString(own.resolve("switchboard.yaml"), settings.replace("NUMBER", Integer.toString(number)));
            TestGateway gateway = TestGateway.start(settings.replace("NUMBER", Integer.toString(number)), own);
            gateways.add(gateway);
            return gateway;
        } catch (IOException e) {
            throw new AssertionError("no replica", e);
        }
    }

    /** Starts one more in a process of its own, which the proxy does not know, and which waits long for its calls when it stops. */
    public GatewayProcess process() {
        int number = processes++;
        try {
            Path own = Files.createDirectories(folder.resolve("process" + number));
            Files.writeString(own.resolve("teams.yaml"), teams());
            String patient = settings.replace("server: {", "server: { drain: { grace: 30s },");
            Path config =
                    Files.writeString(own.resolve("switchboard.yaml"), patient.replace("NUMBER", "process-" + number));
            GatewayProcess process = GatewayProcess.start(new GatewayProcess.Launch(config, own, "512m", 0));
            Eventually.within(
                    Eventually.OF_A_PROCESS,
                    () -> {
                        try (RawHttp health =
                                new RawHttp(process.managementUrl().getPort())) {
                            return health.get("/health/ready", "").status() == 200;
                        }
                    },
                    () -> "it has joined: " + process.log());
            return process;
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

    private String teams() {
        StringBuilder teams = new StringBuilder("""
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["*:*"]
                  blue:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(red.sha256(), blue.sha256()));
        limited.forEach((team, limits) ->
                teams.append("""
                  %s:
                    keys: [{id: %s1, sha256: %s}]
                    grants: ["*:*"]
                    limits: %s
                """.formatted(team, team, keys.get(team).sha256(), limits)));
        return teams.toString();
    }

    /** The headers of the team {@code team}, which has limits. */
    public Map<String, String> of(String team) {
        return Map.of("X-API-Key", keys.get(team).text());
    }

    /** The headers of the team {@code red}. */
    public Map<String, String> red() {
        return Map.of("X-API-Key", red.text());
    }

    /** The headers of the team {@code blue}. */
    public Map<String, String> blue() {
        return Map.of("X-API-Key", blue.text());
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
