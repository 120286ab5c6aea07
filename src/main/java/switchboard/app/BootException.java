package switchboard.app;

import java.util.List;

/** The gateway can't start. The messages are for the operator: complete sentences that need no stack trace. */
public final class BootException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Stage stage;
    private final transient List<String> problems;

    /** Where a start ended; decides the exit code. */
    public enum Stage {
        /** What was configured can't be used. */
        CONFIGURATION(2),
        /** What was configured is right, but the machine does not allow it now: a port is taken, a folder locked. */
        ENVIRONMENT(3);

        private final int exitCode;

        Stage(int exitCode) {
            this.exitCode = exitCode;
        }

        /** The exit code of the process. */
        public int exitCode() {
            return exitCode;
        }
    }

    /** A start that ended at {@code stage} for {@code problems}, of which there is at least one. */
    public BootException(Stage stage, List<String> problems) {
        super(String.join("\n", problems));
        this.stage = stage;
        this.problems = List.copyOf(problems);
    }

    BootException(Stage stage, String problem, Throwable cause) {
        super(problem, cause);
        this.stage = stage;
        this.problems = List.of(problem);
    }

    /** Where the start ended. */
    public Stage stage() {
        return stage;
    }

    /** Everything that is wrong. */
    public List<String> problems() {
        return problems;
    }
}
