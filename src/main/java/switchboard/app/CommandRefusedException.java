package switchboard.app;

import switchboard.app.BootException.Stage;

/** A command that can't do what it was asked for. The message is for the operator: sentences that need no stack trace. */
public final class CommandRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Stage stage;

    /**
     * A refusal of what the command line or the configuration asks for.
     *
     * @param problem why, and what to do
     */
    public CommandRefusedException(String problem) {
        super(problem);
        this.stage = Stage.CONFIGURATION;
    }

    /** A refusal because of the machine: a folder, a database, a process that runs. */
    CommandRefusedException(String problem, Throwable cause) {
        super(problem, cause);
        this.stage = Stage.ENVIRONMENT;
    }

    private CommandRefusedException(Stage stage, String problem) {
        super(problem);
        this.stage = stage;
    }

    /** A refusal because of files that can't be used. */
    static CommandRefusedException ofFiles(String problem) {
        return new CommandRefusedException(Stage.ENVIRONMENT, problem);
    }

    /** What the exit code depends on. */
    public Stage stage() {
        return stage;
    }
}
