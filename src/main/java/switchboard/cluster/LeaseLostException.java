package switchboard.cluster;

/** A change was not made, because the lease that it belongs to is over. */
public final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LeaseLostException() {
        super("the lease is over", null, false, false);
    }
}
