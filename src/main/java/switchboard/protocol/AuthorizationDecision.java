package switchboard.protocol;

/** The decision of the access rules for a request. */
public enum AuthorizationDecision {
    /** The caller may. */
    ALLOWED,
    /** The caller may use the tool, but not on that resource. */
    DENIED,
    /** To the caller there is no such tool. */
    UNKNOWN,
    /** The arguments are not valid; no further checks were made. */
    INVALID,
    /** A limit of the team or of the key is reached. */
    LIMITED
}
