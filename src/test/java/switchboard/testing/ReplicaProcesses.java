package switchboard.testing;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import switchboard.Main;
import switchboard.testing.fixture.FixtureServer;

/** Gateways in processes of their own that share a database, with the teams {@code red} and {@code blue}. Each keeps its ports. */
public final class ReplicaProcesses implements AutoCloseable {
    private final Settings settings;
    private final ReplicaFiles files;
    private final FixtureServer fixture = new FixtureServer(FixtureServer.Era.BOTH);
    private final int[] ports;
    private final int[] managementPorts;
    private final GatewayProcess[] processes;

    /**
     * What they have.
     *
     * @param folder where their files are
     * @param schema the schema that they share
     * @param database the URL of the database for each of them
     * @param port the port where their clients find them; 0 if that is each by itself
     * @param embedders the section of that name; nothing for no vectors
     * @param more further backends and sections
     * @param others further teams, by name, with what they have besides a key and grants, such as {@code limits: {callsPerDay: 9}}
     * @param options of their JVMs
     */
    public record Settings(
            Path folder,
            String schema,
            IntFunction<String> database,
            int port,
            String embedders,
            String more,
            Map<String, String> others,
            List<String> options) {}

    /** As many as {@code count}, once they are ready. */
    public ReplicaProcesses(int count, Settings settings) {
        this.settings = settings;
        this.ports = new int[count];
        this.managementPorts = new int[count];
        this.processes = new GatewayProcess[count];
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int index = 0; index < count; index++) {
                ports[index] = Programs.freePort();
                managementPorts[index] = Programs.freePort();
            }
            this.files = new ReplicaFiles(
                    settings.schema(),
                    URI.create("http://127.0.0.1:" + (settings.port() == 0 ? ports[0] : settings.port())),
                    fixture.url(),
                    settings.embedders().isEmpty() ? ReplicaFiles.NO_VECTORS : settings.embedders(),
                    settings.more(),
                    settings.others());
            List<Future<GatewayProcess>> starting = new ArrayList<>();
            for (int index = 0; index < count; index++) {
                int number = index;
                starting.add(threads.submit(() -> started(number)));
            }
            for (int index = 0; index < count; index++) {
                processes[index] = starting.get(index).get(5, TimeUnit.MINUTES);
            }
        } catch (IOException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no replicas: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private GatewayProcess started(int index) throws IOException {
        Path config = files.write(
                folder(index), "replica-" + index, settings.database().apply(index), "");
        return GatewayProcess.start(
                        new GatewayProcess.Launch(config, folder(index), "512m", ports[index], managementPorts[index]),
                        Main.class,
                        settings.options())
                .ready();
    }

    private Path folder(int index) {
        return settings.folder().resolve("replica" + index);
    }

    /** One of them, from 0. */
    public GatewayProcess process(int index) {
        return processes[index];
    }

    /** How many there are. */
    public int count() {
        return processes.length;
    }

    /** Ends one at once, as {@code kill -9} does. */
    public void kill(int index) {
        processes[index].kill();
        processes[index].close();
    }

    /** Starts one that was ended, and waits until it is ready. */
    public void start(int index) {
        try {
            processes[index] = started(index);
        } catch (IOException e) {
            throw new AssertionError("it does not start: " + e, e);
        }
    }

    /** A client of {@code red} of 2026-07-28 on a view of one of them. */
    public McpTestClient client(int index, String view) {
        return client(index, view, red());
    }

    /** The same of another team. */
    public McpTestClient client(int index, String view, Map<String, String> who) {
        URI url = URI.create("http://127.0.0.1:" + ports[index] + "/mcp" + (view.isEmpty() ? "" : "/" + view));
        return McpTestClient.modern(url).with("X-API-Key", who.get("X-API-Key"));
    }

    /** The data folder of one of them. */
    public Path data(int index) {
        return folder(index);
    }

    /** The port where one of them serves MCP. */
    public int port(int index) {
        return ports[index];
    }

    /** The port of the management server of one of them. */
    public int managementPort(int index) {
        return managementPorts[index];
    }

    /** The server that all of them relay, as {@code fixture}. */
    public FixtureServer fixture() {
        return fixture;
    }

    /** The headers of the team {@code red}. */
    public Map<String, String> red() {
        return files.red();
    }

    /** The headers of the team {@code blue}. */
    public Map<String, String> blue() {
        return files.blue();
    }

    /** The headers of another team. */
    public Map<String, String> of(String team) {
        return files.of(team);
    }

    @Override
    public void close() {
        for (GatewayProcess process : processes) {
            if (process != null) {
                process.terminate();
            }
        }
        for (GatewayProcess process : processes) {
            if (process != null) {
                process.close();
            }
        }
        fixture.close();
    }
}
