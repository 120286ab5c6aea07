package switchboard.app.command;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Settings for all commands: help with an example, suggestions for misspelt names, exit codes. */
public final class Commands {
    private Commands() {}

    /** The command line of {@code root} and its subcommands. */
    public static CommandLine of(Object root) {
        CommandLine line = new CommandLine(root);
        prepare(line);
        return line.setExecutionExceptionHandler(new CommandFailures())
                .setParameterExceptionHandler(new UsageErrors())
                .setPosixClusteredShortOptionsAllowed(false) // "-host" must not be read as "-h"
                .setCaseInsensitiveEnumValuesAllowed(true);
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
