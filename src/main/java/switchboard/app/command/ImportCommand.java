package switchboard.app.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import switchboard.app.BackendTypes;
import switchboard.app.ImportRun;
import switchboard.backend.agentroot.AgentrootImport;

/** {@code switchboard import}. */
@Command(
        name = "import",
        description = "Import the data of another server, while no gateway runs on the data folder.",
        footer = "  switchboard import agentroot index.sqlite")
public final class ImportCommand extends PrintingCommand implements Runnable {
    @Override
    public void run() {
        throw wrongUsage("Name the kind of data: agentroot.");
    }

    /** {@code switchboard import agentroot}. */
    @Command(
            name = "agentroot",
            mixinStandardHelpOptions = true,
            description = "Collections, documents, metadata and memories of an agentroot database (index.sqlite).",
            footer = "  switchboard import agentroot index.sqlite --backend agentroot")
    int agentroot(
            @Mixin GatewayOptions options,
            @Parameters(paramLabel = "FILE", description = "The database; it is only read.") Path file,
            @Option(
                            names = "--backend",
                            paramLabel = "ID",
                            defaultValue = "agentroot",
                            description = "Backend to import into; by default ${DEFAULT-VALUE}.")
                    String backend,
            @Option(
                            names = "--team",
                            paramLabel = "TEAM",
                            defaultValue = "",
                            description = "Team that gets the memories, in a gateway with teams.")
                    String team) {
        Logging.forPeople();
        PrintWriter out = out();
        PrintWriter err = err();
        try (Progress progress = Progress.of("Importing", 0, err)) {
            return InterruptHandler.during(err, () -> account(progress), interruption -> {
                AgentrootImport.Report report = ImportRun.agentroot(
                        options.load(BackendTypes.shipped()), options.installation(), backend, team, file, document -> {
                            interruption.check();
                            progress.step(document);
                        });
                progress.end();
                print(report, out);
                return 0;
            });
        }
    }

    private static String account(Progress progress) {
        progress.end();
        return "Stopped: " + progress.soFar()
                + " documents were imported and stay. Run the same command again to continue; what is"
                + " there is not imported twice.";
    }

    private static void print(AgentrootImport.Report report, PrintWriter out) {
        out.println(report.collections() + " collections, " + report.documents() + " documents, " + report.memories()
                + " memories imported");
        if (!report.left().isEmpty()) {
            out.println("not imported:");
            report.left().forEach(what -> out.println("  " + what));
        }
        out.flush();
    }
}
