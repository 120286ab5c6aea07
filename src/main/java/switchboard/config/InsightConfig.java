package switchboard.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is kept of searches, to learn from them and to ask them again. Nothing of a team that is not named. */
public record InsightConfig(
        @Doc("Teams whose searches are logged, by name; `*` stands for each team without an entry, and for a gateway"
                + " without teams.")
        Map<String, TeamInsightConfig> teams) {
    /** Stands for each team without an entry. */
    public static final String EVERYBODY = "*";

    public InsightConfig {
        teams = Collections.unmodifiableMap(new LinkedHashMap<>(teams));
    }

    /** The teams whose searches are logged. */
    public Map<String, TeamInsightConfig> logged() {
        Map<String, TeamInsightConfig> logged = new LinkedHashMap<>(teams);
        logged.values().removeIf(team -> !team.log());
        return logged;
    }

    /** Whether the searches of {@code team} are logged. */
    public boolean logs(String team) {
        TeamInsightConfig own = teams.getOrDefault(team, teams.get(EVERYBODY));
        return own != null && own.log();
    }

    /** The same without standing questions. */
    InsightConfig withoutWatches() {
        Map<String, TeamInsightConfig> rest = new LinkedHashMap<>();
        teams.forEach((name, team) -> rest.put(
                name, new TeamInsightConfig(team.queries(), team.keepFor(), team.maxSize(), team.log(), null)));
        return new InsightConfig(rest);
    }

    /** The searches of one team. */
    public record TeamInsightConfig(
            @Default("full")
            @Doc("What is kept of a query: `full`, its text; `hash`, a keyed hash, so that equal queries are seen to be"
                    + " equal; `none`.")
            QueryDetail queries,

            @Default("30d") @AllowedRange(min = "1h", max = "3650d") @Doc("After this time it is deleted.")
            Duration keepFor,

            @Default("256MiB")
            @AllowedRange(min = "1MiB", max = "100GiB")
            @Doc("Maximum size of the team's files; the oldest go first.")
            Size maxSize,

            @Default("true") @Doc("Whether its searches are logged. `false` is for a team that only has `watches`.")
            boolean log,

            @Doc("Standing questions of the team; without this section it has none.") @Nullable
            WatchesConfig watches) {}

    /** The standing questions of one team. */
    public record WatchesConfig(
            @Default("100") @AllowedRange(min = "1", max = "10000") @Doc("How many the team may have.")
            int most,

            @Default("10m")
            @AllowedRange(min = "1m", max = "7d")
            @Doc("How often each is asked even if nothing is known to have changed: for sources in other engines.")
            Duration every,

            @Default("120")
            @AllowedRange(min = "1", max = "6000")
            @Doc("How many are asked in a minute at most; the others wait.")
            int runsPerMinute,

            @Default("1d")
            @AllowedRange(min = "1m", max = "90d")
            @Doc(
                    "How long the claims and scopes of an access token count after it was used. Then the question sleeps until"
                            + " its asker reads it with a newer one. Keys are not concerned.")
            Duration maxAge,

            @Default("90d")
            @AllowedRange(min = "1h", max = "3650d")
            @Doc("After this time without being read or changed by its asker, a question is removed.")
            Duration keepFor) {}

    /** What is kept of a query. */
    public enum QueryDetail {
        /** Its text. */
        FULL,
        /** A hash with a key that only this gateway has. */
        HASH,
        /** Nothing. */
        NONE
    }
}
