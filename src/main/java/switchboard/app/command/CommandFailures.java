package switchboard.app.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;
import switchboard.app.BootException;
import switchboard.app.BootException.Stage;
import switchboard.app.McpException;
import switchboard.app.TeamsFileException;
import switchboard.app.TrialRun;
import switchboard.call.ToolException;
import switchboard.cluster.OperatorCommands;
import switchboard.config.ConfigException;
import switchboard.config.Problem;
import switchboard.eval.JudgedSetException;
import switchboard.insight.InsightUnavailableException;
import switchboard.tuning.TuningFolder;
import switchboard.tuning.UnsharedTuningException;

/** Turns expected failures into messages and exit codes. Everything else is a defect and prints a stack trace. */
public final class CommandFailures implements IExecutionExceptionHandler {
    /** Exit code: the gateway could not be reached or refused, and the command was not carried out. */
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
            case ToolException tool -> {
                err.println(tool.failed().message());
                yield FAILED;
            }
            case McpException _,
                    JudgedSetException _,
                    OperatorCommands.NotDecidedException _,
                    TuningFolder.RefusedTuningException _,
                    TrialRun.DoubtfulProposalException _,
                    TeamsFileException _,
                    InsightUnavailableException _,
                    UnsharedTuningException _ -> {
                err.println(failure.getMessage());
                yield FAILED;
            }
            default -> {
                err.println("Unexpected failure; this is a defect of Switchboard:");
                failure.printStackTrace(err);
                yield FAILED;
            }
        };
    }
}
