package switchboard.convert;

import java.util.Objects;

/** A document that does not become text; the message is fit for the caller. */
public final class ConvertException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** The format is none of those that are read. */
        UNSUPPORTED,
        /** The bytes are not what the format demands: damaged, truncated, encrypted, mislabelled. */
        UNREADABLE,
        /** The document is larger, when unpacked, than what is allowed. */
        TOO_LARGE
    }

    private final Reason reason;

    /** A failure. */
    public ConvertException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }

    /** What went wrong, for the caller. */
    public String explanation() {
        return Objects.requireNonNull(getMessage());
    }
}
