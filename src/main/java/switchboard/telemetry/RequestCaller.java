package switchboard.telemetry;

import java.util.List;

/**
 * The authenticated caller of a request.
 *
 * @param team the team, {@code ""} in a gateway without teams
 * @param key the key's id or the token's subject
 * @param claims the names of the claims that decided what it is bound to
 */
public record RequestCaller(String team, String key, List<String> claims) {
    public RequestCaller {
        claims = List.copyOf(claims);
    }

    /** A caller whose claims decided nothing. */
    public RequestCaller(String team, String key) {
        this(team, key, List.of());
    }
}
