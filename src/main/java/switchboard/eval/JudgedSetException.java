package switchboard.eval;

import java.io.IOException;

/** The files of a judged set can't be used. The message names the file, and the line if it is one line. */
public final class JudgedSetException extends IOException {
    private static final long serialVersionUID = 1L;

    JudgedSetException(String message) {
        super(message);
    }
}
