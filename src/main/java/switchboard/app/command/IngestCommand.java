package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code switchboard ingest}. */
@Command(
        name = "ingest",
        description = "Put files or whole folders into the embedded store, through a running gateway if there is one.",
        footer = "  switchboard ingest /srv/handbook notes.md --library handbook")
public final class IngestCommand implements Callable<Integer> {
    @Mixin
    private final GatewayConnection gatewayConnection = new GatewayConnection();

    @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and folders.")
    private List<Path> paths = List.of();

    @Option(
            names = "--library",
            paramLabel = "LIBRARY",
            description = "Library to put them in; by default ${DEFAULT-VALUE}.")
    private String library = "default";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw new ParameterException(spec.commandLine(), "There is no file or folder " + path + ".");
            }
        }
        List<Path> files = DocumentCommands.files(paths);
        if (files.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "There is nothing to ingest in " + paths + ".");
        }
        PrintWriter err = spec.commandLine().getErr();
        try (Progress progress = Progress.of("Ingesting", files.size(), err)) {
            return Interruption.during(
                    err, () -> account(progress), interruption -> ingest(files, progress, interruption));
        }
    }

    private int ingest(List<Path> files, Progress progress, Interruption interruption) {
        try (GatewayConnection.OpenGateway connection = gatewayConnection.connect(paths)) {
            DocumentCommands documentCommands = new DocumentCommands(
                    connection.client(), "", Path.of(""), spec.commandLine().getOut());
            return documentCommands.ingest(files, library, progress, interruption) == 0 ? 0 : CommandFailures.FAILED;
        }
    }

    private static String account(Progress progress) {
        progress.end();
        return "Stopped: " + progress.soFar()
                + " files were ingested and stay. Run the same command again to continue; a file that has"
                + " not changed is not ingested twice.";
    }
}
