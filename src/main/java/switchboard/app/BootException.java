package switchboard.app;

import java.util.List;
import switchboard.config.ConfigException;
import switchboard.config.Problem;

/** The gateway can't start. The messages are for the operator: complete sentences that need no stack trace. */
public final class BootException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Stage stage;
    private final transient List<String> problems;

    /** The stage at which the start failed. It decides the exit code. */
    public enum Stage {
        /** The configuration can't be used. */
        CONFIGURATION(2),
        /**
         * The configuration is valid, but the machine does not allow the start: a port is in use, a folder is locked.
         */
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

    /**
     * A start that failed at {@code stage}.
     *
     * @param problems at least one
     */
    public BootException(Stage stage, List<String> problems) {
        super(String.join("\n", problems));
        this.stage = stage;
        this.problems = List.copyOf(problems);
    }

    /** A configuration that is not valid. */
    BootException(ConfigException invalid) {
        this(
                Stage.CONFIGURATION,
                invalid.problems().stream().map(Problem::toString).toList());
    }

    BootException(Stage stage, String problem, Throwable cause) {
        super(problem, cause);
        this.stage = stage;
        this.problems = List.of(problem);
    }

    /** Throws one for {@code problems} of the configuration, unless there are none. */
    static void throwIfAny(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new BootException(Stage.CONFIGURATION, problems);
        }
    }

    /** The stage at which the start failed. */
    public Stage stage() {
        return stage;
    }

    /** All problems that were found, as sentences for the operator. */
    public List<String> problems() {
        return problems;
    }
}
