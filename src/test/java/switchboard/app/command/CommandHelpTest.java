package switchboard.app.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import switchboard.Main;
import switchboard.testing.CurlCommand;

/** Every command, however deep, says how it is used, and knows what was meant where it is misspelt. */
class CommandHelpTest {
    private record Printed(int code, String out, String err) {}

    /** What there is to be called; it is not run. */
    private static final CommandLine WHOLE = Main.commandLine();

    private static Printed run(CommandLine line, List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = line.setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
        return new Printed(code, out.toString(), err.toString());
    }

    /** The words of each command, of those of commands, too; the first is the whole command line. */
    static Stream<List<String>> commands() {
        return below(WHOLE, List.of());
    }

    private static Stream<List<String>> below(CommandLine command, List<String> words) {
        return Stream.concat(
                Stream.of(words),
                command.getSubcommands().entrySet().stream()
                        .flatMap(one -> below(one.getValue(), with(words, one.getKey()))));
    }

    private static List<String> with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }

    private static CommandSpec spec(List<String> words) {
        CommandLine command = WHOLE;
        for (String word : words) {
            command = Objects.requireNonNull(command.getSubcommands().get(word));
        }
        return command.getCommandSpec();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpIsOnStandardOutputWithUsageOptionsAndAnExampleThatCanBeRun(List<String> words) {
        CommandLine line = Main.commandLine(); // made once for a test: it takes longer than a hundred refusals
        Printed help = run(line, with(words, "--help"));
        assertEquals(new Printed(0, help.out(), ""), help);
        assertEquals(help, run(line, with(words, "-h")));
        if (!words.isEmpty()) {
            List<String> asked = new ArrayList<>(words);
            asked.addFirst("help");
            assertEquals(help, run(line, asked));
            asked.removeFirst();
            asked.add(words.size() - 1, "help");
            assertEquals(help, run(line, asked));
        }
        String name = String.join(" ", with(List.of("switchboard"), words.toArray(String[]::new)));
        assertTrue(help.out().startsWith("Usage: " + name + " ["), help.out());
        assertTrue(help.out().contains("\nOptions:\n"), help.out());
        List<String> examples = help.out()
                .substring(help.out().indexOf("\nExample:\n") + 10)
                .lines()
                .toList();
        assertFalse(examples.isEmpty(), help.out());
        for (String example : examples) {
            assertTrue(example.startsWith("  " + name) || words.getLast().equals("help"), example);
            List<String> arguments = CurlCommand.words(example.strip());
            line.parseArgs(arguments.subList(1, arguments.size()).toArray(String[]::new));
        }
        for (ArgSpec argument : spec(words).args()) {
            assertTrue(argument.description().length > 0, () -> name + " " + argument.paramLabel());
        }
        assertTrue(help.out().lines().allMatch(printed -> printed.length() <= 80), help.out());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void aMisspeltOptionOrCommandIsAnsweredWithTheOneThatWasMeant(List<String> words) {
        CommandLine line = Main.commandLine();
        for (String option : spec(words).optionsMap().keySet()) {
            if (option.startsWith("--")) {
                for (String wrong :
                        List.of(swapped(option, Math.min(3, option.length() - 2)), option + "x", option.substring(1))) {
                    refused(line, with(words, wrong), "Did you mean " + option + " instead of " + wrong + "?");
                    refused(line, with(words, wrong + "=1"), "Did you mean " + option + " instead of " + wrong + "?");
                }
            }
        }
        for (String command : spec(words).subcommands().keySet()) {
            String meant = "Did you mean: " + spec(words).qualifiedName(" ") + " " + command + System.lineSeparator();
            refused(line, with(words, swapped(command, 1)), meant);
            refused(line, with(words, swapped(command, 1), "more"), meant);
        }
    }

    private static String swapped(String word, int at) {
        return word.charAt(at) == word.charAt(at + 1)
                ? word.substring(0, at) + word.substring(at + 1)
                : word.substring(0, at) + word.charAt(at + 1) + word.charAt(at) + word.substring(at + 2);
    }

    private static void refused(List<String> arguments, String meant) {
        refused(Main.commandLine(), arguments, meant);
    }

    private static void refused(CommandLine line, List<String> arguments, String meant) {
        Printed printed = run(line, arguments);
        assertEquals(new Printed(2, "", printed.err()), printed, arguments::toString);
        assertTrue(printed.err().contains(meant), () -> arguments + ": " + printed.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    help colection add | Did you mean: switchboard collection
                    help collection ad | Did you mean: switchboard collection add
                    keys create --taem x | Did you mean --team instead of --taem?
                    search --libary x y | Did you mean --library instead of --libary?
                    search -libary x y | Did you mean --library instead of -libary?
                    coll list | Did you mean: switchboard collection
                    --config x serve | --config is one of switchboard serve
                    connect pyhton | Did you mean "python"?
                    import agentrot x | Did you mean: switchboard import agentroot
                    """)
    void othersAreToo(String line, String answer) {
        refused(List.of(line.split(" ")), answer);
    }

    @Test
    void withoutACommandThoseThereAreAreListed() {
        refused(List.of(), "Commands of switchboard: backup, check-config, collection, connect");
        refused(List.of("collection"), "Commands of switchboard collection: add, help, list");
        refused(List.of("--aot-cache"), "Only the program \"switchboard\" itself");
    }
}
