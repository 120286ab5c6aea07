package switchboard.files;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Names of the folders of teams, whatever a team is called. */
public final class TeamFolders {
    private TeamFolders() {}

    /** The folder of {@code team}; of everybody in a gateway without teams, {@code ""}. */
    public static String name(String team) {
        return team.isEmpty()
                ? "all"
                : "team-" + URLEncoder.encode(team, StandardCharsets.UTF_8).replace("*", "%2A");
    }
}
