package switchboard.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration is not valid. Contains all problems, not only the first one. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** Makes an exception with at least one problem. */
    public ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All problems. */
    public List<Problem> problems() {
        return problems;
    }
}
