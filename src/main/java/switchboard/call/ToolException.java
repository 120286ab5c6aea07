package switchboard.call;

/**
 * Carries a tool failure out of nested code of a handler. The consumer on the bus converts it to its {@link
 * ToolReply.Failed}; it never crosses the bus itself.
 */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ToolReply.Failed failed;

    /** Wraps {@code failed}. */
    public ToolException(ToolReply.Failed failed) {
        super(failed.message(), null, false, false);
        this.failed = failed;
    }

    /** Wraps a failure of {@code kind} with {@code message}. */
    public ToolException(FailureKind kind, String message) {
        this(new ToolReply.Failed(kind, message));
    }

    /** The failure. */
    public ToolReply.Failed failed() {
        return failed;
    }
}
