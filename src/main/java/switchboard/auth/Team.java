package switchboard.auth;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A team: whose keys open the gateway, and what they open.
 *
 * @param name its name, unique
 * @param keys the keys that are its members' proof
 * @param grants what it may do
 * @param bindings by backend id, the values that its calls are bound to there: tenant, owner, filter, role
 * @param views the names of the views it may use; null for all
 * @param limits how much it may do
 */
public record Team(
        String name,
        List<Key> keys,
        List<Grant> grants,
        Map<String, Map<String, String>> bindings,
        @Nullable Set<String> views,
        TeamLimits limits) {
    public Team {
        keys = List.copyOf(keys);
        grants = List.copyOf(grants);
        bindings = Map.copyOf(bindings);
        views = views == null ? null : Set.copyOf(views);
    }

    /** Its member that shows {@code keyId}. */
    Principal principal(String keyId) {
        return new Principal(name, keyId, grants, bindings, views, null);
    }

    /**
     * One of a team's keys.
     *
     * @param id its name in logs and metrics
     * @param sha256 of the key's text, 64 lower-case hexadecimal digits
     * @param expires from when on it is refused, or null for never
     */
    public record Key(String id, String sha256, @Nullable Instant expires) {
        /** Whether it is refused at {@code now}. */
        boolean expired(Instant now) {
            return expires != null && !now.isBefore(expires);
        }
    }
}
