package switchboard.call;

/** Why a call failed, as callers, metrics and alerts see it. */
public enum FailureKind {
    /** The caller sent something that is not valid; changing the arguments helps. */
    INVALID_ARGUMENT(Blame.CALLER),
    /** The named thing does not exist, or not for this caller. */
    NOT_FOUND(Blame.CALLER),
    /** The thing exists already, or has changed in the meantime. */
    CONFLICT(Blame.CALLER),
    /** The gateway's policy refuses this caller. */
    DENIED(Blame.CALLER),
    /** The engine refuses the gateway's own credential. */
    DENIED_UPSTREAM(Blame.EXTERNAL),
    /** The engine can't be reached, or is switched off. */
    UNAVAILABLE(Blame.EXTERNAL),
    /** The deadline passed first. */
    TIMEOUT(Blame.CAPACITY),
    /** A limit of the gateway or the engine is reached; waiting helps. */
    OVERLOADED(Blame.CAPACITY),
    /** The caller cancelled the call. */
    CANCELLED(Blame.CALLER),
    /** A defect of the gateway. The caller only gets a call id. */
    INTERNAL(Blame.INTERNAL);

    /** Whose fault a failure is, for alerting. */
    public enum Blame {
        CALLER,
        CAPACITY,
        EXTERNAL,
        INTERNAL
    }

    private final Blame origin;

    FailureKind(Blame origin) {
        this.origin = origin;
    }

    /** Whose fault this kind of failure is. */
    public Blame origin() {
        return origin;
    }
}
