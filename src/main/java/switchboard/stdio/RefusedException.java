package switchboard.stdio;

/** The caller may not use the gateway. The message says why and what to do. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message, null, false, false);
    }
}
