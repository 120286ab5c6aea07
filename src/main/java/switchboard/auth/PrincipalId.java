package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a principal, without its rights. Two keys that had the same id at different times are two
 * identities.
 *
 * @param team the team's name
 * @param id the key's id or the token's subject
 * @param proof the SHA-256 of the key that was sent, or null for callers without a key
 */
public record PrincipalId(String team, String id, @Nullable String proof) {
    /** Does not contain the proof. */
    @Override
    public String toString() {
        return "Identity[team=" + team + ", id=" + id + "]";
    }
}
