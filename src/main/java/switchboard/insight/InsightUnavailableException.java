package switchboard.insight;

import java.io.IOException;

/** The search log can't be used now. The message says why. */
public final class InsightUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    InsightUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
