package switchboard.app.command;

import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.TypeConversionException;

/** Settings for all commands: help with an example, suggestions for misspelt names, exit codes. */
public final class Commands {
    private Commands() {}

    /** The command line of {@code root} and its subcommands. */
    public static CommandLine of(Object root) {
        CommandLine line = new CommandLine(root);
        prepare(line);
        return line.setExecutionExceptionHandler(new CommandFailures())
                .setParameterExceptionHandler(new UsageErrors())
                .registerConverter(Path.class, Commands::path)
                .setPosixClusteredShortOptionsAllowed(false) // "-host" must not be read as "-h"
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    /** An empty path would be the current folder: what a script has in a variable that is not set. */
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("the path is empty. Write . for the current folder.");
        }
        return Path.of(text);
    }

    /**
     * Adds the help option. Commands that are methods can't have it as a mixin: picocli would take it for a parameter.
     */
    private static void prepare(CommandLine line) {
        line.getSubcommands().values().forEach(Commands::prepare);
        CommandSpec spec = line.getCommandSpec();
        if (!spec.optionsMap().containsKey("--help")) {
            spec.mixinStandardHelpOptions(true);
        }
        spec.versionProvider(new VersionCommand.VersionLines());
        if (!line.getSubcommands().isEmpty()) {
            CommandLine help = new CommandLine(new HelpCommand());
            help.getCommandSpec().mixinStandardHelpOptions(true);
            headings(help.getCommandSpec().usageMessage());
            line.addSubcommand("help", help);
        }
        headings(spec.usageMessage());
    }

    private static void headings(UsageMessageSpec usage) {
        usage.parameterListHeading("%nArguments:%n")
                .optionListHeading("%nOptions:%n")
                .commandListHeading("%nCommands:%n")
                .footerHeading("%nExample:%n");
    }
}
