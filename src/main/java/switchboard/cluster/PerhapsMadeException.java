package switchboard.cluster;

/** The database went away while a change was being made: it may have been made, or not. */
public final class PerhapsMadeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PerhapsMadeException(Throwable cause) {
        super("a change may or may not have been made", cause, false, false);
    }
}
