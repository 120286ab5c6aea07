package switchboard.auth;

import org.jspecify.annotations.Nullable;

/**
 * Who somebody is, whatever it may do: two keys that have had one id after the other are two identities.
 *
 * @param team the team's name
 * @param id the key's id or the token's subject
 * @param proof the SHA-256 of the key that was shown, or null for callers without a key
 */
public record PrincipalId(String team, String id, @Nullable String proof) {
    /** Without its proof. */
    @Override
    public String toString() {
        return "Identity[team=" + team + ", id=" + id + "]";
    }
}
