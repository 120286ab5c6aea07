package switchboard.app.command;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The base class of commands: their output, and how they refuse arguments. */
abstract class PrintingCommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec spec;

    /** Results. They may quote documents and names, so control characters in them are written as JSON does. */
    final PrintWriter out() {
        return PrintableWriter.on(spec.commandLine().getOut());
    }

    /** Progress and messages for people. */
    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Ends the command: {@code message} and its usage are printed, the exit code is 2. */
    final ParameterException wrongUsage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Whether the option {@code name} is on the command line. */
    final boolean given(String name) {
        return spec.commandLine().getParseResult().hasMatchedOption(name);
    }
}
