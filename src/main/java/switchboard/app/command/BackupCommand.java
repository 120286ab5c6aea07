package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import switchboard.call.BackendRequest.Maintain;
import switchboard.files.PrivateFiles;

/** {@code switchboard backup}. */
@Command(
        name = "backup",
        description = "Copy the data of the embedded backends while they serve; restoring is copying it back.",
        mixinStandardHelpOptions = true)
public final class BackupCommand implements Callable<Integer> {
    @Mixin
    private final Upkeep upkeep = new Upkeep();

    @Parameters(paramLabel = "DIR", description = "Folder for the copy, which must not have one yet.")
    private Path target = Path.of("");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        PrintWriter out = spec.commandLine().getOut();
        Path folder = PrivateFiles.folders(target.toAbsolutePath().normalize());
        boolean done = upkeep.run(
                id -> new Maintain.Backup(folder.resolve(id).toString()),
                spec.commandLine().getErr(),
                Upkeep.Answers.to(
                        out,
                        facts -> facts.path("spaces").asInt() + " spaces copied to "
                                + facts.path("target").asText()));
        return done ? 0 : Failures.FAILED;
    }
}
