package switchboard.stdio;

/** The caller may not use the gateway. The message says why and what to do. */
public final class AccessRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AccessRefusedException(String message) {
        super(message, null, false, false);
    }
}
