package switchboard.config;

import java.util.List;

/** Patterns of text that is removed from a team's calls. */
public record TeamRedactionConfig(
        @Doc(
                "Replaced by `[redacted]` in the arguments of its tool calls, before anything else reads them. Each is `secret`,"
                        + " `email`, or a regular expression in RE2's syntax.")
        List<String> arguments,

        @Doc("The same for results, before the caller gets them.")
        List<String> results) {
    public TeamRedactionConfig {
        arguments = List.copyOf(arguments);
        results = List.copyOf(results);
    }
}
