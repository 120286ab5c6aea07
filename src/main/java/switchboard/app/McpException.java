package switchboard.app;

/** A gateway could not be reached, or answered with a protocol error. The message is for a person at a terminal. */
public final class McpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    McpException(String message) {
        super(message);
    }

    McpException(String message, Throwable cause) {
        super(message, cause);
    }
}
