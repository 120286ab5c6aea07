package switchboard.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is kept of searches, to learn from them. Nothing of a team that is not named. */
public record InsightConfig(
        @Doc("Teams whose searches are logged, by name; `*` stands for each team without an entry, and for a gateway"
                + " without teams.")
        Map<String, TeamInsightConfig> teams) {
    /** Stands for each team without an entry. */
    public static final String EVERYBODY = "*";

    public InsightConfig {
        teams = Collections.unmodifiableMap(new LinkedHashMap<>(teams));
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
            Size maxSize) {}

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
