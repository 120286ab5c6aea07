package switchboard.app.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import switchboard.app.BackendTypes;
import switchboard.app.ImportRun;
import switchboard.backend.agentroot.AgentrootImport;

/** {@code switchboard import}. */
@Command(
        name = "import",
        description = "Take over the data of another server while no gateway serves it.",
        mixinStandardHelpOptions = true)
public final class ImportCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Say whose data: agentroot.");
    }

    /** {@code switchboard import agentroot}. */
    @Command(
            name = "agentroot",
            description = "Collections, documents, metadata and memories of an agentroot database (index.sqlite).")
    int agentroot(
            @Mixin GatewayOptions options,
            @Parameters(paramLabel = "FILE", description = "The database; it is only read.") Path file,
            @Option(
                            names = "--backend",
                            paramLabel = "ID",
                            defaultValue = "agentroot",
                            description = "Backend that gets it; by default ${DEFAULT-VALUE}.")
                    String backend,
            @Option(
                            names = "--team",
                            paramLabel = "TEAM",
                            defaultValue = "",
                            description = "Whose memories they become, in a gateway with teams.")
                    String team) {
        Logging.forPeople();
        PrintWriter out = spec.commandLine().getOut();
        AgentrootImport.Report report;
        try (Progress progress = Progress.of("importing", 0, out)) {
            report = ImportRun.agentroot(
                    options.load(BackendTypes.shipped()), options.installation(), backend, team, file, progress::step);
        }
        out.println(report.collections() + " collections, " + report.documents() + " documents, " + report.memories()
                + " memories taken over");
        if (!report.left().isEmpty()) {
            out.println("not taken over:");
            report.left().forEach(what -> out.println("  " + what));
        }
        out.flush();
        return 0;
    }
}
