package switchboard.files;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Names of the folders of teams, whatever a team is called. */
public final class TeamFolders {
    private static final String ALL = "all";
    private static final String TEAM = "team-";

    private TeamFolders() {}

    /** Whether {@code name} may be the folder of a team. */
    public static boolean isOne(String name) {
        return name.equals(ALL) || name.startsWith(TEAM);
    }

    /** The team whose folder is called {@code name}; empty if that is the name of no team's folder. */
    public static Optional<String> team(String name) {
        if (name.equals(ALL)) {
            return Optional.of("");
        }
        if (!name.startsWith(TEAM)) {
            return Optional.empty();
        }
        try {
            return Optional.of(URLDecoder.decode(name.substring(TEAM.length()), StandardCharsets.UTF_8))
                    .filter(team -> name(team).equals(name));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** The folder of {@code team}; of everybody in a gateway without teams, {@code ""}. */
    public static String name(String team) {
        return team.isEmpty()
                ? ALL
                : TEAM + URLEncoder.encode(team, StandardCharsets.UTF_8).replace("*", "%2A");
    }
}
