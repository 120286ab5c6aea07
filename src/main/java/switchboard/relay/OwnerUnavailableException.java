package switchboard.relay;

/** The owner does not answer. */
final class OwnerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean reached;

    /**
     * Makes an exception.
     *
     * @param reached whether the call may have reached the owner and may have been carried out
     */
    OwnerUnavailableException(boolean reached, Throwable cause) {
        super("the owner of the data does not answer: " + cause.getMessage(), cause, false, false);
        this.reached = reached;
    }

    /** Whether the call may have reached the owner. */
    boolean reached() {
        return reached;
    }
}
