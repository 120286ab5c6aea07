package switchboard;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import switchboard.app.command.BackupCommand;
import switchboard.app.command.CheckConfigCommand;
import switchboard.app.command.CollectionCommand;
import switchboard.app.command.Commands;
import switchboard.app.command.ConnectCommand;
import switchboard.app.command.ConsoleCommand;
import switchboard.app.command.DemoCommand;
import switchboard.app.command.DoctorCommand;
import switchboard.app.command.EvalCommand;
import switchboard.app.command.ImportCommand;
import switchboard.app.command.IngestCommand;
import switchboard.app.command.InsightCommand;
import switchboard.app.command.InterruptHandler;
import switchboard.app.command.KeysCommand;
import switchboard.app.command.ReindexCommand;
import switchboard.app.command.SearchCommand;
import switchboard.app.command.ServeCommand;
import switchboard.app.command.StdioCommand;
import switchboard.app.command.StoreCommand;
import switchboard.app.command.ToolsCommand;
import switchboard.app.command.TuneCommand;
import switchboard.app.command.UpstreamCommand;
import switchboard.app.command.VersionCommand;
import switchboard.files.PrivateFiles;

/** The command {@code switchboard}. */
@Command(
        name = "switchboard",
        description = "One MCP endpoint for your search engines and an embedded document store.",
        footer = {"  switchboard demo", "  switchboard help collection add"},
        subcommands = {
            ServeCommand.class,
            ConsoleCommand.class,
            StdioCommand.class,
            ConnectCommand.class,
            DemoCommand.class,
            CheckConfigCommand.class,
            ToolsCommand.class,
            IngestCommand.class,
            SearchCommand.class,
            CollectionCommand.class,
            ImportCommand.class,
            KeysCommand.class,
            UpstreamCommand.class,
            EvalCommand.class,
            InsightCommand.class,
            TuneCommand.class,
            ReindexCommand.class,
            BackupCommand.class,
            StoreCommand.class,
            DoctorCommand.class,
            VersionCommand.class
        })
public final class Main implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Option(
            names = {"--java-home", "--aot-cache"},
            description = "For the launcher: print the JDK in use; create a cache that makes later starts faster.")
    private boolean launcher;

    /** Runs the command line and ends the process with its exit code. */
    public static void main(String[] arguments) {
        InterruptHandler.beforeTheWork();
        // Before any library creates a file.
        PrivateFiles.narrowUmask();
        System.exit(run(arguments));
    }

    /** Runs the command line in this process; returns the exit code. */
    static int run(String... arguments) {
        return commandLine().execute(arguments);
    }

    /** The whole command line. */
    public static CommandLine commandLine() {
        return Commands.of(new Main());
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                launcher
                        ? "Only the program \"switchboard\" itself has --java-home and --aot-cache."
                        : "Name a command.");
    }
}
