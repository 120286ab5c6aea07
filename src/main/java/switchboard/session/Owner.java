package switchboard.session;

/**
 * Whose session it is.
 *
 * @param team the team, {@code ""} in a gateway without teams; the cap is shared fairly among teams
 * @param principal the key or subject
 * @param view the view whose URL made the session
 */
public record Owner(String team, String principal, String view) {}
