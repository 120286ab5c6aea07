package switchboard.app;

import org.jspecify.annotations.Nullable;

/** The teams file was left unchanged. The message says why and what to do. */
public class TeamsFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TeamsFileException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
