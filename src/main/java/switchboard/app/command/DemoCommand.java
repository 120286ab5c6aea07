package switchboard.app.command;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import switchboard.app.BackendTypes;
import switchboard.app.GatewayApp;
import switchboard.app.Installation;
import switchboard.app.McpClient;
import switchboard.call.Json;
import switchboard.config.ConfigLoader;
import switchboard.config.GatewayConfig;
import switchboard.config.Overrides;

/** {@code switchboard demo}. */
@Command(
        name = "demo",
        description = "Start on this machine only, with this project's own documentation, and run two searches.",
        footer = "  switchboard demo --exit")
public final class DemoCommand extends PrintingCommand implements Callable<Integer> {
    private static final int PREFERRED_PORT = 8080;
    private static final int PREFERRED_CONSOLE_PORT = 9091;
    private static final String WHAT_TO_TRY = "backup+while+it+serves";
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final String TOOLS = "vectordb__";
    private static final List<String> QUESTIONS =
            List.of("How do I connect my MCP client?", "What happens to calls when a backend is down?");

    @Option(names = "--exit", description = "End after the searches instead of serving.")
    private boolean exit;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Logging.forPeople();
        Installation installation = Installation.current();
        Path data = Files.createTempDirectory("switchboard-demo");
        BackendTypes types = BackendTypes.shipped();
        GatewayConfig config = config(types, installation, data);
        GatewayApp app = GatewayApp.start(config, installation.withData(data), types, Clock.systemUTC());
        ShutdownSignals.inOrder(() -> {
            app.close();
            remove(data);
        });
        List<Path> files = FilesToIngest.below(List.of(
                        installation.home().resolve("README.md"),
                        installation.home().resolve("docs")))
                .files()
                .stream()
                .filter(file -> file.toString().endsWith(".md")) // pictures have no text
                .toList();
        PrintWriter err = err();
        Progress progress = Progress.of("Ingesting", files.size(), err);
        int answered = InterruptHandler.during(
                err, () -> account(progress), interruption -> ask(app, installation, files, progress, interruption));
        if (exit || answered != 0) {
            return answered;
        }
        app.consoleUrl()
                .ifPresent(url -> out().println("Search in your browser: " + url + "search?q=" + WHAT_TO_TRY + "\n"));
        out().println("Connect a client to " + app.endpointUrl() + ":");
        out().println();
        out().println("  claude mcp add --transport http switchboard " + app.endpointUrl());
        out().println();
        out().println(ClientSetup.CURL.snippet(new ServerEntry.Url(app.endpointUrl(), false)));
        out().println("Serving until Ctrl-C; the store is in a temporary folder that is deleted then.");
        out().flush();
        ShutdownSignals.await();
        return 0;
    }

    private static String account(Progress progress) {
        progress.end();
        return "Stopped. The demo keeps nothing; run the same command to start it again.";
    }

    private int ask(
            GatewayApp app,
            Installation installation,
            List<Path> files,
            Progress progress,
            InterruptHandler interruption) {
        out().println("Switchboard " + Installation.version() + " on " + app.endpointUrl());
        try (McpClient client = new McpClient(app.endpointUrl(), TIMEOUT)) {
            DocumentCommands documentCommands = new DocumentCommands(client, TOOLS, installation.home(), out());
            IngestReport report = documentCommands.ingest(files, "switchboard", progress, interruption);
            report.print(out(), Map.of(), documentCommands::shown);
            if (!report.complete()) {
                return CommandFailures.FAILED;
            }
            for (String question : QUESTIONS) {
                out().println();
                out().println(question);
                interruption.check();
                if (!interruption.waitFor(() -> documentCommands.search(question, 3, Json.object()))) {
                    return CommandFailures.FAILED;
                }
            }
        }
        out().println();
        return 0;
    }

    private static GatewayConfig config(BackendTypes types, Installation installation, Path data) {
        String home = "'" + installation.home().toString().replace("'", "''") + "'";
        String yaml = """
            server: {host: 127.0.0.1, port: %d}
            management: {host: 127.0.0.1, port: 0}
            console: {enabled: true, port: %d}
            backends:
              vectordb: {type: vectordb, dataDir: vectordb, ingestRoots: [%s]}
            """.formatted(freePort(PREFERRED_PORT), freePort(PREFERRED_CONSOLE_PORT), home);
        return new ConfigLoader(types.settings(), Map.of()).parse(yaml, "demo", data, Overrides.NONE);
    }

    /** The port {@code preferred}, or 0 (any free one) if it is in use. */
    private static int freePort(int preferred) {
        try (ServerSocket probe = new ServerSocket(preferred, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException _) {
            return 0;
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
