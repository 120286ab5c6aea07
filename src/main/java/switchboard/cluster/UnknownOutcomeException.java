package switchboard.cluster;

/** The connection broke while a transaction was being committed: it may have been, or not. */
final class UnknownOutcomeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownOutcomeException(Throwable cause) {
        super(cause.getMessage(), cause, false, false);
    }
}
