package switchboard.call;

import org.jspecify.annotations.Nullable;

/**
 * Carries a tool failure out of nested code of a handler. The consumer on the bus converts it to its {@link
 * ToolReply.Failed}; it never crosses the bus itself.
 */
public final class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ToolReply.Failed failed;

    /** Wraps {@code failed}. */
    public ToolException(ToolReply.Failed failed) {
        this(failed, null);
    }

    /** Wraps {@code failed}, which stands for {@code cause} for callers. */
    public ToolException(ToolReply.Failed failed, @Nullable Throwable cause) {
        super(failed.message(), cause, false, false);
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
