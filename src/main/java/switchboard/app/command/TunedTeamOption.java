package switchboard.app.command;

import picocli.CommandLine.Option;

/** {@code --team} of the commands about a team's tuning. */
final class TunedTeamOption {
    @Option(
            names = "--team",
            paramLabel = "TEAM",
            required = true,
            description = "Whose searches; without teams, \"\".")
    private String team = "";

    /** Its name; empty in a gateway without teams. */
    String name() {
        return team;
    }
}
