package switchboard.cluster;

import org.jspecify.annotations.Nullable;

/** The shared database could not be asked, or did not answer in time. */
public final class ClusterUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How long a caller should wait before it tries again, in seconds. */
    public static final int RETRY_SECONDS = 2;

    ClusterUnavailableException(String why, @Nullable Throwable cause) {
        super(why, cause, false, false);
    }
}
