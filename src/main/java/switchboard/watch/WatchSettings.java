package switchboard.watch;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may ask standing questions.
 *
 * @param teams by team; {@code *} stands for each that has no entry in the configuration
 * @param named the teams that have one, with or without standing questions
 */
public record WatchSettings(Map<String, TeamWatches> teams, Set<String> named) {
    private static final String OTHERS = "*";

    /** How long what is left of a team without standing questions is kept. */
    static final Duration LEFT_OVER = Duration.ofDays(30);

    /** Nobody. */
    public static final WatchSettings NONE = new WatchSettings(Map.of(), Set.of());

    /**
     * The standing questions of a team.
     *
     * @param most how many it may have
     * @param every how often each is asked even if nothing is known to have changed
     * @param runsPerMinute how many are asked in a minute at most
     * @param maxAge how long an access token counts after it was used
     * @param keepFor after this time without being used by its asker, one is removed
     * @param webhooks where news may be sent to; empty if nowhere
     */
    public record TeamWatches(
            int most,
            Duration every,
            int runsPerMinute,
            Duration maxAge,
            Duration keepFor,
            Optional<WebhookRules> webhooks) {}

    public WatchSettings {
        teams = Map.copyOf(teams);
        named = Set.copyOf(named);
    }

    /** Those of {@code team}; empty if it may have none. */
    public Optional<TeamWatches> of(String team) {
        return Optional.ofNullable(named.contains(team) ? teams.get(team) : teams.get(OTHERS));
    }

    /** Whether any team may have some. */
    public boolean any() {
        return !teams.isEmpty();
    }

    Duration keepFor(String team) {
        return of(team).map(TeamWatches::keepFor).orElse(LEFT_OVER);
    }
}
