package switchboard.insight;

import java.io.IOException;

/** What gateways keep in their database of searches can't be used now. The message says why. */
public final class InsightUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * It can't be used because of {@code cause}.
     *
     * @param what the begin of a sentence, such as {@code The search log is}
     */
    public InsightUnavailableException(String what, Throwable cause) {
        super(what + " in the database that the gateways share, which can't be used now: " + cause.getMessage(), cause);
    }
}
