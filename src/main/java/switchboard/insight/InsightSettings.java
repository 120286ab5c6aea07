package switchboard.insight;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whose searches are logged.
 *
 * @param teams by team; {@code *} stands for each that is not named
 * @param unlogged teams that are named, and whose searches are not logged
 */
public record InsightSettings(Map<String, TeamInsight> teams, Set<String> unlogged) {
    private static final String OTHERS = "*";

    /** What is kept of a query. */
    public enum QueryDetail {
        /** Its text. */
        FULL,
        /** A hash with a key of this data folder, or of the database that gateways share. */
        HASH,
        /** Nothing. */
        NONE
    }

    /**
     * How the searches of a team are logged.
     *
     * @param keepFor after this time they are deleted; at least an hour
     * @param maxBytes maximum size of the team's lines
     */
    public record TeamInsight(QueryDetail queries, Duration keepFor, long maxBytes) {
        /** For what is left of a team that is no longer logged: it goes as if nothing had been configured. */
        static final TeamInsight UNNAMED = new TeamInsight(QueryDetail.NONE, Duration.ofDays(30), 256L << 20);
    }

    public InsightSettings {
        teams = Map.copyOf(teams);
        unlogged = Set.copyOf(unlogged);
    }

    /** Settings that except no team. */
    public InsightSettings(Map<String, TeamInsight> teams) {
        this(teams, Set.of());
    }

    /** How the searches of {@code team} are logged; empty if they are not. */
    public Optional<TeamInsight> of(String team) {
        if (unlogged.contains(team)) {
            return Optional.empty();
        }
        TeamInsight own = teams.get(team);
        return Optional.ofNullable(own == null ? teams.get(OTHERS) : own);
    }
}
