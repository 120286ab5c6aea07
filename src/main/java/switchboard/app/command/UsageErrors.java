package switchboard.app.command;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import switchboard.text.ClosestName;

/** Reports what is wrong with a command line, suggests what was probably meant, and names the help. */
final class UsageErrors implements IParameterExceptionHandler {
    private static final String END_OF_OPTIONS = "--";

    @Override
    public int handleParseException(ParameterException misuse, String[] arguments) {
        CommandLine command = misuse.getCommandLine();
        PrintWriter err = command.getErr();
        List<String> unknown = unknownOptions(command.getCommandSpec(), arguments);
        boolean group = !command.getSubcommands().isEmpty();
        Optional<String> name = group && unknown.isEmpty() ? unknownCommand(misuse) : Optional.empty();
        if (name.isPresent()) {
            err.println("There is no command \"" + words(command) + " " + name.get() + "\".");
        } else if (misuse instanceof MissingParameterException && !unknown.isEmpty()) {
            err.println("Unknown option: " + String.join(", ", unknown));
        } else {
            err.println(misuse.getMessage());
        }
        unknown.forEach(option -> suggestOption(command, option));
        name.flatMap(wrong -> closest(wrong, commands(command)))
                .ifPresent(known -> err.println("Did you mean: " + words(command) + " " + known));
        if (group) {
            err.println("Commands of " + words(command) + ": " + String.join(", ", commands(command)));
        }
        err.println("For usage and an example: " + words(command) + " --help");
        err.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** The words that a user types to run {@code command}. */
    static String words(CommandLine command) {
        return command.getCommandSpec().qualifiedName(" ");
    }

    /** The name in {@code known} that is nearly the same as {@code name}, or begins with it. */
    static Optional<String> closest(String name, Collection<String> known) {
        return ClosestName.of(name, known).or(() -> {
            List<String> begun =
                    known.stream().filter(one -> one.startsWith(name)).toList();
            return begun.size() == 1 ? Optional.of(begun.getFirst()) : Optional.empty();
        });
    }

    private static void suggestOption(CommandLine command, String option) {
        PrintWriter err = command.getErr();
        TreeSet<String> known = new TreeSet<>();
        command.getCommandSpec().optionsMap().keySet().stream()
                .filter(name -> name.startsWith(END_OF_OPTIONS))
                .forEach(known::add);
        Optional<String> meant = closest(option, known);
        if (meant.isPresent()) {
            err.println("Did you mean " + meant.get() + " instead of " + option + "?");
            return;
        }
        String owners = command.getSubcommands().values().stream()
                .filter(one -> one.getCommandSpec().optionsMap().containsKey(option))
                .map(UsageErrors::words)
                .collect(Collectors.joining(", "));
        if (!owners.isEmpty()) {
            err.println("Options come after the command: " + option + " is one of " + owners + ".");
        }
    }

    /** Arguments that look like options but belong to neither the command nor its parents. */
    private static List<String> unknownOptions(CommandSpec command, String[] arguments) {
        List<String> unknown = new ArrayList<>();
        boolean value = false;
        for (String argument : arguments) {
            if (argument.equals(END_OF_OPTIONS)) {
                break;
            }
            String name = argument.replaceFirst("=.*", "");
            if (!value && name.length() > 1 && name.startsWith("-") && !known(command, name)) {
                unknown.add(name);
            }
            value = name.equals(argument) && takesValue(command, name);
        }
        return unknown;
    }

    private static boolean known(CommandSpec command, String option) {
        return command.optionsMap().containsKey(option)
                || (command.parent() != null && known(command.parent(), option));
    }

    private static boolean takesValue(CommandSpec command, String option) {
        return command.optionsMap().containsKey(option)
                && command.optionsMap().get(option).arity().min() > 0;
    }

    private static Optional<String> unknownCommand(ParameterException misuse) {
        return misuse instanceof UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched().stream().findFirst()
                : Optional.ofNullable(misuse.getValue());
    }

    private static Collection<String> commands(CommandLine command) {
        return new TreeSet<>(command.getSubcommands().keySet());
    }
}
