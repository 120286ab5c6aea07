package switchboard.auth;

/** What became of a caller's credentials. */
public sealed interface AuthOutcome {
    /** They are good. */
    record Authenticated(Principal principal) implements AuthOutcome {}

    /**
     * They are not.
     *
     * @param status the HTTP status: 401 when missing or wrong, 403 when right but not enough, 400 when malformed
     * @param wwwAuthenticate the challenge (RFC 9110 section 11.6.1)
     * @param message what is wrong and what to do next; safe to show
     * @param reason a word for metrics: {@code missing}, {@code invalid}, {@code expired}, ...
     */
    record Challenge(int status, String wwwAuthenticate, String message, String reason) implements AuthOutcome {}
}
