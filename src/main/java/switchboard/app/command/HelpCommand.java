package switchboard.app.command;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code help}: of the whole command line, and of each command with subcommands. */
@Command(
        name = "help",
        description = "Show what a command does, and its options.",
        footer = "  switchboard help ingest")
final class HelpCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command; by default the one before help.")
    private List<String> names = List.of();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine about = spec.commandLine().getParent();
        for (String name : names) {
            CommandLine next = about.getSubcommands().get(name);
            if (next == null) {
                throw new ParameterException(about, "There is no such command: " + name, null, name);
            }
            about = next;
        }
        about.usage(spec.commandLine().getOut());
        spec.commandLine().getOut().flush();
        return 0;
    }
}
