package switchboard.app.command;

import java.io.IOException;
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
        mixinStandardHelpOptions = true)
public final class IngestCommand implements Callable<Integer> {
    @Mixin
    private final Target target = new Target();

    @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and folders.")
    private List<Path> paths = List.of();

    @Option(names = "--library", description = "Library to put them in; by default ${DEFAULT-VALUE}.")
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
        List<Path> files = Documents.files(paths);
        if (files.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "There is nothing to ingest in " + paths + ".");
        }
        try (Target.Connection connection = target.connect(paths)) {
            Documents documents = new Documents(
                    connection.client(), "", Path.of(""), spec.commandLine().getOut());
            return documents.ingest(files, library) == 0 ? 0 : Failures.FAILED;
        }
    }
}
