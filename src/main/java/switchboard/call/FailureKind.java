package switchboard.call;

/** Why a call failed, as callers, metrics and alerts see it. */
public enum FailureKind {
    /** The caller sent something that can't be right; changing the arguments helps. */
    INVALID_ARGUMENT(Origin.CALLER),
    /** The named thing does not exist, or not for this caller. */
    NOT_FOUND(Origin.CALLER),
    /** The thing exists already, or changed meanwhile. */
    CONFLICT(Origin.CALLER),
    /** The gateway's policy refuses this caller. */
    DENIED(Origin.CALLER),
    /** The engine refuses the gateway's own credential. */
    DENIED_UPSTREAM(Origin.EXTERNAL),
    /** The engine can't be reached, or is switched off. */
    UNAVAILABLE(Origin.EXTERNAL),
    /** The deadline passed first. */
    TIMEOUT(Origin.CAPACITY),
    /** A limit of the gateway or the engine is reached; waiting helps. */
    OVERLOADED(Origin.CAPACITY),
    /** The caller took the call back. */
    CANCELLED(Origin.CALLER),
    /** A defect of the gateway; the caller sees a correlation id only. */
    INTERNAL(Origin.INTERNAL);

    /** Whose fault a failure is, for alerting. */
    public enum Origin {
        CALLER,
        CAPACITY,
        EXTERNAL,
        INTERNAL
    }

    private final Origin origin;

    FailureKind(Origin origin) {
        this.origin = origin;
    }

    /** Whose fault this kind of failure is. */
    public Origin origin() {
        return origin;
    }
}
