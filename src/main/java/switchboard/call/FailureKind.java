package switchboard.call;

/** Why a call failed, as callers, metrics and alerts see it. */
public enum FailureKind {
    /** The caller sent something that is not valid; changing the arguments helps. */
    INVALID_ARGUMENT,
    /** The named thing does not exist, or not for this caller. */
    NOT_FOUND,
    /** The thing exists already, or has changed in the meantime. */
    CONFLICT,
    /** The gateway's policy refuses this caller. */
    DENIED,
    /** The engine refuses the gateway's own credential. */
    DENIED_UPSTREAM,
    /** The engine can't be reached, or is switched off. */
    UNAVAILABLE,
    /** The deadline passed first. */
    TIMEOUT,
    /** A limit of the gateway or the engine is reached; waiting helps. */
    OVERLOADED,
    /** The caller cancelled the call. */
    CANCELLED,
    /** A defect of the gateway. The caller only gets a call id. */
    INTERNAL
}
