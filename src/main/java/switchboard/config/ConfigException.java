package switchboard.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration can't be used; says everything that is wrong with it, not only the first thing. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** Refuses a configuration for {@code problems}, of which there is at least one. */
    public ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** Everything that is wrong. */
    public List<Problem> problems() {
        return problems;
    }
}
