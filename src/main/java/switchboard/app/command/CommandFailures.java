package switchboard.app.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;
import switchboard.app.BootException;
import switchboard.app.BootException.Stage;
import switchboard.app.McpException;
import switchboard.call.ToolException;
import switchboard.config.ConfigException;
import switchboard.config.Problem;

/** Turns expected failures into lines and exit codes; a stack trace means a defect. */
public final class CommandFailures implements IExecutionExceptionHandler {
    /** The gateway answered, or did not, and the command came to nothing. */
    static final int FAILED = 1;

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        return switch (failure) {
            case ConfigException config -> {
                err.println("The configuration can't be used:");
                config.problems().stream().map(Problem::toString).forEach(line -> err.println("  " + line));
                yield Stage.CONFIGURATION.exitCode();
            }
            case BootException boot -> {
                err.println("Switchboard can't start:");
                boot.problems().forEach(line -> err.println("  " + line));
                yield boot.stage().exitCode();
            }
            case McpException mcp -> {
                err.println(mcp.getMessage());
                yield FAILED;
            }
            case ToolException tool -> {
                err.println(tool.failed().message());
                yield FAILED;
            }
            case TeamsFile.TeamsFileException refused -> {
                err.println(refused.getMessage());
                yield FAILED;
            }
            default -> {
                err.println("Unexpected failure; this is a defect:");
                failure.printStackTrace(err);
                yield FAILED;
            }
        };
    }
}
