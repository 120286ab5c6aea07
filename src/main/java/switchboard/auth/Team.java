package switchboard.auth;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Claim;
import switchboard.call.Redaction;

/**
 * A team with its keys and rights.
 *
 * @param name its unique name
 * @param keys the keys of its members
 * @param grants what it may do
 * @param bindings by backend id, the values that its calls are bound to there: tenant, owner, filter, role
 * @param views the names of the views it may use; null for all
 * @param limits how much it may do
 * @param redactions what is removed from its calls and their results
 */
public record Team(
        String name,
        List<TeamKey> keys,
        List<Grant> grants,
        Map<String, Map<String, String>> bindings,
        @Nullable Set<String> views,
        TeamLimits limits,
        Redactions redactions) {
    /**
     * The patterns of a team.
     *
     * @param arguments from the arguments of tools, before anything else reads them
     * @param results from results, before the caller gets them
     */
    public record Redactions(Redaction arguments, Redaction results) {
        /** Removes nothing. */
        public static final Redactions NONE = new Redactions(Redaction.NOTHING, Redaction.NOTHING);
    }

    /** A team without redactions. */
    public Team(
            String name,
            List<TeamKey> keys,
            List<Grant> grants,
            Map<String, Map<String, String>> bindings,
            @Nullable Set<String> views,
            TeamLimits limits) {
        this(name, keys, grants, bindings, views, limits, Redactions.NONE);
    }

    public Team {
        keys = List.copyOf(keys);
        grants = List.copyOf(grants);
        bindings = Map.copyOf(bindings);
        views = views == null ? null : Set.copyOf(views);
    }

    /** The same without the keys that have one of these digests. */
    Team without(Set<String> sha256) {
        List<TeamKey> rest =
                keys.stream().filter(key -> !sha256.contains(key.sha256())).toList();
        return new Team(name, rest, grants, bindings, views, limits, redactions);
    }

    /** The limits of the key with that id; none if there is no such key. */
    TeamLimits keyLimits(String keyId) {
        TeamKey key = key(keyId);
        return key == null ? TeamLimits.NONE : key.limits();
    }

    private @Nullable TeamKey key(String keyId) {
        for (TeamKey key : keys) {
            if (key.id().equals(keyId)) {
                return key;
            }
        }
        return null;
    }

    /** The principal of the key {@code keyId}; without a proof if there is no such key. */
    Principal principal(String keyId) {
        TeamKey key = key(keyId);
        return new Principal(
                name,
                keyId,
                grants,
                bindings,
                views,
                null,
                key == null ? null : key.sha256(),
                key == null ? Map.of() : key.claims());
    }

    /**
     * A key of a team.
     *
     * @param id its name in logs and metrics
     * @param sha256 the digest of the key's text, 64 lower-case hexadecimal digits
     * @param expires when it expires, or null for never
     * @param limits its limits, within the team's
     * @param claims what is known about who uses it, by name
     */
    public record TeamKey(
            String id, String sha256, @Nullable Instant expires, TeamLimits limits, Map<String, Claim> claims) {
        public TeamKey {
            claims = Map.copyOf(claims);
        }

        /** A key without claims. */
        public TeamKey(String id, String sha256, @Nullable Instant expires, TeamLimits limits) {
            this(id, sha256, expires, limits, Map.of());
        }

        /** A key without limits of its own. */
        public TeamKey(String id, String sha256, @Nullable Instant expires) {
            this(id, sha256, expires, TeamLimits.NONE);
        }

        /** Whether it has expired at {@code now}. */
        boolean expired(Instant now) {
            return expires != null && !now.isBefore(expires);
        }
    }
}
