package switchboard.auth;

import java.util.List;

/**
 * An authenticated caller.
 *
 * @param team the team's name, {@code ""} in a gateway without teams
 * @param id the key's id or the token's subject; never a secret
 * @param grants what the team allows it; an empty list allows nothing
 */
public record Principal(String team, String id, List<Grant> grants) {
    public Principal {
        grants = List.copyOf(grants);
    }

    /** The caller of a gateway in {@code auth.mode: none}: may do everything. */
    public static Principal anonymous() {
        return new Principal("", "anonymous", List.of(Grant.EVERYTHING));
    }
}
