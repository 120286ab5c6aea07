package switchboard.protocol;

/** What the gateway's rules said to a request. */
public enum AuthorizationDecision {
    /** The caller may. */
    ALLOWED,
    /** The caller may use the tool, but not on that resource. */
    DENIED,
    /** To the caller there is no such tool. */
    UNKNOWN,
    /** The arguments are no good; nothing further was asked. */
    INVALID,
    /** A limit of the team or of the key is reached. */
    LIMITED
}
