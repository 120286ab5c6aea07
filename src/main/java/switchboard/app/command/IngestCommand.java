package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code switchboard ingest}. */
@Command(
        name = "ingest",
        description =
                "Put files or whole folders into the embedded store, through a running gateway if there is one. All formats of"
                        + " ingest_file are read; what is left out is named in the end. Front matter and files called NAME.allow.yaml or"
                        + " .allow.yaml say who may read a document.",
        footer = "  switchboard ingest /srv/handbook notes.md --library handbook")
public final class IngestCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final GatewayConnection gatewayConnection = new GatewayConnection();

    @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and folders.")
    private List<Path> paths = List.of();

    @Option(
            names = "--library",
            paramLabel = "LIBRARY",
            description = "Library to put them in; by default ${DEFAULT-VALUE}.")
    private String library = "default";

    @Option(
            names = "--json",
            description = "Print one JSON object, with the name of every file that is not in the library.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        for (Path path : paths) {
            if (!Files.exists(path)) {
                throw wrongUsage("There is no file or folder " + path + ".");
            }
        }
        FilesToIngest found = FilesToIngest.below(paths);
        if (found.files().isEmpty()) {
            IngestReport nothing = IngestReport.ofNothing(library);
            if (json) {
                out().println(nothing.json(found.leftOut()));
            } else {
                nothing.print(out(), found.leftOut(), path -> path);
            }
            throw wrongUsage(nothing(found));
        }
        PrintWriter err = err();
        try (Progress progress = Progress.of("Ingesting", found.files().size(), err)) {
            return InterruptHandler.during(
                    err, () -> account(progress), interruption -> ingest(found, progress, interruption));
        }
    }

    private int ingest(FilesToIngest found, Progress progress, InterruptHandler interruption) {
        try (GatewayConnection.OpenGateway connection = gatewayConnection.connect(paths)) {
            PrintWriter out = out();
            DocumentCommands documentCommands = new DocumentCommands(connection.client(), "", Path.of(""), out);
            IngestReport report = documentCommands.ingest(found.files(), library, progress, interruption);
            if (json) {
                out.println(report.json(found.leftOut()));
                out.flush();
            } else {
                report.print(out, found.leftOut(), documentCommands::shown);
            }
            return report.complete() ? 0 : CommandFailures.FAILED;
        }
    }

    private String nothing(FilesToIngest found) {
        int others = found.leftOut().values().stream().mapToInt(Set::size).sum();
        return "There is nothing to ingest in " + paths + "."
                + (others == 0 ? "" : " " + others + " files are hidden or of formats that are not read.");
    }

    private static String account(Progress progress) {
        progress.end();
        return "Stopped: " + progress.soFar()
                + " files were ingested and stay. Run the same command again to continue; a file that has"
                + " not changed is not ingested twice.";
    }
}
