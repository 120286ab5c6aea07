package switchboard.config;

import java.util.Map;

/** The teams file: who may call, and what they may do. */
public record TeamsConfig(@Doc("The teams, by name.") Map<String, TeamConfig> teams) {
    public TeamsConfig {
        teams = Map.copyOf(teams);
    }
}
