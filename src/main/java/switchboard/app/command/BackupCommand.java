package switchboard.app.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import switchboard.call.BackendRequest.Maintain;
import switchboard.files.PrivateFiles;

/** {@code switchboard backup}. */
@Command(
        name = "backup",
        description = "Copy the data of the embedded backends while they serve; to restore, copy it back.",
        footer = "  switchboard backup /var/backups/switchboard-monday")
public final class BackupCommand extends PrintingCommand implements Callable<Integer> {
    @Mixin
    private final MaintenanceRunner maintenanceRunner = new MaintenanceRunner();

    @Parameters(paramLabel = "DIR", description = "Folder for the copy, which must not hold a copy already.")
    private Path target = Path.of("");

    @Override
    public Integer call() throws IOException {
        Logging.forPeople();
        PrintWriter out = out();
        PrintWriter err = err();
        Path folder = PrivateFiles.folders(target.toAbsolutePath().normalize());
        try (Progress progress = Progress.of("Copying", 0, err)) {
            return InterruptHandler.during(
                    err,
                    () -> account(progress, folder),
                    interruption -> maintenanceRunner.run(
                            id -> new Maintain.Backup(folder.resolve(id).toString()),
                            new MaintenanceRunner.Watched(progress, interruption),
                            MaintenanceRunner.BackendAnswers.to(
                                    out,
                                    facts -> facts.path("namespaces").asInt() + " namespaces copied to "
                                            + facts.path("target").asText())));
        }
    }

    private static String account(Progress progress, Path folder) {
        progress.end();
        return "Stopped: the copy in " + folder
                + " is incomplete; the data is unchanged. Remove that folder, or name another,"
                + " and start the command again.";
    }
}
