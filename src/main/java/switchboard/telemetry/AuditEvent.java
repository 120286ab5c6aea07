package switchboard.telemetry;

/** An event that the audit log writes as one line. */
public sealed interface AuditEvent {
    /** A request of an authenticated caller: answered, refused or cancelled. */
    record Call(FinishedRequest request) implements AuditEvent {}

    /**
     * A message of an authenticated caller that a rate limit refused. Its content was not read.
     *
     * @param limit the limit that is reached
     * @param calls the number of requests in it
     */
    record Limited(RequestSource source, RequestCaller caller, String limit, int calls) implements AuditEvent {}

    /**
     * Somebody has changed something in the console, or was not allowed to.
     *
     * @param method {@code keys/create}, {@code keys/revoke}, {@code upstream/approve}, {@code schedules/set} or
     *     {@code schedules/remove}
     * @param subject what it is about: a key as {@code <team>/<id>}, a tool as {@code <backend>/<name>}, a collection as
     *     {@code <backend>:<name>}; empty if that was not read; client input
     * @param allowed whether the caller may do that
     * @param outcome {@code ok}, or a word for what was wrong
     */
    record ConsoleChange(
            RequestSource source, RequestCaller caller, String method, String subject, boolean allowed, String outcome)
            implements AuditEvent {}

    /**
     * A request whose credentials were missing or not valid.
     *
     * @param reason a word: {@code missing}, {@code invalid}, {@code expired}, ...
     */
    record AuthenticationFailed(RequestSource source, String reason) implements AuditEvent {}
}
