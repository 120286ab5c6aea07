package switchboard.files;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Names of the folders of teams, whatever a team is called. */
public final class TeamFolders {
    private static final String ALL = "all";
    private static final String TEAM = "team-";

    private TeamFolders() {}

    /** Whether {@code name} may be the folder of a team. */
    public static boolean isOne(String name) {
        return name.equals(ALL) || name.startsWith(TEAM);
    }

    /** The folder of {@code team}; of everybody in a gateway without teams, {@code ""}. */
    public static String name(String team) {
        return team.isEmpty()
                ? ALL
                : TEAM + URLEncoder.encode(team, StandardCharsets.UTF_8).replace("*", "%2A");
    }
}
