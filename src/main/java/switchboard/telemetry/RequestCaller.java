package switchboard.telemetry;

/**
 * The authenticated caller of a request.
 *
 * @param team the team, {@code ""} in a gateway without teams
 * @param key the key's id or the token's subject
 */
public record RequestCaller(String team, String key) {}
