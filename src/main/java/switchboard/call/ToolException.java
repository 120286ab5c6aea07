package switchboard.call;

/**
 * A tool failure on its way out of nested code of a handler. The consumer on the bus turns it into the {@link
 * ToolReply.Failed} it carries; it never crosses the bus itself.
 */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ToolReply.Failed failed;

    /** An exception that stands for {@code failed}. */
    public ToolException(ToolReply.Failed failed) {
        super(failed.message(), null, false, false);
        this.failed = failed;
    }

    /** An exception that stands for a failure of {@code kind} with {@code message}. */
    public ToolException(FailureKind kind, String message) {
        this(new ToolReply.Failed(kind, message));
    }

    /** The failure. */
    public ToolReply.Failed failed() {
        return failed;
    }
}
