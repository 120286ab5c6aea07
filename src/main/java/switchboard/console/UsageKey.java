package switchboard.console;

/**
 * Whose calls of what are counted together.
 *
 * @param team the team, {@code ""} in a gateway without teams
 * @param backend whose tool it is; empty if there is no such tool, or if the call was refused before it was read
 * @param tool the tool's name in the view; empty if no tool was called
 */
public record UsageKey(String team, String backend, String tool) {
    /** The tool that stands for all those for which there is no room. */
    static final String OTHER = "other";

    /** Calls of {@code team} for which there is no room under names of their own. */
    static UsageKey other(String team) {
        return new UsageKey(team, "", OTHER);
    }

    boolean isOther() {
        return backend.isEmpty() && tool.equals(OTHER);
    }
}
