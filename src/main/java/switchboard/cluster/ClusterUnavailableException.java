package switchboard.cluster;

import org.jspecify.annotations.Nullable;

/** The shared database could not be asked, or did not answer in time. */
public final class ClusterUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How long a caller should wait before it tries again, in seconds. */
    public static final int RETRY_SECONDS = 2;

    private final boolean oneStatement;

    ClusterUnavailableException(String why, @Nullable Throwable cause) {
        this(why, cause, false);
    }

    ClusterUnavailableException(String why, @Nullable Throwable cause, boolean oneStatement) {
        super(why, cause, false, false);
        this.oneStatement = oneStatement;
    }

    /** Whether the server has refused what it was asked, rather than been away: other work may succeed. */
    public boolean oneStatement() {
        return oneStatement;
    }
}
