package switchboard.tuning;

import java.io.IOException;

/** A file of weights that can't be used; the message says why, and not which file. */
public final class DamagedTuningException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedTuningException(String message) {
        super(message);
    }
}
