package switchboard.cluster;

import org.jspecify.annotations.Nullable;

/** The shared database did not do what it was asked for; nothing was changed. */
public final class ClusterUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How long a caller should wait before it tries again, in seconds. */
    public static final int RETRY_SECONDS = 2;

    private final NotDone reason;

    /** Why something was not done. */
    public enum NotDone {
        /** The database can't be reached or used. */
        UNREACHED,
        /** It did not answer in time. */
        LATE,
        /** It, or this gateway, has too much to do. */
        BUSY,
        /** It refused a statement. */
        REFUSED
    }

    ClusterUnavailableException(NotDone reason, String why, @Nullable Throwable cause) {
        super(why, cause, false, false);
        this.reason = reason;
    }

    /** Why it was not done, which decides what callers are told. */
    public NotDone reason() {
        return reason;
    }
}
