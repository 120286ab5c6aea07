package switchboard.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
            Duration keepFor,

            @Doc("Where news may be sent to; without this section nowhere.") @Nullable
            WebhooksConfig webhooks) {}

    /** Where the news of a team's standing questions may be sent to. */
    public record WebhooksConfig(
            @Doc("Host names that receive news, with the port if it is not 443, such as `hooks.example.com:8443`.")
            List<String> hosts,

            @Doc(
                    "Key that signs messages as Standard Webhooks has it: `whsec_` and 24 to 64 random bytes in base64. When its"
                            + " file changes, the previous key signs, too, for one more day.")
            Secret secret,

            @Default("false")
            @Doc("Whether hosts may have addresses outside the public Internet (private networks, loopback), and then"
                    + " also receive without TLS.")
            boolean allowPrivate) {
        private static final String PREFIX = "whsec_";
        private static final int SHORTEST_KEY = 24;
        private static final int LONGEST_KEY = 64;

        public WebhooksConfig {
            if (hosts.isEmpty()) {
                throw new IllegalArgumentException("hosts is empty; name the hosts that may receive news");
            }
            for (String host : hosts) {
                if (!isHost(host)) {
                    throw new IllegalArgumentException(
                            "hosts: \"" + host + "\" is not a host name with a port if that is not 443; write it as"
                                    + " hooks.example.com, and an international one in its ASCII form (xn--...)");
                }
            }
            hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
            if (!isKey(secret.reveal())) {
                throw new IllegalArgumentException(
                        "secret is not whsec_ followed by 24 to 64 bytes in base64; generate one with: echo whsec_$(head"
                                + " -c 32 /dev/urandom | base64)");
            }
            secret.requires(WebhooksConfig::isKey);
        }

        /** The keys that sign: the current one, and those that were in use after {@code instant}. */
        public List<byte[]> keys(Instant instant) {
            return secret.since(instant).stream().map(WebhooksConfig::key).toList();
        }

        private static boolean isHost(String host) {
            try {
                URI url = new URI("https://" + host + "/");
                return url.getHost() != null
                        && host.equals(url.getRawAuthority())
                        && url.getRawUserInfo() == null
                        && !url.getHost().endsWith(".")
                        && !host.endsWith(":");
            } catch (URISyntaxException _) {
                return false;
            }
        }

        private static boolean isKey(String text) {
            try {
                int length = key(text).length;
                return text.startsWith(PREFIX) && length >= SHORTEST_KEY && length <= LONGEST_KEY;
            } catch (IllegalArgumentException _) {
                return false;
            }
        }

        private static byte[] key(String text) {
            return Base64.getDecoder().decode(text.substring(Math.min(PREFIX.length(), text.length())));
        }
    }

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
