package switchboard.tuning;

import java.io.IOException;

/** What gateways share of decisions about weights can't be read or written now. The message says why. */
public final class UnsharedTuningException extends IOException {
    private static final long serialVersionUID = 1L;

    UnsharedTuningException(String message, Throwable cause) {
        super(message, cause);
    }
}
